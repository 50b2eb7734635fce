/**
 * Faults K14 to K16 on real nodes: Redis, PostgreSQL, nodes or the network between them fail while people write to each other. Nothing is
 * lost, doubled or reordered, and in the end each device shows what a new one shows. While only Redis fails, nobody is disconnected.
 */
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { ChatKey } from "@parley/core/model/state";
import { firstDifference } from "@parley/core/testing/first-difference";
import { type Prng, createPrng } from "@parley/core/testing/prng";
import { Terminal } from "@parley/protocol/codes";
import { type TestPerson, befriend, makeGroup, registerPerson } from "@parley/server/testing/test-person";
import {
  type ClientDevice,
  findUnfinishedPulls,
  startDevice,
  visibleStateOf,
  waitUntilIdle,
} from "./client-device.ts";
import type { FaultProxy } from "./fault-proxy.ts";
import { type NodeGroup, startNodeGroup } from "./node-group.ts";
import type { Report } from "./report.ts";
import { waitUntil } from "./wait-until.ts";

/** A fault, from its beginning until it is mended. */
type NodeFault = (group: NodeGroup, random: Prng) => Promise<void>;

/** Long enough for several writes of each client. */
const FAULT_MS = 2_000;

/** Faults in which no client may be disconnected. */
export const REDIS_FAULTS: Record<string, NodeFault> = {
  async "Redis restarts"({ redis }) {
    await redis.stop();
    await redis.start();
  },
  async "Redis is away"({ redis }) {
    await redis.stop();
    await sleep(FAULT_MS);
    await redis.start();
  },
  async "Redis hangs"({ redis }) {
    redis.pause();
    await sleep(FAULT_MS);
    redis.resume();
  },
  async "Redis was emptied"({ redis }) {
    await emptyRedis(redis.url);
  },
  "a node is cut off from Redis": ({ nodes }, random) => cut(random.pick(nodes).toRedis),
  "the way to Redis stalls": ({ nodes }, random) => stall(random.pick(nodes).toRedis),
};

/** Faults after which clients connect again. */
export const NODE_FAULTS: Record<string, NodeFault> = {
  "a node is killed": (group, random) => group.replace(random.pick(group.nodes), "SIGKILL"),
  "a node is told to end": (group, random) => group.replace(random.pick(group.nodes), "SIGTERM"),
  async "PostgreSQL restarts"({ postgres }) {
    await postgres.stop("fast");
    await postgres.start();
  },
  async "PostgreSQL crashes"({ postgres }) {
    await postgres.stop("immediate");
    await sleep(FAULT_MS);
    await postgres.start();
  },
  "a node is cut off from PostgreSQL": ({ nodes }, random) => cut(random.pick(nodes).toPostgres),
  "the way to PostgreSQL stalls": ({ nodes }, random) => stall(random.pick(nodes).toPostgres),
};

async function emptyRedis(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write("FLUSHALL\r\n");
  await once(socket, "data");
  socket.destroy();
}

async function cut(proxy: FaultProxy): Promise<void> {
  proxy.rejectConnections(true);
  proxy.resetConnections();
  await sleep(FAULT_MS);
  proxy.rejectConnections(false);
}

async function stall(proxy: FaultProxy): Promise<void> {
  proxy.stall(true);
  await sleep(FAULT_MS);
  proxy.stall(false);
}

/** Which faults, how often, and among how many people. */
export interface NodeFaultsOptions {
  /** An empty folder. */
  dataDir: string;
  name: string;
  faults: Readonly<Record<string, NodeFault>>;
  rounds: number;
  /** A multiple of 4. */
  clients: number;
  /** By which factor the clients' timers run faster. */
  timerSpeed: number;
  /** Whether the clients must keep their connections. */
  keepsConnections: boolean;
  seed: number;
  /** A planted fault: a device does not get every tenth frame with a message. */
  losesFrames?: boolean;
}

/** How many devices are compared after each fault. */
const COMPARED_MAX = 4;
/** All clients together write this often: fewer in all than a first pull returns, so that a new device shows all of it. */
const WRITE_EVERY_MS = 25;

