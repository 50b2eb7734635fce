import { randomBytes } from "node:crypto";
import { createClient } from "redis";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Bus, BusEvent, PublishedEvent } from "../../ports/bus.ts";
import { busContract } from "../../testing/contracts/bus-contract.ts";
import { eventually } from "../../testing/eventually.ts";
import { REDIS, type RedisServer, isRedisMissing, startRedis } from "../../testing/redis-server.ts";
import { createRedisConnection } from "../redis/redis-connection.ts";
import { type RedisBusOptions, createRedisBus } from "./redis-bus.ts";

/** A node with a bus, and what it has heard. */
async function startNode(
  url: string,
  channel: string,
  options: Pick<RedisBusOptions, "waitingMax" | "awayMs" | "metrics"> = {},
) {
  const logs: string[] = [];
  const log = {
    info: (_data: object, text: string) => void logs.push(text),
    warn: (data: object, text: string) => void logs.push(`${text}: ${JSON.stringify(data)}`),
  };
  const errors: unknown[] = [];
  const connection = createRedisConnection({ url, log, pingMs: 200 });
  const bus = createRedisBus({
    connection,
    channel,
    onError: (error) => errors.push(error),
    ...options,
  });
  const heard: BusEvent[] = [];
  bus.subscribe((event) => heard.push(event));
  await connection.start();
  const stop = async () => {
    await bus.close();
    await connection.close();
  };
  onTestFinished(stop);
  return { bus, heard, errors, logs, stop, connection };
}

const stale = (userId: number): PublishedEvent => ({ kind: "stale", userIds: [userId] });
const INTERRUPTED: BusEvent = { kind: "interrupted", gapMs: expect.any(Number) };
const newChannel = () => `test:${randomBytes(6).toString("hex")}`;

