import { randomBytes } from "node:crypto";
import pg from "pg";
import { startCluster } from "@parley/server/testing/postgres-cluster";
import { startRedis } from "@parley/server/testing/redis-server";
import { runSql } from "@parley/server/testing/run-sql";
import type { Benchmark, BenchmarkContext, ResultRow } from "../benchmark.ts";
import { inParallel, createPerson } from "../benchmark-person.ts";
import { createFriendPairs } from "../friend-pairs.ts";
import type { FriendPair } from "../load/private-load.ts";
import { median, medianRatio, percentile } from "../median.ts";
import { type ServerProcess, startProduct } from "../process/server-process.ts";
import { alternate, describeRounds } from "./alternate.ts";
import { cpuOf, setUpProduct, startLoadGenerator, subfolder, withProfile } from "./setup.ts";
import type { LoadGenerator } from "../process/load-generator-process.ts";

const PAIRS = 64;
const WARM_UP_MESSAGES = 10_000;
const SATURATED = { rounds: 7, messages: 8_000 };
const COMMITS = 1_500;
/** As long as what a server does once a minute, after what follows the logins. */
const IDLE = { sockets: 5_000, settleSeconds: 15, seconds: 60 };
const MICROSECONDS = 1_000_000;

/** PostgreSQL instead of SQLite, two nodes instead of one, and what looking for lost pushes costs. */
export const nodes: Benchmark = {
  name: "nodes",
  async measure(context): Promise<ResultRow[]> {
    // As it is installed: `fsync` is on.
    const postgres = await startCluster({ shared_buffers: "128MB" });
    context.onEnd(() => postgres.dispose());
    const redis = await startRedis();
    context.onEnd(() => redis.stop());
    const startNode = async (name: string, environment: Record<string, string>) => {
      const node = await startProduct(subfolder(context, name), environment);
      context.onEnd(() => node.stop());
      return node;
    };
    const loadGenerator = startLoadGenerator(context);
    const url = postgres.url("postgres");
    const alone = await startNode("alone", { DATABASE_URL: url });
    await runSql(url, "create database shared");
    const secret = randomBytes(32).toString("hex");
    const shared = { DATABASE_URL: postgres.url("shared"), REDIS_URL: redis.url, SECRET: secret };
    const first = await startNode("first", shared);
    // Before there are messages, because servers fill the search index for minutes after a load.
    const sweep = await measureSweep(context, loadGenerator, first, alone);
    const onPostgres = await measurePostgres(context, loadGenerator, alone, url);
    const second = await startNode("second", shared);
    const twoNodes = await measureTwoNodes(context, loadGenerator, first, second);
    return [...onPostgres, twoNodes, sweep];
  },
};

async function measurePostgres(
  context: BenchmarkContext,
  loadGenerator: LoadGenerator,
  node: ServerProcess,
  url: string,
): Promise<ResultRow[]> {
  await loadGenerator.callChild("open", {
    origin: node.origin,
    pairs: await createFriendPairs(node.origin, PAIRS),
  });
  const sqlite = await setUpProduct(context, loadGenerator, PAIRS);
  const saturate = (server: ServerProcess, messages = SATURATED.messages) =>
    loadGenerator.callChild("sendClosed", { origin: server.origin, messages, concurrency: PAIRS });
  for (const server of [node, sqlite]) await saturate(server, WARM_UP_MESSAGES);
  const saturated = await alternate(context, {
    name: "PostgreSQL and SQLite, saturated",
    rounds: SATURATED.rounds,
    product: node,
    reference: sqlite,
    parts: 1,
    work: saturate,
  });
  await withProfile(context, node, "postgres-saturated", () => saturate(node));

  // One sender, so that each message is a commit of its own.
  await node.callChild("clearCommits");
  await loadGenerator.callChild("sendClosed", { origin: node.origin, messages: COMMITS, concurrency: 1 });
  const { milliseconds: ofProduct } = await node.callChild("commits");
  const bare = await commitBare(url);
  await loadGenerator.callChild("closeAll");
  await sqlite.stop();
  const row = (name: string, share: number, limit: number): ResultRow => {
    const [product, reference] = [percentile(ofProduct, share), percentile(bare, share)];
    return {
      what: `time of a commit on PostgreSQL, one row each, ${name} : a bare writer`,
      product: `${product.toFixed(2)} ms`,
      reference: `${reference.toFixed(2)} ms`,
      value: product / reference,
      unit: "x",
      bound: "at most",
      limit,
    };
  };
  return [
    {
      what: "server CPU per durable 1:1 message, saturated, on PostgreSQL : on SQLite",
      ...describeRounds(saturated),
      value: medianRatio(saturated.product.cost, saturated.reference.cost),
      unit: "x",
      bound: "at most",
      limit: 2,
    },
    row("median", 0.5, 3),
    row("99th percentile", 0.99, 4),
  ];
}

