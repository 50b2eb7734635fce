import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createBenchmarkGroup, createReferenceGroup } from "../benchmark-groups.ts";
import type { BenchmarkContext } from "../benchmark.ts";
import { createFriendPairs, createReferencePairs } from "../friend-pairs.ts";
import { startProduct, startReference, type ServerProcess } from "../process/server-process.ts";
import { startLoadGeneratorProcess, type LoadGenerator } from "../process/load-generator-process.ts";

/** A folder below the figure's own. */
export function subfolder(benchmarkContext: BenchmarkContext, name: string): string {
  const folder = join(benchmarkContext.folder, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

export function startLoadGenerator(benchmarkContext: BenchmarkContext): LoadGenerator {
  const loadGenerator = startLoadGeneratorProcess();
  benchmarkContext.onEnd(() => loadGenerator.stop());
  return loadGenerator;
}

/** A fresh product whose people the swarm is ready to speak for. */
export async function setUpProduct(
  benchmarkContext: BenchmarkContext,
  loadGenerator: LoadGenerator,
  pairCount: number,
): Promise<ServerProcess> {
  const server = await startFreshProduct(benchmarkContext);
  await loadGenerator.callChild("open", {
    origin: server.origin,
    pairs: await createFriendPairs(server.origin, pairCount),
  });
  return server;
}

/** The reference message server, with as many pairs. */
export async function setUpReference(
  benchmarkContext: BenchmarkContext,
  loadGenerator: LoadGenerator,
  pairCount: number,
): Promise<ServerProcess> {
  const { server, secret } = await startMessageReference(benchmarkContext);
  await loadGenerator.callChild("open", {
    origin: server.origin,
    pairs: createReferencePairs(secret, pairCount),
  });
  return server;
}

/** A fresh product and the reference message server, each with a group. */
export async function setUpGroups(
  benchmarkContext: BenchmarkContext,
  loadGenerator: LoadGenerator,
  writers: number,
  members: number,
): Promise<{ product: ServerProcess; reference: ServerProcess }> {
  const product = await startFreshProduct(benchmarkContext);
  const benchmarkGroup = await createBenchmarkGroup(product.origin, writers, members);
  await loadGenerator.callChild("openGroup", { origin: product.origin, benchmarkGroup });
  const { server: reference, secret } = await startMessageReference(benchmarkContext);
  const theirs = createReferenceGroup(secret, writers, members);
  await loadGenerator.callChild("openGroup", { origin: reference.origin, benchmarkGroup: theirs });
  return { product, reference };
}

async function startFreshProduct(benchmarkContext: BenchmarkContext): Promise<ServerProcess> {
  const server = await startProduct(subfolder(benchmarkContext, "product"));
  benchmarkContext.onEnd(() => server.stop());
  return server;
}

async function startMessageReference(
  benchmarkContext: BenchmarkContext,
): Promise<{ server: ServerProcess; secret: string }> {
  const secret = randomBytes(32).toString("hex");
  const folder = subfolder(benchmarkContext, "reference");
  const server = await startReference("messages", { SECRET: secret, DATA_DIR: folder });
  benchmarkContext.onEnd(() => server.stop());
  return { server, secret };
}

/** What `work` costs the server, in CPU microseconds of all its threads. */
export async function cpuOf(server: ServerProcess, work: () => Promise<unknown>): Promise<number> {
  const before = await server.callChild("cpu");
  await work();
  return (await server.callChild("cpu")) - before;
}

/** Runs `work`, and writes a CPU profile of it where profiles are asked for. */
export async function profiled(
  benchmarkContext: BenchmarkContext,
  server: ServerProcess,
  name: string,
  work: () => Promise<unknown>,
): Promise<void> {
  if (benchmarkContext.profileFolder === null) return void (await work());
  await server.callChild("startProfile");
  await work();
  await server.callChild("endProfile", join(benchmarkContext.profileFolder, `${name}.cpuprofile`));
}
