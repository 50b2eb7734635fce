/** Starts several nodes in this process that share a PostgreSQL database, a bus and presence. */
import { decodeBusMessages, encodeBusMessage } from "../adapters/bus/bus-message.ts";
import { type MemoryBus, createMemoryBus } from "../adapters/bus/memory-bus.ts";
import { createMemoryPresence } from "../adapters/presence/memory-presence.ts";
import type { Bus, PublishedEvent } from "../ports/bus.ts";
import { type TestApp, type TestAppOptions, createTestApp } from "./test-app.ts";
import { type TestDatabase, createTestDatabase } from "./test-postgres.ts";

/** Running nodes. */
export interface TestCluster {
  readonly a: TestApp;
  readonly b: TestApp;
  /** Starts another node, which the caller stops. */
  startNode(): Promise<TestApp>;
  /** Decides which events of other nodes are lost; by default none. The nodes always hear their own. */
  isLost(event: PublishedEvent): boolean;
  /** From now on events of other nodes wait, until the returned function is called. */
  delayBus(): () => void;
  /** Tells both nodes that events may have been lost. */
  interrupt(): void;
  /** Runs a statement in their database. */
  query: TestDatabase["query"];
  [Symbol.asyncDispose](): Promise<void>;
}

/** The configuration of both nodes, and what differs at the second. */
export interface TestClusterOptions extends TestAppOptions {
  envOfB?: Record<string, string>;
}

/** Starts two nodes. */
export async function createTestCluster({
  env = {},
  envOfB = {},
  ...options
}: TestClusterOptions = {}): Promise<TestCluster> {
  const database = await createTestDatabase();
  const presence = createMemoryPresence();
  const nodes = new Set<MemoryBus>();
  const isLost = (event: PublishedEvent) => cluster.isLost(event);
  /** What waits for a bus that is delayed; undefined while it is not. */
  let waiting: (() => void)[] | undefined;
  const carry = (deliver: () => void) => {
    if (waiting === undefined) deliver();
    else waiting.push(deliver);
  };

  const start = (ownEnv: Record<string, string>) =>
    createTestApp({
      env: { RATE_LIMITS: "off", SECRET: "s".repeat(32), ...env, ...ownEnv, DATABASE_URL: database.url },
      ...options,
      shared: { bus: joinBus(nodes, isLost, carry), presence: { ...presence, close: async () => undefined } },
    });
  const a = await start({});
  const b = await start(envOfB);
  const cluster: TestCluster = {
    a,
    b,
    startNode: () => start({}),
    isLost: () => false,
    delayBus() {
      waiting = [];
      return () => {
        const late = waiting ?? [];
        waiting = undefined;
        for (const deliver of late) deliver();
      };
    },
    interrupt() {
      for (const node of nodes) node.publish({ kind: "interrupted", gapMs: 1 });
    },
    query: database.query,
    async [Symbol.asyncDispose]() {
      await a[Symbol.asyncDispose]();
      await b[Symbol.asyncDispose]();
      await database.drop();
    },
  };
  return cluster;
}

/** The bus of one node: others get its events written and read as over Redis, when `carry` delivers them. */
function joinBus(
  nodes: Set<MemoryBus>,
  isLost: (event: PublishedEvent) => boolean,
  carry: (deliver: () => void) => void,
): Bus {
  const own = createMemoryBus((error) => {
    throw error;
  });
  nodes.add(own);
  return {
    publish(event) {
      own.publish(event);
      for (const node of nodes) {
        if (node === own || isLost(event)) continue;
        carry(() => {
          for (const received of decodeBusMessages(encodeBusMessage(event)).messages) node.publish(received);
        });
      }
    },
    subscribe: own.subscribe,
    async close() {
      nodes.delete(own);
      await own.close();
    },
  };
}