/** Runs each fault in each round, in random order. */
export async function runNodeFaults(options: NodeFaultsOptions): Promise<Report> {
  const { dataDir, faults, rounds, keepsConnections, seed } = options;
  const random = createPrng(seed);
  const violations: string[] = [];
  const written: string[] = [];
  const group = await startNodeGroup(dataDir, 2);
  const compareAfter = (name: string, writers: readonly Writer[]) =>
    compare(writers, group.balancer.url, (what) => void violations.push(`after "${name}": ${what}`));
  try {
    const writers = await startWriters(group, options);
    for (let round = 0; round < rounds; round++) {
      for (const name of shuffled(Object.keys(faults), random)) {
        const sockets = writers.map(({ device }) => device.connections.length);
        const load = setInterval(
          () => written.push(write(random.pick(writers), written.length, random)),
          WRITE_EVERY_MS,
        );
        await faults[name]?.(group, random);
        clearInterval(load);
        await waitUntil(`everything that was written is sent after "${name}"`, () => unsentOf(writers)).catch(
          (error: Error) => void violations.push(error.message),
        );
        // Some of them, because each needs a new device.
        await compareAfter(name, shuffled(writers, random).slice(0, COMPARED_MAX));
        const lost = writers.filter(
          ({ device }, index) => device.connections.length !== sockets[index],
        ).length;
        if (keepsConnections && lost > 0) violations.push(`${lost} clients were disconnected by "${name}"`);
      }
    }
    await compareAfter("all faults", writers);
    violations.push(...findWronglyStored(writers, written), ...(await findWrongPresence(writers)));
    for (const { device } of writers) {
      violations.push(...findUnfinishedPulls(device));
      device.stop();
    }
  } catch (error) {
    violations.push(error instanceof Error ? error.message : String(error));
  } finally {
    await group.close();
  }
  return {
    name: `${options.name} (seed ${seed})`,
    done: `${rounds} times ${Object.keys(faults).length} faults of 2 nodes, ${options.clients} clients, ${written.length} messages`,
    violations,
  };
}

interface Writer {
  device: ClientDevice;
  friend: TestPerson;
  chats: readonly ChatKey[];
}

/** Groups of four people: two pairs of friends. */
async function startWriters(
  { balancer: { url } }: NodeGroup,
  { clients, timerSpeed, losesFrames }: NodeFaultsOptions,
): Promise<Writer[]> {
  const writers: Writer[] = [];
  while (writers.length < clients) {
    const people = await Promise.all(Array.from({ length: 4 }, () => registerPerson(url)));
    const [ann, bob, cat, dan] = people as [TestPerson, TestPerson, TestPerson, TestPerson];
    for (const friend of [bob, cat, dan]) await befriend(ann, friend);
    await befriend(cat, dan);
    const groupId = await makeGroup(ann, [bob, cat, dan]);
    for (const [person, friend] of [
      [ann, bob],
      [bob, ann],
      [cat, dan],
      [dan, cat],
    ] as const) {
      const isLosing = losesFrames === true && writers.length === 0;
      const device = await startDevice(person, {
        name: `node ${person.userName}`,
        timerSpeed,
        ...(isLosing && { wrapSockets: loseFrames }),
      });
      writers.push({ device, friend, chats: [`PRIVATE:${friend.id}`, `GROUP:${groupId}`] });
    }
  }
  for (const { device } of writers) await waitUntilIdle(device);
  return writers;
}

const LOSES_EVERY = 10;

const loseFrames: NonNullable<Parameters<typeof startDevice>[1]["wrapSockets"]> = (sockets) => ({
  open(url, handlers) {
    let count = 0;
    const received = (text: string) => {
      if (!text.includes('"tmpId"') || ++count % LOSES_EVERY > 0) handlers.received(text);
    };
    return sockets.open(url, { ...handlers, received });
  },
});

const RECALL_SHARE = 0.05;
const EDIT_SHARE = 0.1;

