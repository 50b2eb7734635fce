/**
 * One PostgreSQL server for all test files of a run. Vitest calls `setup` before the first file and what it returns after the last. The
 * server starts when the first test wants it, so that runs without such tests do not pay for it.
 */
import { existsSync, mkdtempSync, renameSync, watch, writeFileSync } from "node:fs";
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

/** Waits for a test that wants the server. */
export default function setup(project: TestProject): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "parley-postgres-run-"));
  let starting: Promise<PostgresCluster> | undefined;
  const watcher = watch(folder, () => {
    if (starting !== undefined || !existsSync(join(folder, WANTED))) return;
    starting = startCluster(FAST);
    starting.then(
      (cluster) => publish(ADDRESS, cluster.url("postgres")),
      (error: unknown) => publish(PROBLEM, String(error)),
    );
  });
  // A file appears with its whole content.
  function publish(name: string, content: string): void {
    writeFileSync(join(folder, `${name}-new`), content);
    renameSync(join(folder, `${name}-new`), join(folder, name));
  }
  project.provide("postgresFolder", folder);
  return async () => {
    watcher.close();
    // Its failure has failed the tests already.
    await starting?.then((cluster) => cluster.dispose()).catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  };
}
