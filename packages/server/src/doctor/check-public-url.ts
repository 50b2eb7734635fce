/** Whether people reach the server at `PUBLIC_URL`: the certificate, and what a proxy does to calls, the socket and uploads. */
import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP } from "node:net";
import { type DetailedPeerCertificate, checkServerIdentity, connect as connectTls } from "node:tls";
import { WebSocket } from "ws";
import type { Config } from "../config/config.ts";
import { reasonOf } from "../config/environment.ts";

const ANSWER_MS = 10_000;
const DAY_MS = 24 * 3_600_000;
/** A certificate that will be renewed in time has been by then, unless it is valid for a shorter time. */
const DAYS_LEFT_MIN = 14;
const MEBIBYTE = 1_048_576;
/** A video may come with a cover. */
const COVER_MB = 21;
const BOUNDARY = "parley-doctor";
const UNREACHABLE = "cannot be reached from this machine";
/** Answers of proxies that do not reach what is behind them. */
const UNREACHED = [502, 503, 504];

/** Checks `PUBLIC_URL`, if it is set. Returns what is wrong, one sentence each. `answerMs`: how long an answer may take. */
export async function checkPublicUrl(config: Config, answerMs: number = ANSWER_MS): Promise<string[]> {
  const { PUBLIC_URL: url } = config;
  if (url === undefined) return [];
  const reached = await checkReached(url, answerMs);
  // Where nobody answers, nobody has a certificate.
  if (reached.some((problem) => problem.includes(UNREACHABLE))) return reached;
  const certificate = url.startsWith("https:") ? await checkCertificate(url, answerMs) : [];
  if (reached.length > 0) return [...certificate, ...reached];
  const results = await Promise.all([
    checkSocket(url, answerMs),
    checkUpload(url, config.UPLOAD_MAX_MB + COVER_MB, answerMs),
    checkMetrics(url, answerMs),
  ]);
  return [...certificate, ...results.flat()];
}

async function checkCertificate(url: string, answerMs: number): Promise<string[]> {
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  const socket = connectTls({
    host,
    port: Number(port || 443),
    rejectUnauthorized: false,
    ...(isIP(host) === 0 && { servername: host }),
  });
  try {
    await once(socket, "secureConnect", { signal: AbortSignal.timeout(answerMs) });
    const trust = socket.authorized ? undefined : String(socket.authorizationError);
    return certificateProblems(socket.getPeerCertificate(true), host, trust, Date.now());
  } catch (error) {
    return [`PUBLIC_URL ${url} speaks no TLS (${reasonOf(error)}): give the proxy a certificate.`];
  } finally {
    socket.destroy();
  }
}

/**
 * The problems of a certificate of this host.
 * @param trust why it is not trusted
 * @internal
 */
export function certificateProblems(
  certificate: Pick<DetailedPeerCertificate, "valid_from" | "valid_to" | "subject" | "subjectaltname">,
  host: string,
  trust: string | undefined,
  now: number,
): string[] {
  const from = Date.parse(certificate.valid_from);
  const to = Date.parse(certificate.valid_to);
  const days = Math.floor((to - now) / DAY_MS);
  if (days < 0) return [`The certificate of ${host} has expired ${-days} days ago: renew it.`];
  const problems: string[] = [];
  const misfit = checkServerIdentity(host, certificate as DetailedPeerCertificate);
  if (misfit !== undefined)
    problems.push(`The certificate of PUBLIC_URL is not for ${host}: get one that names it.`);
  // A certificate for another host has this reason too, and is reported above.
  if (trust !== undefined && trust !== "ERR_TLS_CERT_ALTNAME_INVALID")
    problems.push(
      `The certificate of ${host} is not trusted (${trust}): send the whole chain of an authority that browsers know, or name your own in NODE_EXTRA_CA_CERTS.`,
    );
  if (days < DAYS_LEFT_MIN && to - now < (to - from) / 3)
    problems.push(`The certificate of ${host} is valid for ${days} more days: see why it is not renewed.`);
  return problems;
}

async function checkReached(url: string, answerMs: number): Promise<string[]> {
  try {
    const { status, text } = await get(`${url}/healthz`, answerMs);
    if (envelopeOf(text)?.["data"] === "alive") return [];
    if (UNREACHED.includes(status)) {
      return [
        `PUBLIC_URL ${url} is answered by a proxy that does not reach this server (status ${status}): check the address in its configuration, and that the server runs.`,
      ];
    }
    return [
      `PUBLIC_URL ${url} does not lead to this server: /healthz is answered with status ${status} by something else.`,
    ];
  } catch (error) {
    return [
      `PUBLIC_URL ${url} ${UNREACHABLE} (${reasonOf(error)}): check its name, the firewall, and that the proxy and the server run.`,
    ];
  }
}

