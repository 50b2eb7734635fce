/** Server nodes on one PostgreSQL and one Redis, each of which can fail, and so can the network between them. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { type PostgresCluster, startCluster } from "@parley/server/testing/postgres-cluster";
import { type RedisServer, startRedis } from "@parley/server/testing/redis-server";
import { type ServerProcess, startServer } from "@parley/server/testing/server-process";
import { type Balancer, startBalancer } from "./balancer.ts";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";

/** A node, and its ways to the others. */
export interface GroupNode {
  process: ServerProcess;
  readonly toPostgres: FaultProxy;
  readonly toRedis: FaultProxy;
}

/** Running nodes. */
export interface NodeGroup {
  /** The address for clients. */
  readonly url: string;
  readonly nodes: readonly GroupNode[];
  readonly postgres: PostgresCluster;
  readonly redis: RedisServer;
  /** New connections go to this many of the nodes from now on; to all of them after the next replacement. */
  useNodes(count: number): void;
  /** Ends a node with this signal, and starts one of this version in its place. Clients are not warned. */
  replace(node: GroupNode, signal: "SIGTERM" | "SIGKILL"): Promise<void>;
  close(): Promise<void>;
}

/** How many nodes, and of which version. */
export interface NodeGroupOptions {
  /** An empty folder. */
  dataDir: string;
  count: number;
  /** The main.ts of the nodes until they are replaced. Default: that of this version. */
  script?: string | undefined;
}

/** Starts nodes without rate limits. */
export async function startNodeGroup({ dataDir, count, script }: NodeGroupOptions): Promise<NodeGroup> {
  const disposals: (() => Promise<void> | void)[] = [];
  const close = async () => {
    for (const dispose of disposals.toReversed()) await dispose();
  };
  try {
    const postgres = await startCluster();
    disposals.push(() => postgres.dispose());
    const redis = await startRedis();
    disposals.push(() => redis.stop());
    const secret = randomBytes(32).toString("hex");
    const nodes: GroupNode[] = [];
    const startNode = (index: number, { toPostgres, toRedis }: Omit<GroupNode, "process">, main?: string) => {
      const env = {
        DATA_DIR: join(dataDir, `node-${index}`),
        DATABASE_URL: throughProxy(postgres.url("postgres"), toPostgres),
        REDIS_URL: throughProxy(redis.url, toRedis),
        SECRET: secret,
        RATE_LIMITS: "off",
      };
      return startServer(env, main === undefined ? {} : { script: main });
    };
    for (let index = 0; index < count; index++) {
      const toPostgres = await startFaultProxy(postgres.url("postgres"));
      disposals.push(() => toPostgres.close());
      const toRedis = await startFaultProxy(redis.url);
      disposals.push(() => toRedis.close());
      const ways = { toPostgres, toRedis };
      const node: GroupNode = { process: await startNode(index, ways, script), ...ways };
      nodes.push(node);
      disposals.push(async () => {
        node.process.kill("SIGKILL");
        await node.process.exited;
      });
    }
    const balancer: Balancer = await startBalancer();
    disposals.push(() => balancer.close());
    const balance = (isUsed: (node: GroupNode) => boolean) =>
      balancer.setTargets(nodes.filter(isUsed).map(({ process }) => process.url));
    balance(() => true);
    return {
      url: balancer.url,
      nodes,
      postgres,
      redis,
      useNodes: (first) => balance((node) => nodes.indexOf(node) < first),
      async replace(node, signal) {
        node.process.kill(signal);
        const code = await node.process.exited;
        // Its port may belong to somebody else from now on.
        balance((other) => other !== node);
        if (signal === "SIGTERM" && code !== 0)
          throw new Error(`a node that was told to end ended with ${code}: ${node.process.output()}`);
        node.process = await startNode(nodes.indexOf(node), node);
        balance(() => true);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function throughProxy(url: string, proxy: FaultProxy): string {
  return Object.assign(new URL(url), { host: new URL(proxy.url).host }).href;
}
