/**
 * Faults K14 to K16 on real nodes: Redis, PostgreSQL, nodes or the network between them fail while people write to each other. Nothing is
 * lost, doubled or reordered, and in the end each device shows what a new one shows. While only Redis fails, nobody is disconnected. While
 * nodes are told to end one after the other, no message fails.
 */
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Prng, createPrng } from "@parley/core/testing/prng";
import { Terminal } from "@parley/protocol/codes";
import type { FaultProxy } from "./fault-proxy.ts";
import { type NodeGroup, startNodeGroup } from "./node-group.ts";
import {
  type PlantedFlaw,
  type Writer,
  compareWithFresh,
  findUnsent,
  findWronglyStored,
  startWriters,
  write,
} from "./node-writers.ts";
import type { PreviousVersion } from "./previous-version.ts";
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

/** Each node is told to end, and one of this version takes its place before the next one ends. */
export const ROLLING_RESTART: Record<string, NodeFault> = {
  async "a rolling restart"(group) {
    for (const node of group.nodes) await group.replace(node, "SIGTERM");
  },
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
  nodes: number;
  /** A multiple of 4. */
  clients: number;
  /** By which factor the clients' timers run faster. */
  timerSpeed: number;
  /** What people may notice: that they are disconnected, and that a message has to be sent again by hand. */
  mayHappen: readonly ("disconnects" | "failed sends")[];
  seed: number;
  /** The version that the nodes have until they are replaced, and half of the clients. Default: this one. */
  previous?: PreviousVersion;
  /** Planted faults. */
  flaws?: readonly PlantedFlaw[];
}

/** How many devices are compared after each fault. */
const COMPARED_MAX = 4;
/** All clients together write this often: fewer in all than a first pull returns, so that a new device shows all of it. */
const WRITE_EVERY_MS = 25;
/** So often during one fault at most: on a slow machine, where a node starts for a minute, more would wait than can be sent in time. */
const WRITES_MAX = 200;

/** Runs each fault in each round, in random order. */
export async function runNodeFaults(options: NodeFaultsOptions): Promise<Report> {
  const { dataDir, faults, rounds, nodes, clients, mayHappen, previous, seed } = options;
  const random = createPrng(seed);
  const violations: string[] = [];
  let written = 0;
  const failed = new Set<string>();
  const group = await startNodeGroup({ dataDir, count: nodes, script: previous?.script });
  const compareAfter = (name: string, writers: readonly Writer[]) =>
    compareWithFresh(writers, group.url, (what) => void violations.push(`after "${name}": ${what}`));
  try {
    // Servers of the version before may have flaws that this one has not, such as pulls that fail through another node.
    if (previous !== undefined) group.useNodes(1);
    const writers = await startWriters({ ...options, url: group.url, previous: previous?.devices });
    group.useNodes(nodes);
    for (let round = 0; round < rounds; round++) {
      for (const name of shuffled(Object.keys(faults), random)) {
        const sockets = writers.map(({ device }) => device.connections.length);
        const enough = written + WRITES_MAX;
        const load = setInterval(() => {
          if (written < enough) write(random.pick(writers), written++, random);
        }, WRITE_EVERY_MS);
        // A fault that fails ends the run, and the process only without the timer.
        await faults[name]?.(group, random).finally(() => clearInterval(load));
        const unsent = () => findUnsent(writers, (tmpId) => void failed.add(tmpId));
        await waitUntil(`everything that was written is sent after "${name}"`, unsent).catch(
          (error: Error) => void violations.push(error.message),
        );
        // Some of them, because each needs a new device.
        await compareAfter(name, shuffled(writers, random).slice(0, COMPARED_MAX));
        const lost = writers.filter(
          ({ device }, index) => device.connections.length !== sockets[index],
        ).length;
        if (!mayHappen.includes("disconnects") && lost > 0)
          violations.push(`${lost} clients were disconnected by "${name}"`);
      }
    }
    await compareAfter("all faults", writers);
    const isInOrder = !mayHappen.includes("failed sends");
    if (isInOrder && failed.size > 0) violations.push(`${failed.size} messages had to be sent again by hand`);
    violations.push(
      ...findWronglyStored(writers, written, { isInOrder }),
      ...(await findWrongPresence(writers)),
    );
    for (const { device, kit } of writers) {
      violations.push(...kit.findUnfinishedPulls(device));
      device.stop();
    }
  } catch (error) {
    violations.push(error instanceof Error ? error.message : String(error));
  } finally {
    previous?.devices.stopAllDevices();
    await group.close();
  }
  const from = previous === undefined ? "" : `, from ${previous.name}`;
  const what = Object.keys(faults);
  return {
    name: `${options.name} (seed ${seed})`,
    done: `${rounds} times ${what.length === 1 ? what[0] : `${what.length} faults`} of ${nodes} nodes${from}, ${clients} clients, ${written} messages`,
    violations,
  };
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
