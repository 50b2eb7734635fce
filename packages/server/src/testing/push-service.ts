/** A push service on loopback (RFC 8030), and the devices behind it, which decrypt what it gets (RFC 8291). */
import { createDecipheriv, createECDH, createHmac, createPublicKey, randomBytes, verify } from "node:crypto";
import { type IncomingHttpHeaders, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { type WebPushPayload, webPushPayload } from "@parley/protocol/web-push";

const SALT_BYTES = 16;
const HEADER_BYTES = 21;
const TAG_BYTES = 16;

/** What the service answers. */
interface PushAnswer {
  status: number;
  headers?: Record<string, string>;
}

/** A request that the service got. */
export interface ReceivedPush {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** A subscribed device. */
export interface PushDevice {
  /** What its browser would tell the server. */
  subscription: { endpoint: string; p256dh: string; auth: string };
  /** What it has received so far, decrypted. */
  payloads(): WebPushPayload[];
  /** Waits until it has received this many pushes, and returns all. */
  received(count: number): Promise<WebPushPayload[]>;
}

/** A running push service. */
export interface TestPushService {
  url: string;
  received: ReceivedPush[];
  /** Decides the answer to each request; at first all are accepted. It may delay the answer. */
  answer: (push: ReceivedPush) => PushAnswer | Promise<PushAnswer>;
  device(): PushDevice;
  /** Waits until this many requests came. */
  requests(count: number): Promise<ReceivedPush[]>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a push service on a free port. */
export async function createPushService(): Promise<TestPushService> {
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    void buffer(request).then(async (body) => {
      const push = { path: request.url ?? "", headers: request.headers, body };
      service.received.push(push);
      for (const check of waiting) check();
      const { status, headers } = await service.answer(push);
      response.writeHead(status, headers).end();
    });
  });
  const until = (isDone: () => boolean) =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (!isDone()) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      check();
    });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  let devices = 0;
  const service: TestPushService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: [],
    answer: () => ({ status: 201 }),
    device() {
      const path = `/device/${++devices}`;
      const keys = createECDH("prime256v1");
      keys.generateKeys();
      const auth = randomBytes(16);
      const payloads = () =>
        service.received
          .filter((push) => push.path === path)
          .map(({ body }) => webPushPayload.parse(JSON.parse(decrypt(body, keys, auth))));
      return {
        subscription: {
          endpoint: service.url + path,
          p256dh: keys.getPublicKey("base64url"),
          auth: auth.toString("base64url"),
        },
        payloads,
        async received(count) {
          await until(() => payloads().length >= count);
          return payloads();
        },
      };
    },
    async requests(count) {
      await until(() => service.received.length >= count);
      return service.received;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return service;
}

const hmac = (key: Buffer, ...data: (Buffer | string)[]) => {
  const hash = createHmac("sha256", key);
  for (const part of data) hash.update(part);
  return hash.digest();
};

/** Decrypts the body of a push. */
function decrypt(body: Buffer, keys: ReturnType<typeof createECDH>, auth: Buffer): string {
  const salt = body.subarray(0, SALT_BYTES);
  const keyEnd = HEADER_BYTES + body.readUInt8(HEADER_BYTES - 1);
  const serverKey = body.subarray(HEADER_BYTES, keyEnd);
  const shared = hmac(auth, keys.computeSecret(serverKey));
  const input = hmac(shared, "WebPush: info\0", keys.getPublicKey(), serverKey, "\u0001");
  const secret = hmac(salt, input);
  const key = hmac(secret, "Content-Encoding: aes128gcm\0", "\u0001").subarray(0, 16);
  const nonce = hmac(secret, "Content-Encoding: nonce\0", "\u0001").subarray(0, 12);
  const decipher = createDecipheriv("aes-128-gcm", key, nonce);
  decipher.setAuthTag(body.subarray(-TAG_BYTES));
  const plain = Buffer.concat([decipher.update(body.subarray(keyEnd, -TAG_BYTES)), decipher.final()]);
  // A delimiter and zeros end the record.
  return plain.subarray(0, plain.lastIndexOf(2)).toString("utf8");
}

/** The claims of the signature with which a server names itself to the push service (RFC 8292). Throws if it is wrong. */
export function vapidClaims(
  { headers }: ReceivedPush,
  publicKey: string,
): { aud: string; exp: number; sub: string } {
  const [, token = "", key] = /^vapid t=([^,]+), ?k=(.+)$/.exec(headers.authorization ?? "") ?? [];
  if (key !== publicKey) throw new Error("the push is signed with another key");
  const point = Buffer.from(publicKey, "base64url");
  const jwk = {
    kty: "EC",
    crv: "P-256",
    x: point.subarray(1, 33).toString("base64url"),
    y: point.subarray(33).toString("base64url"),
  };
  const [head, claims = "", signature = ""] = token.split(".");
  const isRight = verify(
    "sha256",
    Buffer.from(`${head}.${claims}`),
    { key: createPublicKey({ key: jwk, format: "jwk" }), dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  if (!isRight) throw new Error("the signature is wrong");
  return JSON.parse(Buffer.from(claims, "base64url").toString()) as { aud: string; exp: number; sub: string };
}
