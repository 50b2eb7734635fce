import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const script = fileURLToPath(new URL("seed.ts", import.meta.url));

test("seeding prints three logins and refuses a store that is not empty", { timeout: 60_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "parley-seed-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const env = { ...process.env, DATA_DIR: folder, PASSWORD_COST: "low" };
  const seed = () => spawnSync(process.execPath, [script], { env, encoding: "utf8" });

  const first = seed();
  expect(first.stderr).toBe("");
  expect(first.status).toBe(0);
  expect(first.stdout).toMatch(/^420 people, \d+ friendships, 20000 messages, \d+ friend requests, 7 groups/);
  const logins = [...first.stdout.matchAll(/^ {2}(\w+) +([\w-]{12}) /gm)].map(([, name]) => name);
  expect(logins).toEqual(["linxiao", "emmaclark", "chenyifan"]);

  const second = seed();
  expect(second.status).toBe(1);
  expect(second.stdout).toBe("");
  expect(second.stderr).toContain("is not empty; demo data is only written into a new one");
  expect(second.stderr.trim().split("\n")).toHaveLength(1);
});