describe.skipIf(isRedisMissing)(`bus of ${REDIS}`, () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  describe("contract, at the node that publishes", () => {
    busContract(async () => {
      const { bus, errors } = await startNode(redis.url, newChannel());
      return { bus, errors, delivered: async () => undefined };
    });
  });

  describe("contract, at another node", () => {
    busContract(async () => {
      const channel = newChannel();
      const [publisher, listener] = [
        await startNode(redis.url, channel),
        await startNode(redis.url, channel),
      ];
      /** Shows that what was published before it has arrived. The suite must not see it. */
      const isMark = (event: BusEvent) => event.kind === "webPushSubscribed";
      let marks = 0;
      let isClosed = false;
      const bus: Bus = {
        publish: (event) => publisher.bus.publish(event),
        subscribe: (hear) => listener.bus.subscribe((event) => void (isMark(event) || hear(event))),
        async close() {
          isClosed = true;
          await publisher.bus.close();
        },
      };
      return {
        bus,
        errors: listener.errors,
        async delivered() {
          // The second time for what listeners publish in answer to the first events.
          for (let round = 0; round < 2 && !isClosed; round++) {
            const mark: PublishedEvent = { kind: "webPushSubscribed", userId: ++marks };
            publisher.bus.publish(mark);
            await eventually(() => expect(listener.heard).toContainEqual(mark));
          }
        },
      };
    });
  });

  test("events of one node arrive at another completely and in order, and once at the node itself", async () => {
    const channel = newChannel();
    const [a, b] = [await startNode(redis.url, channel), await startNode(redis.url, channel)];
    const client = { userId: 1, clientId: "c", sessionId: "s" };
    const events: PublishedEvent[] = [
      {
        kind: "push",
        audience: { userIds: [1, 2], except: client, capability: "changes" },
        frame: '{"a":"\\n\n"}',
      },
      {
        kind: "push",
        audience: { userIds: [1], only: { ...client, clientId: null }, sockets: ["n:1"] },
        frame: "",
      },
      { kind: "endSessions", userId: 1, sessionIds: ["s"], reason: "banned", allBut: null },
      {
        kind: "kick",
        userId: 1,
        terminal: 2,
        deviceNo: "d",
        sessionId: "s",
        exceptSocketId: "x",
        loginOrder: 6,
      },
      { kind: "staleGroup", groupId: 4 },
      { kind: "webPushSubscribed", userId: 1 },
      ...Array.from({ length: 2_000 }, (_, n) => stale(n)),
    ];
    for (const event of events) a.bus.publish(event);
    expect(a.heard).toEqual(events);
    await eventually(() => expect(b.heard.length).toBeGreaterThanOrEqual(events.length));
    expect(b.heard).toEqual(events);
    // What a node has published would come back to it before what another node publishes now.
    b.bus.publish(stale(-1));
    await eventually(() => expect(a.heard.at(-1)).toEqual(stale(-1)));
    expect(a.heard).toHaveLength(events.length + 1);
  });

  test("nodes of another installation on the same Redis hear nothing", async () => {
    const channel = newChannel();
    const [a, b, other] = [
      await startNode(redis.url, channel),
      await startNode(redis.url, channel),
      await startNode(`${redis.url}/1`, newChannel()),
    ];
    a.bus.publish(stale(1));
    await eventually(() => expect(b.heard).toEqual([stale(1)]));
    expect(other.heard).toEqual([]);
  });

  test("what is no event is logged without its text and ignored", async () => {
    const channel = newChannel();
    const a = await startNode(redis.url, channel);
    const client = createClient({ url: redis.url });
    await client.connect();
    onTestFinished(() => client.destroy());
    const kinds = ["", "x", "x {", "x 9:secret", "x -1:secret"];
    for (const text of kinds) await client.publish(channel, text);
    const texts = [
      "{",
      '{"kind":"secret"}',
      '{"kind":"stale","userIds":["secret"]}',
      "[]\nsecret",
      '{"kind":"stale","userIds":[1],"later":"field"}',
    ];
    await client.publish(channel, `x ${texts.map((text) => `${text.length}:${text}`).join("")}`);
    await eventually(() => expect(a.heard).toEqual([stale(1)]));
    expect(a.logs).toEqual(['an event of another node cannot be read: {"reason":"no lengths"}']);
  });

  test("after a restart of Redis, all nodes hear that they missed something, and then new events", async () => {
    const own = await startRedis();
    onTestFinished(() => own.stop());
    const channel = newChannel();
    const [a, b] = [await startNode(own.url, channel), await startNode(own.url, channel)];
    await own.stop();
    await eventually(() => expect(a.connection.client ?? b.connection.client).toBeUndefined());
    a.bus.publish(stale(1));
    expect(a.heard).toEqual([stale(1)]);
    await own.start();
    await eventually(() => {
      expect(a.heard).toContainEqual(INTERRUPTED);
      expect(b.heard).toContainEqual(INTERRUPTED);
    });
    await eventually(() => expect(a.connection.client && b.connection.client).toBeDefined());
    a.bus.publish(stale(2));
    await eventually(() => expect(b.heard.at(-1)).toEqual(stale(2)));
    expect(b.heard).not.toContainEqual(stale(1));
    expect(a.logs.map((line) => line.split(":")[0])).toEqual(["Redis is away", "Redis is back"]);
  });

  test("if only one node loses its connection, the others hear as well that they missed something", async () => {
    const channel = newChannel();
    const [a, b] = [await startNode(redis.url, channel), await startNode(redis.url, channel)];
    const id = await a.connection.client?.clientId();
    await b.connection.client?.sendCommand(["CLIENT", "KILL", "ID", String(id)]);
    await eventually(() => expect([a.heard, b.heard]).toEqual([[INTERRUPTED], [INTERRUPTED]]));
  });

  test("if Redis cuts a subscription that is read too slowly, the node hears that it missed something", async () => {
    const own = await startRedis();
    onTestFinished(() => own.stop());
    const channel = newChannel();
    const [a, b] = [await startNode(own.url, channel), await startNode(own.url, channel)];
    await a.connection.client?.configSet("client-output-buffer-limit", "pubsub 100kb 0 0");
    const frame = "x".repeat(1_048_576);
    // More than the buffers of the two kernels hold, while this turn reads nothing.
    for (let n = 0; n < 24; n++) a.bus.publish({ kind: "push", audience: { userIds: [n] }, frame });
    await eventually(() => expect(b.heard).toContainEqual(INTERRUPTED));
    await eventually(() => expect(a.connection.client && b.connection.client).toBeDefined());
    await eventually(() => {
      a.bus.publish(stale(1));
      expect(b.heard.at(-1)).toEqual(stale(1));
    });
  });

  test("a node that starts without Redis hears its own events, and is told when Redis has come", async () => {
    const own = await startRedis();
    onTestFinished(() => own.stop());
    await own.stop();
    const a = await startNode(own.url, newChannel());
    a.bus.publish(stale(1));
    expect(a.heard).toEqual([stale(1)]);
    await own.start();
    await eventually(() => expect(a.heard).toEqual([stale(1), INTERRUPTED]));
  });

  test("while Redis is away, listeners hear again and again that they miss something", async () => {
    const own = await startRedis();
    onTestFinished(() => own.stop());
    const a = await startNode(own.url, newChannel(), { awayMs: 20 });
    await own.stop();
    await eventually(() => expect(a.heard.length).toBeGreaterThanOrEqual(3));
    expect(a.heard.every(({ kind }) => kind === "interrupted")).toBe(true);
  });

  test("what waits for Redis is counted until Redis has taken it", async () => {
    const began: number[] = [];
    const waiting: number[] = [];
    const metrics = {
      clock: () => 7,
      busSent: (time: number) => void began.push(time),
      busWaiting: (characters: number) => void waiting.push(characters),
    };
    const a = await startNode(redis.url, newChannel(), { metrics });
    a.bus.publish({ kind: "push", audience: { userIds: [1] }, frame: "x".repeat(1_000) });
    await eventually(() => expect(began).toEqual([7]));
    expect(waiting).toEqual([expect.any(Number), 0]);
    expect(waiting[0]).toBeGreaterThan(1_000);
  });

  test("while Redis hangs, publishing does not wait, and what is too much is dropped and told", async () => {
    const own = await startRedis();
    onTestFinished(() => own.stop());
    const channel = newChannel();
    const [a, b] = [
      await startNode(own.url, channel, { waitingMax: 50_000_000 }),
      await startNode(own.url, channel),
    ];
    own.pause();
    onTestFinished(() => own.resume());
    const frame = "x".repeat(1_000_000);
    for (let n = 0; n < 80; n++) a.bus.publish({ kind: "push", audience: { userIds: [n] }, frame });
    expect(a.heard).toHaveLength(80);
    own.resume();
    await eventually(() => expect(b.heard).toContainEqual(INTERRUPTED));
    const order = b.heard.flatMap((event) => (event.kind === "push" ? event.audience.userIds : []));
    expect(order).toEqual(order.toSorted((x, y) => x - y));
    expect(order.length).toBeLessThan(80);
    await eventually(() => {
      a.bus.publish(stale(1));
      expect(b.heard.at(-1)).toEqual(stale(1));
    });
  });

  test("a Redis that hangs is given up, and the node comes back when it answers again", async () => {
    const own = await startRedis();
    onTestFinished(() => own.stop());
    const a = await startNode(own.url, newChannel());
    own.pause();
    onTestFinished(() => own.resume());
    await eventually(() => expect(a.connection.client).toBeUndefined());
    own.resume();
    await eventually(() => expect(a.heard).toContainEqual(INTERRUPTED));
  });

  test("a Redis that refuses events counts as away, and what others missed is told when it takes them again", async () => {
    const own = await startRedis();
    onTestFinished(() => own.stop());
    const channel = newChannel();
    const [a, b] = [await startNode(own.url, channel), await startNode(own.url, channel)];
    const admin = await createClient({ url: own.url }).connect();
    onTestFinished(() => admin.destroy());
    await admin.aclSetUser("default", "-publish");
    a.bus.publish(stale(1));
    await eventually(() =>
      expect(a.logs).toEqual([expect.stringMatching(/^Redis is away: .*NOPERM.*publish/)]),
    );
    expect(a.connection.client).toBeUndefined();
    expect(b.heard).toEqual([]);
    await admin.aclSetUser("default", "+publish");
    await eventually(() => expect(b.heard).toEqual([INTERRUPTED]));
    a.bus.publish(stale(2));
    await eventually(() => expect(b.heard).toEqual([INTERRUPTED, stale(2)]));
  });

  test("a Redis that has become a replica is given up, and used again when it is the primary", async () => {
    const [primary, own] = [await startRedis(), await startRedis()];
    for (const each of [primary, own]) onTestFinished(() => each.stop());
    const a = await startNode(own.url, newChannel());
    const admin = await createClient({ url: own.url }).connect();
    onTestFinished(() => admin.destroy());
    // Connections stay when this happens.
    await admin.sendCommand(["REPLICAOF", "127.0.0.1", new URL(primary.url).port]);
    await eventually(() =>
      expect(a.logs).toEqual(['Redis is away: {"reason":"it is a replica, which takes no writes"}']),
    );
    await admin.sendCommand(["REPLICAOF", "NO", "ONE"]);
    await eventually(() => expect(a.heard).toContainEqual(INTERRUPTED));
    expect(a.logs[1]).toMatch(/^Redis is back/);
  });

  test("a wrong password is logged without it, and does not stop the node", async () => {
    const own = await startRedis({ password: "open-sesame" });
    onTestFinished(() => own.stop());
    const wrong = await startNode(own.url.replace("open-sesame", "wrong-sesame"), newChannel());
    expect(wrong.logs).toEqual([expect.stringContaining("WRONGPASS")]);
    expect(wrong.logs.join()).not.toContain("sesame");
    const channel = newChannel();
    const [a, b] = [await startNode(own.url, channel), await startNode(own.url, channel)];
    a.bus.publish(stale(1));
    await eventually(() => expect(b.heard).toEqual([stale(1)]));
  });

  test("what was published before a node closes reaches the others", async () => {
    const channel = newChannel();
    const [a, b] = [await startNode(redis.url, channel), await startNode(redis.url, channel)];
    for (let n = 0; n < 100; n++) a.bus.publish(stale(n));
    await a.stop();
    await eventually(() => expect(b.heard).toHaveLength(100));
  });
});
