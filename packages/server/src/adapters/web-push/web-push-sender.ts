/** Sends web pushes over HTTPS (RFC 8030), encrypted for the device (RFC 8291) and signed by the server (RFC 8292). */
import { createECDH } from "node:crypto";
import {
  type IncomingMessage,
  type RequestOptions,
  Agent as HttpAgent,
  request as requestHttp,
} from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import webPush from "web-push";
import type { WebPush, WebPushOutcome, WebPushSender, WebPushTarget } from "../../ports/web-push.ts";
import type { WebPushKeys } from "../../ports/web-push-store.ts";
import { type Resolve, hostOf, lookupPublic, mayBePublic } from "./public-address.ts";

const TIMEOUT_MS = 10_000;
/** Nobody reads the answer of a push service, so little of it is taken. */
const ANSWER_MAX_BYTES = 16_384;
const SECOND_MS = 1_000;

export interface WebPushSenderOptions {
  keys: WebPushKeys;
  /** Whom a push service may contact: `mailto:` or `https:`. */
  subject: string;
  /**
   * Whether push services may have addresses that are not public, and no TLS: for a push service of one's own. Otherwise anybody who is
   * registered could have the server send requests into the network behind it.
   */
  isPrivateAllowed: boolean;
  timeoutMs?: number;
  /** Looks up the addresses of a name. */
  resolve?: Resolve;
}

export function createWebPushSender(options: WebPushSenderOptions): WebPushSender {
  const { keys, subject, isPrivateAllowed, timeoutMs = TIMEOUT_MS, resolve } = options;
  const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) };
  const closing = new AbortController();

  function flawOfEndpoint(endpoint: string): string | undefined {
    const url = URL.parse(endpoint);
    if (url === null) return "is no address";
    if (url.protocol !== "https:" && !(isPrivateAllowed && url.protocol === "http:")) return "is not https";
    if (url.username !== "" || url.password !== "") return "has a name or a password";
    return isPrivateAllowed || mayBePublic(hostOf(url)) ? undefined : "is not public";
  }

  function requestOptionsOf(target: WebPushTarget, push: WebPush): { options: RequestOptions; body: Buffer } {
    const { endpoint, p256dh, auth } = target;
    const details = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, push.payload, {
      vapidDetails: { subject, ...keys },
      TTL: push.ttlSeconds,
      urgency: push.urgency,
      topic: push.topic,
      contentEncoding: "aes128gcm",
    });
    const isHttps = new URL(endpoint).protocol === "https:";
    return {
      body: details.body,
      options: {
        method: details.method,
        headers: details.headers,
        agent: isHttps ? agents.https : agents.http,
        signal: AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)]),
        ...(!isPrivateAllowed && { lookup: lookupPublic(resolve) }),
      },
    };
  }

  /** Redirects are not followed: they would lead to addresses that nobody has checked. */
  function post(endpoint: string, options: RequestOptions, body: Buffer): Promise<WebPushOutcome> {
    const request = endpoint.startsWith("http:") ? requestHttp : requestHttps;
    return new Promise((resolve) => {
      const failed = (error: Error) =>
        resolve({ kind: "later", retryAfterMs: null, reason: `no answer: ${error.message}` });
      const sent = request(endpoint, options, (response) => {
        discard(response);
        response.on("error", failed);
        resolve(outcomeOf(response));
      });
      sent.on("error", failed);
      sent.end(body);
    });
  }

  return {
    publicKey: keys.publicKey,
    flawOf({ endpoint, p256dh }) {
      return flawOfEndpoint(endpoint) ?? (isPublicKey(p256dh) ? undefined : "comes with a wrong key");
    },
    async send(target, push) {
      const { endpoint } = target;
      // The setting may have changed since the subscription was stored.
      const flaw = flawOfEndpoint(endpoint);
      if (flaw !== undefined) return { kind: "refused", reason: `the address ${flaw}` };
      try {
        const { options, body } = requestOptionsOf(target, push);
        return await post(endpoint, options, body);
      } catch (error) {
        return { kind: "refused", reason: error instanceof Error ? error.message : String(error) };
      }
    },
    close() {
      closing.abort();
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

/** Whether this is a point of the curve; others would fail only when a push is encrypted for it. */
function isPublicKey(p256dh: string): boolean {
  try {
    const own = createECDH("prime256v1");
    own.generateKeys();
    own.computeSecret(Buffer.from(p256dh, "base64url"));
    return true;
  } catch {
    return false;
  }
}

function discard(response: IncomingMessage): void {
  let bytes = 0;
  response.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > ANSWER_MAX_BYTES) response.destroy();
  });
}

function outcomeOf({ statusCode = 0, headers }: IncomingMessage): WebPushOutcome {
  if (statusCode >= 200 && statusCode < 300) return { kind: "accepted" };
  if (statusCode === 404 || statusCode === 410) return { kind: "gone" };
  const reason = `status ${statusCode}`;
  if (statusCode !== 429 && statusCode < 500) return { kind: "refused", reason };
  return { kind: "later", retryAfterMs: retryAfterMs(headers["retry-after"]), reason };
}

/** Seconds or a date (RFC 9110); null if it is neither. */
function retryAfterMs(value: string | undefined): number | null {
  if (value === undefined) return null;
  if (/^\d{1,6}$/.test(value)) return Number(value) * SECOND_MS;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}
