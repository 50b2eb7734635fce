import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { loadConfig } from "../config/config.ts";
import { runDoctor } from "../doctor/doctor.ts";

const script = fileURLToPath(new URL("seed.ts", import.meta.url));

test("seeding prints three logins and refuses a store that is not empty", async () => {
  const folder = await mkdtemp(join(tmpdir(), "parley-seed-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const env = { ...process.env, DATA_DIR: folder, PASSWORD_COST: "low" };
  const seed = () => spawnSync(process.execPath, [script], { env, encoding: "utf8" });

  const first = seed();
  expect(first.stderr).toBe("");
  expect(first.status).toBe(0);
  expect(first.stdout).toMatch(/^420 people, \d+ friendships, 20000 messages, \d+ friend requests, 7 groups/);
  expect(first.stdout).toMatch(/^23 more messages with pictures, files, a voice and a video\.$/m);
  expect(await runDoctor(loadConfig({ DATA_DIR: folder }))).toEqual([]);
  const db = new Database(join(folder, "parley.sqlite"), { readonly: true });
  const ofTypes = db
    .prepare("select type, count(*) as n from message where type between 1 and 4 group by type order by type")
    .all();
  const named = db.prepare("select count(*) from messageFile").pluck().get();
  db.close();
  expect(ofTypes).toEqual([
    { type: 1, n: 10 },
    { type: 2, n: 3 },
    { type: 3, n: 2 },
    { type: 4, n: 2 },
  ]);
  // Of each picture also the thumbnail, of each video also the cover.
  expect(named).toBe(10 * 2 + 3 + 2 + 2 * 2);
  const logins = [...first.stdout.matchAll(/^ {2}(\w+) +([\w-]{12}) /gm)].map(([, name]) => name);
  expect(logins).toEqual(["linxiao", "emmaclark", "chenyifan"]);

  const second = seed();
  expect(second.status).toBe(1);
  expect(second.stdout).toBe("");
  expect(second.stderr).toContain("is not empty; demo data is only written into a new one");
  expect(second.stderr.trim().split("\n")).toHaveLength(1);
});
