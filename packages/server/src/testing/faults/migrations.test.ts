import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runMigrations } from "./migrations.ts";

test("K33 a migration that is killed, repeated or begun by two leaves the tables of a fresh database", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "parley-migrations-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const { done, violations } = await runMigrations({ dataDir, every: 40, pairs: 2 });
  process.stdout.write(`K33 ${done}\n`);
  expect(violations).toEqual([]);
}, 300_000);
