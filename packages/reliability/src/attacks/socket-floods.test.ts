import { type Socket, connect } from "node:net";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { CloseCode } from "@parley/protocol/codes";
import { HANDSHAKE, Opcode, clientFrame } from "../raw-frames.ts";
import { eventually } from "@parley/server/testing/eventually";
import { readMetrics } from "@parley/server/testing/read-metrics";
import { type TestApp, createTestApp } from "@parley/server/testing/test-app";
import { type TestPerson, registerPerson } from "@parley/server/testing/test-person";
import { TestSocket } from "@parley/server/testing/test-socket";

/** A socket whose bytes the test writes itself. */
class RawClient {
  readonly raw: Socket;
  replies = 0;
  readonly closed: Promise<{ code: number; reason: string }>;
  readonly #ws: WebSocket;

  private constructor(ws: WebSocket, raw: Socket) {
    this.#ws = ws;
    this.raw = raw;
    for (const event of ["message", "ping", "pong"]) ws.on(event, () => this.replies++);
    ws.on("error", () => undefined);
    this.closed = new Promise((resolve) =>
      ws.on("close", (code, reason) => resolve({ code, reason: String(reason) })),
    );
    onTestFinished(() => ws.terminate());
  }

  static open(url: string): Promise<RawClient> {
    const ws = new WebSocket(`${url.replace("http", "ws")}/im`);
    let raw: Socket | undefined;
    ws.on("upgrade", ({ socket }) => (raw = socket));
    return new Promise((resolve, reject) => {
      ws.on("open", () => raw && resolve(new RawClient(ws, raw)));
      ws.on("error", reject);
    });
  }

  /** Logs in and waits for the answer. */
  async logIn(person: TestPerson): Promise<void> {
    this.#ws.send(JSON.stringify({ cmd: 0, data: { accessToken: person.tokens.accessToken } }));
    await eventually(() => expect(this.replies).toBe(1));
    this.replies = 0;
  }
}

const text = (value: string) => clientFrame(Buffer.from(value), { opcode: Opcode.TEXT });
const HEARTBEAT = text('{"cmd":1,"data":{}}');
const PING = clientFrame(Buffer.alloc(0), { opcode: Opcode.PING });
const FRAGMENT = { opcode: Opcode.CONTINUATION, isFinal: false };
const FRAMES = 2_000;
const METRICS_TOKEN = "metrics-of-the-test";
const many = (frame: Buffer, count = FRAMES) => Buffer.concat(Array.from({ length: count }, () => frame));

/** Each as one write, as a flooder would send it. */
const FLOODS: readonly (readonly [string, Buffer])[] = [
  ["heartbeats", many(HEARTBEAT)],
  ["pings", many(PING)],
  ["pongs", many(clientFrame(Buffer.alloc(0), { opcode: Opcode.PONG }))],
  [
    "fragments",
    Buffer.concat([
      clientFrame(Buffer.from("{"), { opcode: Opcode.TEXT, isFinal: false }),
      many(clientFrame(Buffer.alloc(0), FRAGMENT)),
    ]),
  ],
  ["frames that are no JSON", many(text("nonsense"))],
  ["frames of a reserved kind", many(clientFrame(Buffer.alloc(0), { opcode: 11 }))],
  [
    "pings and closes",
    many(Buffer.concat([PING, clientFrame(Buffer.from([3, 232]), { opcode: Opcode.CLOSE })])),
  ],
];
const FLOODED = {
  code: CloseCode.TOO_MANY_FRAMES,
  reason: "More frames than a client needs. Connect again later.",
};

let server: TestApp;
const start = async (env: Record<string, string> = {}) => void (server = await createTestApp({ env }));
afterEach(() => server[Symbol.asyncDispose]());

/** Sends so many heartbeats at once and waits for the answers. False if the socket was closed instead. */
async function beats(socket: TestSocket, count: number): Promise<boolean> {
  for (let n = 1; n < count; n++) socket.ws.send('{"cmd":1,"data":{}}');
  const isClosed = socket.closed.then(() => false);
  return Promise.race([
    isClosed,
    socket.flush().then(
      () => true,
      () => false,
    ),
  ]);
}

