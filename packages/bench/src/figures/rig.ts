import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { makeCrowd, makeReferenceCrowd } from "../crowds.ts";
import type { Bench } from "../figure.ts";
import { makePairs, makeReferencePairs } from "../pairs.ts";
import { startProduct, startReference, type ServerProcess } from "../process/server-process.ts";
import { startSwarm, type Swarm } from "../process/swarm-process.ts";

/** A folder below the figure's own. */
export function subfolder(bench: Bench, name: string): string {
  const folder = join(bench.folder, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

export function openSwarm(bench: Bench): Swarm {
  const swarm = startSwarm();
  bench.onEnd(() => swarm.stop());
  return swarm;
}

/** A fresh product whose people the swarm is ready to speak for. */
export async function openProduct(bench: Bench, swarm: Swarm, pairCount: number): Promise<ServerProcess> {
  const server = await startFreshProduct(bench);
  await swarm.ask("open", { origin: server.origin, pairs: await makePairs(server.origin, pairCount) });
  return server;
}

/** The reference message server, with as many pairs. */
export async function openReference(bench: Bench, swarm: Swarm, pairCount: number): Promise<ServerProcess> {
  const { server, secret } = await startMessageReference(bench);
  await swarm.ask("open", { origin: server.origin, pairs: makeReferencePairs(secret, pairCount) });
  return server;
}

/** A fresh product and the reference message server, each with a group. */
export async function openGroups(
  bench: Bench,
  swarm: Swarm,
  writers: number,
  members: number,
): Promise<{ product: ServerProcess; reference: ServerProcess }> {
  const product = await startFreshProduct(bench);
  const crowd = await makeCrowd(product.origin, writers, members);
  await swarm.ask("openGroup", { origin: product.origin, crowd });
  const { server: reference, secret } = await startMessageReference(bench);
  const theirs = makeReferenceCrowd(secret, writers, members);
  await swarm.ask("openGroup", { origin: reference.origin, crowd: theirs });
  return { product, reference };
}

async function startFreshProduct(bench: Bench): Promise<ServerProcess> {
  const server = await startProduct(subfolder(bench, "product"));
  bench.onEnd(() => server.stop());
  return server;
}

async function startMessageReference(bench: Bench): Promise<{ server: ServerProcess; secret: string }> {
  const secret = randomBytes(32).toString("hex");
  const folder = subfolder(bench, "reference");
  const server = await startReference("messages", { SECRET: secret, DATA_DIR: folder });
  bench.onEnd(() => server.stop());
  return { server, secret };
}

/** What `work` costs the server, in CPU microseconds of all its threads. */
export async function cpuOf(server: ServerProcess, work: () => Promise<unknown>): Promise<number> {
  const before = await server.ask("cpu");
  await work();
  return (await server.ask("cpu")) - before;
}

/** Runs `work`, and writes a CPU profile of it where profiles are asked for. */
export async function profiled(
  bench: Bench,
  server: ServerProcess,
  name: string,
  work: () => Promise<unknown>,
): Promise<void> {
  if (bench.profileFolder === null) return void (await work());
  await server.ask("startProfile");
  await work();
  await server.ask("endProfile", join(bench.profileFolder, `${name}.cpuprofile`));
}
