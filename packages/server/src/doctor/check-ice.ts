/** Whether the STUN and TURN servers of the configuration work from this machine. */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { connect as connectTcp } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import type { Config } from "../config/config.ts";
import { reasonOf } from "../config/environment.ts";
import { createIceServers } from "../modules/calls/ice-servers.ts";
import {
  ALLOCATE,
  Attribute,
  BINDING,
  REFRESH,
  type StunMessage,
  UDP_TRANSPORT,
  encodeStun,
  readStun,
} from "./stun-message.ts";

const ADDRESS = /^(stuns?|turns?):(\[[^\]]+\]|[^:?]+)(?::(\d+))?(?:\?transport=(udp|tcp))?$/;
const PORT = 3478;
const TLS_PORT = 5349;
const UNAUTHORIZED = 401;
/** How often a datagram is repeated, because networks lose some. */
const REPEAT_MS = 500;
const ANSWER_MS = 5_000;

/** Sends one message and resolves with the answer. */
type Exchange = (message: Buffer) => Promise<StunMessage>;

interface Address {
  isTurn: boolean;
  isTls: boolean;
  isDatagram: boolean;
  host: string;
  port: number;
}

/** Asks each server of `ICE_URLS`. Returns what is wrong, one sentence each. */
export async function checkIce(
  { ICE_URLS, TURN_SECRET = "" }: Config,
  answerMs: number = ANSWER_MS,
): Promise<string[]> {
  const problems = await Promise.all(ICE_URLS.map((url) => checkServer(url, TURN_SECRET, answerMs)));
  return problems.flat();
}

async function checkServer(url: string, secret: string, answerMs: number): Promise<string[]> {
  const address = addressOf(url);
  // DTLS, which Node does not speak.
  if (address === undefined || (address.isTls && address.isDatagram)) return [];
  try {
    return await withConnection(address, answerMs, async (exchange) => {
      if (address.isTurn) return allocate(url, secret, exchange);
      const { isSuccess } = await exchange(encodeStun(BINDING, []));
      return isSuccess ? [] : [`${url} of ICE_URLS refuses STUN: let it answer without credentials.`];
    });
  } catch (error) {
    return [
      `${url} of ICE_URLS cannot be used from this machine (${reasonOf(error)}): check that it runs and that its name, port and firewall are right.`,
    ];
  }
}

function addressOf(url: string): Address | undefined {
  const [, scheme = "", host, port, transport] = ADDRESS.exec(url) ?? [];
  if (host === undefined) return undefined;
  const isTls = scheme.endsWith("s");
  return {
    isTurn: scheme.startsWith("turn"),
    isTls,
    isDatagram: transport === undefined ? !isTls : transport === "udp",
    host: host.replace(/^\[|\]$/g, ""),
    port: Number(port ?? (isTls ? TLS_PORT : PORT)),
  };
}

/** Asks for a relay with credentials as people get them, and gives it back. */
async function allocate(url: string, secret: string, exchange: Exchange): Promise<string[]> {
  const transport = { type: Attribute.REQUESTED_TRANSPORT, value: UDP_TRANSPORT };
  const challenge = await exchange(encodeStun(ALLOCATE, [transport]));
  const { realm, nonce } = challenge;
  if (challenge.isSuccess || realm === undefined || nonce === undefined) {
    return [`${url} of ICE_URLS asks for no credentials, so everybody may use it: set use-auth-secret.`];
  }
  const [server] = createIceServers([url], secret)(0, Date.now());
  const login = { username: server?.username ?? "", password: server?.credential ?? "", realm, nonce };
  const { isSuccess, error } = await exchange(encodeStun(ALLOCATE, [transport], login));
  if (isSuccess) {
    await exchange(encodeStun(REFRESH, [{ type: Attribute.LIFETIME, value: Buffer.alloc(4) }], login));
    return [];
  }
  if (error === UNAUTHORIZED) {
    return [
      `${url} of ICE_URLS refuses the credentials: TURN_SECRET must be its static-auth-secret, and the clocks of both machines must agree.`,
    ];
  }
  return [`${url} of ICE_URLS gives no relay (error ${error ?? "unknown"}): look into its log.`];
}

async function withConnection<T>(
  address: Address,
  answerMs: number,
  use: (exchange: Exchange) => Promise<T>,
): Promise<T> {
  return address.isDatagram ? withDatagrams(address, answerMs, use) : withStream(address, answerMs, use);
}

async function withDatagrams<T>(
  { host, port }: Address,
  answerMs: number,
  use: (exchange: Exchange) => Promise<T>,
): Promise<T> {
  const socket = createSocket(host.includes(":") ? "udp6" : "udp4");
  try {
    socket.connect(port, host);
    await once(socket, "connect");
    return await use(async (message) => {
      const ending = AbortSignal.timeout(answerMs);
      const answer = once(socket, "message", { signal: ending });
      const isAnswered = answer.then(
        () => true,
        () => true,
      );
      do socket.send(message);
      while (!(await Promise.race([isAnswered, sleep(REPEAT_MS, false, { ref: false })])));
      const [data] = (await answer.catch(noAnswer(ending))) as [Buffer];
      return readStun(data);
    });
  } finally {
    socket.close();
  }
}

async function withStream<T>(
  { host, port, isTls }: Address,
  answerMs: number,
  use: (exchange: Exchange) => Promise<T>,
): Promise<T> {
  const socket = isTls ? connectTls({ host, port, servername: host }) : connectTcp(port, host);
  try {
    const opening = AbortSignal.timeout(answerMs);
    await once(socket, isTls ? "secureConnect" : "connect", { signal: opening }).catch(noAnswer(opening));
    return await use(async (message) => {
      const ending = AbortSignal.timeout(answerMs);
      socket.write(message);
      let data = Buffer.alloc(0);
      for (;;) {
        const [chunk] = (await once(socket, "data", { signal: ending }).catch(noAnswer(ending))) as [Buffer];
        data = Buffer.concat([data, chunk]);
        if (data.length >= 4 && data.length >= 20 + data.readUInt16BE(2)) return readStun(data);
      }
    });
  } finally {
    socket.destroy();
  }
}

/** Says so if the time is over. */
function noAnswer(signal: AbortSignal): (error: unknown) => never {
  return (error) => {
    throw signal.aborted ? new Error("no answer", { cause: error }) : error;
  };
}
