import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runInterruptedMigrations } from "./interrupted-migrations.ts";

test("K33 a migration that is killed, repeated or started by two processes gives the tables of a new database", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "parley-migrations-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const { done, violations } = await runInterruptedMigrations({ dataDir, every: 40, pairs: 2 });
  process.stdout.write(`K33 ${done}\n`);
  expect(violations).toEqual([]);
}, 300_000);

test("K33 reports a left-over table and lost data", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "parley-migrations-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const { violations } = await runInterruptedMigrations({
    dataDir,
    every: 1_000,
    pairs: 0,
    corrupt: (db) => {
      db.exec("create table leftover (id integer)");
      if (db.prepare("select 1 from sqlite_master where name = 'user'").get() !== undefined)
        db.exec(`update "user" set "userName" = 'Eve', "userNameKey" = 'eve'`);
    },
  });
  expect(violations.join("\n")).toContain("other tables than a new database");
  expect(violations.join("\n")).toContain("the data is lost");
}, 300_000);