/** Opens the socket that clients use, and lets one frame go each way. */
async function checkSocket(url: string, answerMs: number): Promise<string[]> {
  const socket = new WebSocket(`${url.replace(/^http/, "ws")}/im`, {
    origin: url,
    rejectUnauthorized: false,
    handshakeTimeout: answerMs,
  });
  const refused = new Promise<number>((resolve) =>
    socket.on("unexpected-response", (_request, { statusCode = 0 }) => resolve(statusCode)),
  );
  // `once` reports the error. Without a listener, a later one would end the process.
  socket.on("error", () => undefined);
  try {
    const status = await Promise.race([refused, once(socket, "open").then(() => undefined)]);
    if (status !== undefined) {
      return [
        `The socket ${url}/im is refused with status ${status}: the proxy must pass on the headers Upgrade and Connection of a WebSocket.`,
      ];
    }
    const answer = once(socket, "pong", { signal: AbortSignal.timeout(answerMs) });
    socket.ping();
    await answer;
    return [];
  } catch (error) {
    return [
      `The socket ${url}/im carries nothing (${reasonOf(error)}): the proxy must pass a WebSocket on without holding it back.`,
    ];
  } finally {
    socket.terminate();
  }
}

/**
 * Begins the largest upload that is allowed, without a token. The server refuses it as soon as it hears of it; a proxy that collects the body
 * first lets the answer wait for ever, and one that limits it answers by itself.
 */
async function checkUpload(url: string, megabytes: number, answerMs: number): Promise<string[]> {
  const outgoing = send(`${url}/api/file/upload`, {
    method: "POST",
    "content-type": `multipart/form-data; boundary=${BOUNDARY}`,
    "content-length": String(megabytes * MEBIBYTE),
  });
  outgoing.write(`--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n`);
  const ending = AbortSignal.timeout(answerMs);
  try {
    const [response] = (await once(outgoing, "response", { signal: ending })) as [IncomingMessage];
    const { statusCode: status = 0 } = response;
    const [text] = (await once(response, "data", { signal: ending })) as [Buffer];
    if (typeof envelopeOf(text.toString())?.["key"] === "string") return [];
    if (status === 413) {
      return [
        `The proxy refuses uploads of ${megabytes} MiB: let it pass bodies that large (nginx: client_max_body_size ${megabytes}m), or set a smaller UPLOAD_MAX_MB.`,
      ];
    }
    return [
      `The proxy answers an upload by itself with status ${status}: let it pass everything to the server.`,
    ];
  } catch (error) {
    if (!ending.aborted)
      return [
        `An upload through PUBLIC_URL breaks off (${reasonOf(error)}): look into the log of the proxy.`,
      ];
    return [
      "The proxy collects uploads before it passes them on: let it stream them (nginx: proxy_request_buffering off).",
    ];
  } finally {
    outgoing.destroy();
  }
}

async function checkMetrics(url: string, answerMs: number): Promise<string[]> {
  const { status, text } = await get(`${url}/metrics`, answerMs);
  if (status !== 200 || !/^# (HELP|TYPE) /m.test(text)) return [];
  return [`Everybody can read ${url}/metrics: block it at the proxy, or set METRICS_TOKEN or METRICS_PORT.`];
}

async function get(url: string, answerMs: number): Promise<{ status: number; text: string }> {
  const signal = AbortSignal.timeout(answerMs);
  const outgoing = send(url, { method: "GET" });
  outgoing.end();
  try {
    const [response] = (await once(outgoing, "response", { signal })) as [IncomingMessage];
    let text = "";
    for await (const chunk of response.setEncoding("utf8")) text += String(chunk);
    return { status: response.statusCode ?? 0, text };
  } catch (error) {
    throw signal.aborted ? new Error("no answer", { cause: error }) : error;
  } finally {
    outgoing.destroy();
  }
}

/** The certificate is judged elsewhere, once. */
function send(
  url: string,
  { method, ...headers }: { method: string; [header: string]: string },
): ClientRequest {
  const options = { method, headers, agent: false };
  const outgoing = url.startsWith("https:")
    ? requestHttps(url, { ...options, rejectUnauthorized: false })
    : requestHttp(url, options);
  // Those who wait for the answer get the error. Without a listener, a later one would end the process.
  return outgoing.on("error", () => undefined);
}

function envelopeOf(text: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null ? { ...parsed } : undefined;
  } catch {
    // A page of a proxy.
    return undefined;
  }
}