describe("a socket that floods is cut off with a code and a sentence, and nothing of the flood is worked on", () => {
  test.each(FLOODS)("%s before the login", async (_name, flood) => {
    await start();
    const client = await RawClient.open(server.url);
    client.raw.write(flood);
    expect(await client.closed).toEqual(FLOODED);
    expect(client.replies).toBe(0);
  });

  test.each(FLOODS)("%s after the login", async (_name, flood) => {
    await start();
    const person = await registerPerson(server.url);
    const client = await RawClient.open(server.url);
    await client.logIn(person);
    client.raw.write(flood);
    expect(await client.closed).toEqual(FLOODED);
    expect(client.replies).toBe(0);
  });
});

test("frames of many bytes are too much as well", async () => {
  await start();
  const client = await RawClient.open(server.url);
  const large = text('{"cmd":1,"data":{}}'.padEnd(60_000));
  for (let n = 0; n < 4; n++) client.raw.write(large);
  expect(await client.closed).toEqual(FLOODED);
});

test("after a broken frame the server does not go on reading what comes", async () => {
  await start({ METRICS_TOKEN });
  const raw = connect(Number(new URL(server.url).port), "127.0.0.1");
  onTestFinished(() => void raw.destroy());
  raw.on("error", () => undefined);
  let received = Buffer.alloc(0);
  raw.on("data", (chunk: Buffer) => (received = Buffer.concat([received, chunk])));
  raw.write(HANDSHAKE);
  await eventually(() => expect(received.includes("101 Switching")).toBe(true));
  raw.write(text("nonsense"));
  const code = Buffer.alloc(2);
  code.writeUInt16BE(CloseCode.MALFORMED);
  await eventually(() => expect(received.includes(code)).toBe(true));
  // Until the server has ended the connection. It would read for half a minute, as fast as this writes.
  const block = Buffer.alloc(65_536, 1);
  while (!raw.destroyed) {
    if (raw.writableLength < block.length) raw.write(block);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await eventually(async () => {
    const metrics = await readMetrics(server.url, METRICS_TOKEN);
    expect(metrics.value("parley_sockets_flooding_total", { limit: "socket" })).toBe(1);
  });
});

test("the allowance of a person holds over their sockets and over reconnects, and touches nobody else", async () => {
  await start({ METRICS_TOKEN });
  const [person, neighbour] = [await registerPerson(server.url), await registerPerson(server.url)];
  const other = await neighbour.connect();
  let answered = 0;
  let isOpen = true;
  for (let n = 0; isOpen && n < 30; n++) {
    const socket = await person.connect();
    isOpen = await beats(socket, 80);
    if (isOpen) answered += 80;
    // Every second one goes and comes again, the others stay.
    if (n % 2 === 0) socket.close();
    else onTestFinished(() => socket.ws.terminate());
  }
  expect(isOpen).toBe(false);
  expect(answered).toBeGreaterThan(600);
  expect(answered).toBeLessThan(1_000);
  const metrics = await readMetrics(server.url, METRICS_TOKEN);
  expect(metrics.value("parley_sockets_flooding_total", { limit: "person" })).toBeGreaterThan(0);

  expect(await beats(other, 50)).toBe(true);
  server.clock.advance(60_000);
  const later = await person.connect();
  expect(await beats(later, 10)).toBe(true);
  for (const socket of [other, later]) socket.close();
});

test("the allowance of an address holds over its new sockets, and those that are logged in do not need it", async () => {
  await start({ RATE_LIMITS: "frames=1/s:10" });
  const member = await (await registerPerson(server.url)).connect();
  const until = async () => {
    for (let n = 1; n <= 500; n++) {
      const client = await RawClient.open(server.url);
      client.raw.write(many(PING, 2));
      const isClosed = client.closed.then(({ code }) => code);
      const answered = eventually(() => expect(client.replies).toBe(2)).then(() => 0);
      const code = await Promise.race([isClosed, answered]);
      client.raw.destroy();
      if (code > 0) return { code, n };
    }
    return undefined;
  };
  expect(await until()).toEqual({ code: CloseCode.TOO_MANY_FRAMES, n: 200 });
  expect(await beats(member, 3)).toBe(true);
  server.clock.advance(60_000);
  const person = await registerPerson(server.url);
  (await person.connect()).close();
  member.close();
});

test("requests for sockets are counted for each address, and told of once", async () => {
  await start({ RATE_LIMITS: "requests=20/s:100", METRICS_TOKEN });
  for (let n = 0; n < 5; n++) (await TestSocket.open(server.url)).close();
  for (let n = 0; n < 5; n++) await expect(TestSocket.open(server.url)).rejects.toThrow("429");
  const metrics = await readMetrics(server.url, METRICS_TOKEN);
  expect(metrics.value("parley_upgrades_refused_total")).toBe(5);
  expect(server.logs.filter((line) => line.includes('"upgrades"'))).toHaveLength(1);
  server.clock.advance(1_000);
  (await TestSocket.open(server.url)).close();
});

test("an address that floods new sockets again and again gets no more of them, and sockets that are open stay", async () => {
  await start({ RATE_LIMITS: "requests=200/s:2000" });
  const member = await (await registerPerson(server.url)).connect();
  let floods = 0;
  let refusal: unknown;
  while (refusal === undefined && floods < 20) {
    const client = await RawClient.open(server.url).catch((error: unknown) => void (refusal = error));
    if (client === undefined) break;
    client.raw.write(many(PING));
    expect(await client.closed).toEqual(FLOODED);
    floods++;
  }
  expect(String(refusal)).toContain("429");
  expect(floods).toBeLessThan(10);
  expect(await beats(member, 5)).toBe(true);
  server.clock.advance(1_000);
  (await TestSocket.open(server.url)).close();
  member.close();
});

test("a person who logs in again and again gets no more sockets", async () => {
  await start({ RATE_LIMITS: "requests=200/s:2000,frames=1/s:10" });
  const person = await registerPerson(server.url);
  let refusal: unknown;
  let cuts = 0;
  while (refusal === undefined && cuts < 30) {
    const client = await RawClient.open(server.url).catch((error: unknown) => void (refusal = error));
    if (client === undefined) break;
    const isCut = client.closed.then(({ code }) => code === CloseCode.TOO_MANY_FRAMES);
    if (await Promise.race([isCut, client.logIn(person).then(() => false)])) cuts++;
    client.raw.destroy();
  }
  expect(String(refusal)).toContain("429");
  expect(cuts).toBeLessThan(20);
});

test("many floods of an address are one line of the log in ten seconds", async () => {
  await start();
  const flood = async () => {
    const client = await RawClient.open(server.url);
    client.raw.write(many(PING));
    expect(await client.closed).toEqual(FLOODED);
  };
  for (let n = 0; n < 5; n++) await flood();
  server.clock.advance(10_000);
  await flood();
  const lines = server.logs.filter((line) => line.includes('"frames"'));
  expect(lines.map((line) => (JSON.parse(line) as { leftOut: number }).leftOut)).toEqual([0, 4]);
});

test("an honest client is left alone, also at ten times its rate and for a long time", async () => {
  await start();
  const person = await registerPerson(server.url);
  const sockets = await Promise.all([person.connect(), person.connect()]);
  for (let step = 0; step < 600; step++) {
    server.clock.advance(500);
    for (const socket of sockets) {
      if (step % 5 === 0) socket.ws.pong();
      expect(await beats(socket, 1)).toBe(true);
    }
  }
  for (const socket of sockets) socket.close();
});

test("a client that answers late sends what it has saved up, and is left alone", async () => {
  await start();
  const socket = await (await registerPerson(server.url)).connect();
  expect(await beats(socket, 60)).toBe(true);
  socket.close();
});
