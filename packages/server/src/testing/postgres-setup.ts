/**
 * One PostgreSQL server for all test files of a run. Vitest calls `setup` before the first file and `teardown` after the last. The
 * server starts when the first test wants it, so that runs without such tests do not pay for it.
 */
import { type FSWatcher, existsSync, mkdtempSync, renameSync, watch, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { type PostgresCluster, startCluster } from "./postgres-cluster.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The folder through which tests ask for the server. */
    postgresFolder: string;
  }
}

/** Names of the files in the folder: a test writes the first, and finds the second or the third. */
export const WANTED = "wanted";
export const ADDRESS = "address";
export const PROBLEM = "problem";

/**
 * Nothing that these tests check needs the disk: what a crash must not lose is checked on servers of their own.
 */
const FAST = { fsync: "off", full_page_writes: "off", synchronous_commit: "off" };

let folder = "";
let watcher: FSWatcher | undefined;
let starting: Promise<PostgresCluster> | undefined;

/** Waits for a test that wants the server. */
export function setup(project: TestProject): void {
  folder = mkdtempSync(join(tmpdir(), "parley-postgres-run-"));
  watcher = watch(folder, () => {
    if (starting !== undefined || !existsSync(join(folder, WANTED))) return;
    starting = startCluster(FAST);
    starting.then(
      (cluster) => publish(ADDRESS, cluster.url("postgres")),
      (error: unknown) => publish(PROBLEM, String(error)),
    );
  });
  project.provide("postgresFolder", folder);
}

/** Ends the server. */
export async function teardown(): Promise<void> {
  watcher?.close();
  // If it did not start, the tests have said so.
  const cluster = await starting?.catch(() => undefined);
  await cluster?.dispose();
  await rm(folder, { recursive: true, force: true });
}

/** A file appears with its whole content. */
function publish(name: string, content: string): void {
  writeFileSync(join(folder, `${name}-new`), content);
  renameSync(join(folder, `${name}-new`), join(folder, name));
}
