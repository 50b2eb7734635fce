import { expect, test } from "vitest";
import { runGroupCommitKills } from "./group-commit-kills.ts";
import { withTempFolder } from "./with-server.ts";

const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 1_000_000));

test("K2 a server killed during a commit shared by many sends stores all of them or none", async () => {
  const { done, violations } = await withTempFolder((dataDir) =>
    runGroupCommitKills({ dataDir, seed, kills: 3 }),
  );
  process.stdout.write(`K2 ${done}\n`);
  expect(violations).toEqual([]);
}, 300_000);

test("K2 reports a client that retries with other tmpIds", async () => {
  const { violations } = await withTempFolder((dataDir) =>
    runGroupCommitKills({ dataDir, seed: 1, kills: 3, changesTmpIds: true }),
  );
  expect(violations.join("\n")).toContain("rows of 50 sends");
}, 300_000);
