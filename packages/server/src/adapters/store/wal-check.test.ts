import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { isWalDamaged } from "./wal-check.ts";

/** A database whose log has some commits, and how to make another one. */
async function openDatabase() {
  const folder = await mkdtemp(join(tmpdir(), "parley-wal-"));
  const db = new Database(join(folder, "db.sqlite"));
  onTestFinished(async () => {
    db.close();
    await rm(folder, { recursive: true, force: true });
  });
  db.pragma("journal_mode = wal");
  db.pragma("wal_autocheckpoint = 0");
  db.exec("create table t (n integer)");
  const commit = () => db.exec("insert into t values (1)");
  for (let n = 0; n < 8; n++) commit();
  return { db, commit, wal: join(folder, "db.sqlite-wal") };
}

test("a log that is begun anew while it is read is not damaged", async () => {
  const { db, commit, wal } = await openDatabase();
  let restarts = 0;
  const restart = () => {
    if (restarts++ > 0) return;
    db.pragma("wal_checkpoint(restart)");
    commit();
  };
  expect(isWalDamaged(wal, restart)).toBe(false);
  expect(restarts).toBe(2);
});

test("a log with commits behind a broken frame is damaged, although more is written meanwhile", async () => {
  const { commit, wal } = await openDatabase();
  expect(isWalDamaged(wal, commit)).toBe(false);
  const data = await readFile(wal);
  const broken = 32 + 2 * (24 + 4_096) + 100;
  data.writeUInt8(data.readUInt8(broken) ^ 1, broken);
  await writeFile(wal, data);
  expect(isWalDamaged(wal, commit)).toBe(true);
});