/** Writes a text in one of the chats and returns it; sometimes changes an older one as well. */
function write({ device: { client }, chats }: Writer, number: number, random: Prng): string {
  const key = random.pick(chats);
  const text = `text ${number}`;
  const own = (client.getState().chats.byKey[key]?.window.messages ?? []).filter(
    ({ id, selfSend, content }) => id !== null && selfSend && content.startsWith("text "),
  );
  const id = own.length > 0 ? random.pick(own).id : null;
  // Whether a change succeeds depends on the fault. What counts is that all devices show the same afterwards.
  if (id !== null && random.isTrueWithProbability(RECALL_SHARE)) void client.chats.recall(key, id);
  else if (id !== null && random.isTrueWithProbability(EDIT_SHARE))
    void client.chats.editText(key, id, `edit ${number}`);
  const newest = own.at(-1)?.id ?? null;
  if (newest !== null) client.chats.markReadUpTo(key, newest);
  client.chats.sendText(key, text);
  return text;
}

/** How many messages wait. Those that have failed, as while PostgreSQL was away, are sent again, as people do it. */
function unsentOf(writers: readonly Writer[]): string | undefined {
  let count = 0;
  for (const { device, chats } of writers) {
    for (const key of chats) {
      for (const { id, sending, tmpId } of device.client.getState().chats.byKey[key]?.window.messages ?? []) {
        if (id !== null) continue;
        count++;
        if (sending === "failed" && tmpId !== null) device.client.chats.resend(key, tmpId);
      }
    }
  }
  return count === 0 ? undefined : `${count} messages are not sent`;
}

/** Checks that each device shows the same as a new one of its person. */
async function compare(
  writers: readonly Writer[],
  url: string,
  addViolation: (what: string) => void,
): Promise<void> {
  for (const { device } of writers) {
    const name = `fresh ${freshCount++} ${device.person.userName}`;
    const fresh = await startDevice(device.person, { name, url });
    try {
      await waitUntilIdle(device);
      await waitUntilIdle(fresh);
      await waitUntil(
        "a new device and the old one show the same",
        () => firstDifference(visibleStateOf(fresh), visibleStateOf(device)),
        CATCH_UP_MAX_MS,
      );
    } catch (error) {
      addViolation(`${device.person.userName}: ${error instanceof Error ? error.message : String(error)}`);
    }
    fresh.stop();
  }
}

let freshCount = 0;
/** Generous: the sweep needs 2 s and what it finds must be loaded. */
const CATCH_UP_MAX_MS = 10_000;

/** Every text is in the chat of its writer exactly once, as it was written, edited or recalled, and in the order of writing. */
function findWronglyStored(writers: readonly Writer[], written: readonly string[]): string[] {
  const problems: string[] = [];
  let stored = 0;
  for (const { device, chats } of writers) {
    for (const key of chats) {
      const own = (device.client.getState().chats.byKey[key]?.window.messages ?? []).filter(
        ({ selfSend, tmpId }) => selfSend && tmpId !== null,
      );
      stored += own.length;
      const numbers = own.flatMap(({ content }) => /^text (\d+)$/.exec(content)?.[1] ?? []).map(Number);
      if (new Set(numbers).size !== numbers.length) problems.push(`${key} shows a text twice`);
    }
  }
  if (stored !== written.length) problems.push(`${stored} messages of ${written.length} are stored`);
  return problems;
}

/** All are online once. */
async function findWrongPresence(writers: readonly Writer[]): Promise<string[]> {
  const problems: string[] = [];
  for (const { device, friend } of writers) {
    await waitUntil(
      "a friend is shown as online",
      async () => {
        const [presence] = await device.person.ok("findOnlineTerminals", { query: { userIds: [friend.id] } });
        const terminals = presence?.terminals.join() ?? "";
        return terminals === String(Terminal.WEB) ? undefined : `the terminals are "${terminals}"`;
      },
      PRESENCE_MAX_MS,
    ).catch((error: Error) => void problems.push(error.message));
  }
  return problems;
}

const PRESENCE_MAX_MS = 60_000;

function shuffled<T>(items: readonly T[], random: Prng): T[] {
  return items
    .map((item) => ({ item, rank: random.next() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}