/** Stores rows as the product does, one in each transaction under a lock, with nothing around it. Returns the milliseconds of each. */
async function commitBare(url: string): Promise<number[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("create table bare (id bigint primary key, sender bigint, content text, sent bigint)");
    const times: number[] = [];
    for (let id = 1; id <= COMMITS; id++) {
      const began = performance.now();
      await client.query("begin");
      await client.query("select pg_advisory_xact_lock(1)");
      await client.query({
        name: "insert",
        text: "insert into bare values ($1, $2, $3, $4)",
        values: [id, 1, "Did the build pass? 我这边还是红的。", Date.now()],
      });
      await client.query("commit");
      times.push(performance.now() - began);
    }
    return times;
  } finally {
    await client.query("drop table if exists bare");
    await client.end();
  }
}

/** As many people write over each node as over the one node, but to friends on the other node. So commits are about equally large. */
async function measureTwoNodes(
  context: BenchmarkContext,
  loadGenerator: LoadGenerator,
  first: ServerProcess,
  second: ServerProcess,
): Promise<ResultRow> {
  const pairs = await createFriendPairs(first.origin, 2 * PAIRS);
  const [some, others] = [pairs.slice(0, PAIRS), pairs.slice(PAIRS)];
  const open = (name: string, senders: FriendPair[], origin: string, peerOrigin: string) =>
    loadGenerator.callChild("open", { name, origin, peerOrigin, pairs: senders });
  const { messages } = SATURATED;
  const send = (name: string) =>
    loadGenerator.callChild("sendClosed", { origin: name, messages, concurrency: PAIRS });
  const rounds: { one: number[]; two: number[] } = { one: [], two: [] };
  for (let round = 0; round <= SATURATED.rounds; round++) {
    // A person has one socket on each terminal, so the loads take turns.
    await open("one", some, first.origin, first.origin);
    const one = await cpuOf(first, () => send("one"));
    await loadGenerator.callChild("closeAll");
    await open("first", some, first.origin, second.origin);
    await open("second", others, second.origin, first.origin);
    let ofSecond = 0;
    const ofFirst = await cpuOf(first, async () => {
      ofSecond = await cpuOf(second, () => Promise.all([send("first"), send("second")]));
    });
    await loadGenerator.callChild("closeAll");
    // The first round warms up.
    if (round === 0) continue;
    rounds.one.push(one / messages);
    rounds.two.push((ofFirst + ofSecond) / (2 * messages));
    context.print(
      `two nodes, round ${round} of ${SATURATED.rounds}: ${rounds.two.at(-1)?.toFixed(1)} us against ${rounds.one.at(-1)?.toFixed(1)} us`,
    );
  }
  const describe = (costs: number[]) => `${Math.round(MICROSECONDS / median(costs))}/CPU s`;
  return {
    what: "messages delivered per CPU second, two nodes with Redis : one of them",
    product: describe(rounds.two),
    reference: describe(rounds.one),
    value: medianRatio(rounds.one, rounds.two),
    unit: "x",
    bound: "at least",
    limit: 0.75,
  };
}

/**
 * What looking for lost pushes every two seconds costs when there are none: the CPU of a node with idle sockets, more than that of one without
 * Redis, which does not look. Both in the same minute, because the machine differs more from minute to minute than they do.
 */
async function measureSweep(
  context: BenchmarkContext,
  loadGenerator: LoadGenerator,
  withRedis: ServerProcess,
  withoutRedis: ServerProcess,
): Promise<ResultRow> {
  for (const { origin } of [withRedis, withoutRedis]) {
    context.print(`registering ${IDLE.sockets} people`);
    const people = await inParallel(IDLE.sockets, 16, (index) => createPerson(origin, `idle${index}`));
    await loadGenerator.callChild("openIdle", { origin, logins: people.map(({ login }) => login) });
  }
  const wait = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  await wait(IDLE.settleSeconds);
  let ofReference = 0;
  const ofProduct = await cpuOf(withRedis, async () => {
    ofReference = await cpuOf(withoutRedis, () => wait(IDLE.seconds));
  });
  await loadGenerator.callChild("closeIdle");
  const percent = (cpu: number) => (cpu / (IDLE.seconds * MICROSECONDS)) * 100;
  return {
    what: `server CPU with ${IDLE.sockets} idle sockets, with Redis and looking for lost pushes: more than without`,
    product: `${percent(ofProduct).toFixed(2)} %`,
    reference: `${percent(ofReference).toFixed(2)} %`,
    value: percent(ofProduct - ofReference),
    unit: "%",
    bound: "at most",
    limit: 2,
  };
}
