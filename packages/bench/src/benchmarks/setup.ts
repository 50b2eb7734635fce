import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createBenchmarkGroup, createReferenceGroup } from "../benchmark-groups.ts";
import type { BenchmarkContext } from "../benchmark.ts";
import { createFriendPairs, createReferencePairs } from "../friend-pairs.ts";
import { startProduct, startReference, type ServerProcess } from "../process/server-process.ts";
import { startLoadGeneratorProcess, type LoadGenerator } from "../process/load-generator-process.ts";

/** Creates a folder inside the benchmark's folder. */
export function subfolder(context: BenchmarkContext, name: string): string {
  const folder = join(context.folder, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Starts a load generator, which stops at the end of the benchmark. */
export function startLoadGenerator(context: BenchmarkContext): LoadGenerator {
  const loadGenerator = startLoadGeneratorProcess();
  context.onEnd(() => loadGenerator.stop());
  return loadGenerator;
}

/** Starts a new product server with pairs of friends that the load generator has connected. */
export async function setUpProduct(
  context: BenchmarkContext,
  loadGenerator: LoadGenerator,
  pairCount: number,
  peerCaps?: string[],
): Promise<ServerProcess> {
  const server = await startFreshProduct(context);
  const pairs = await createFriendPairs(server.origin, pairCount);
  await loadGenerator.callChild("open", {
    origin: server.origin,
    pairs: pairs.map((pair) => (peerCaps ? { ...pair, peer: { ...pair.peer, caps: peerCaps } } : pair)),
  });
  return server;
}

/** The same with the reference message server. */
export async function setUpReference(
  context: BenchmarkContext,
  loadGenerator: LoadGenerator,
  pairCount: number,
): Promise<ServerProcess> {
  const { server, secret } = await startMessageReference(context);
  await loadGenerator.callChild("open", {
    origin: server.origin,
    pairs: createReferencePairs(secret, pairCount),
  });
  return server;
}

/** Starts a new product server and the reference message server, each with a connected group. */
export async function setUpGroups(
  context: BenchmarkContext,
  loadGenerator: LoadGenerator,
  writers: number,
  members: number,
): Promise<{ product: ServerProcess; reference: ServerProcess }> {
  const product = await setUpGroup(context, loadGenerator, writers, members);
  const { server: reference, secret } = await startMessageReference(context);
  const referenceGroup = createReferenceGroup(secret, writers, members);
  await loadGenerator.callChild("openGroup", { origin: reference.origin, benchmarkGroup: referenceGroup });
  return { product, reference };
}

/** Starts a new product server with a connected group. */
export async function setUpGroup(
  context: BenchmarkContext,
  loadGenerator: LoadGenerator,
  writers: number,
  members: number,
): Promise<ServerProcess> {
  const product = await startFreshProduct(context);
  const benchmarkGroup = await createBenchmarkGroup(product.origin, writers, members);
  await loadGenerator.callChild("openGroup", { origin: product.origin, benchmarkGroup });
  return product;
}

async function startFreshProduct(context: BenchmarkContext): Promise<ServerProcess> {
  const server = await startProduct(subfolder(context, "product"));
  context.onEnd(() => server.stop());
  return server;
}

async function startMessageReference(
  context: BenchmarkContext,
): Promise<{ server: ServerProcess; secret: string }> {
  const secret = randomBytes(32).toString("hex");
  const folder = subfolder(context, "reference");
  const server = await startReference("messages", { SECRET: secret, DATA_DIR: folder });
  context.onEnd(() => server.stop());
  return { server, secret };
}

/** The CPU time of the server during `work`, in microseconds over all threads. */
export async function cpuOf(server: ServerProcess, work: () => Promise<unknown>): Promise<number> {
  const before = await server.callChild("cpu");
  await work();
  return (await server.callChild("cpu")) - before;
}

/** Runs `work`, and writes a CPU profile of it if profiles are requested. */
export async function withProfile(
  context: BenchmarkContext,
  server: ServerProcess,
  name: string,
  work: () => Promise<unknown>,
): Promise<void> {
  if (context.profileFolder === null) return void (await work());
  await server.callChild("startProfile");
  await work();
  await server.callChild("endProfile", join(context.profileFolder, `${name}.cpuprofile`));
}
