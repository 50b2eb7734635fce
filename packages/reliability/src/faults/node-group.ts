/** Server nodes on one PostgreSQL and one Redis, each of which can fail, and so can the network between them. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { type PostgresCluster, startCluster } from "@parley/server/testing/postgres-cluster";
import { type RedisServer, startRedis } from "@parley/server/testing/redis-server";
import { type ServerProcess, startServer } from "@parley/server/testing/server-process";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";

/** A node, and its ways to the others. */
export interface GroupNode {
  process: ServerProcess;
  readonly toPostgres: FaultProxy;
  readonly toRedis: FaultProxy;
}

/** Running nodes. */
export interface NodeGroup {
  /** The address for clients. Their connections go to the nodes that run, in turn. */
  readonly balancer: FaultProxy;
  readonly nodes: readonly GroupNode[];
  readonly postgres: PostgresCluster;
  readonly redis: RedisServer;
  /** Ends a node with this signal, and starts another one in its place. Clients are not led to it meanwhile. */
  replace(node: GroupNode, signal: "SIGTERM" | "SIGKILL"): Promise<void>;
  close(): Promise<void>;
}

/** Starts nodes without rate limits. `dataDir` is an empty folder. */
export async function startNodeGroup(dataDir: string, count: number): Promise<NodeGroup> {
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
    const startNode = (index: number, toPostgres: FaultProxy, toRedis: FaultProxy) =>
      startServer({
        DATA_DIR: join(dataDir, `node-${index}`),
        DATABASE_URL: throughProxy(postgres.url("postgres"), toPostgres),
        REDIS_URL: throughProxy(redis.url, toRedis),
        SECRET: secret,
        RATE_LIMITS: "off",
      });
    for (let index = 0; index < count; index++) {
      const toPostgres = await startFaultProxy(postgres.url("postgres"));
      disposals.push(() => toPostgres.close());
      const toRedis = await startFaultProxy(redis.url);
      disposals.push(() => toRedis.close());
      const node: GroupNode = { process: await startNode(index, toPostgres, toRedis), toPostgres, toRedis };
      nodes.push(node);
      disposals.push(async () => {
        node.process.kill("SIGKILL");
        await node.process.exited;
      });
    }
    const balancer = await startFaultProxy(nodes[0]?.process.url ?? "");
    disposals.push(() => balancer.close());
    const balance = (isUsed: (node: GroupNode) => boolean) =>
      balancer.setTarget(...nodes.filter(isUsed).map(({ process }) => process.url));
    balance(() => true);
    return {
      balancer,
      nodes,
      postgres,
      redis,
      async replace(node, signal) {
        balance((other) => other !== node);
        node.process.kill(signal);
        const code = await node.process.exited;
        if (signal === "SIGTERM" && code !== 0)
          throw new Error(`a node that was told to end ended with ${code}: ${node.process.output()}`);
        node.process = await startNode(nodes.indexOf(node), node.toPostgres, node.toRedis);
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
