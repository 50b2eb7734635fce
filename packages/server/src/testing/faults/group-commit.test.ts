import { expect, test } from "vitest";
import { runGroupCommits } from "./group-commit.ts";
import { inFolder } from "./on-server.ts";

const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 1_000_000));

test("K2 a server killed in a commit that many sends share keeps all of it or nothing", async () => {
  const { done, violations } = await inFolder((dataDir) => runGroupCommits({ dataDir, seed, kills: 3 }));
  process.stdout.write(`K2 ${done}\n`);
  expect(violations).toEqual([]);
}, 300_000);

test("K2 finds a client that sends again under other tmpIds", async () => {
  const { violations } = await inFolder((dataDir) =>
    runGroupCommits({ dataDir, seed: 1, kills: 3, isForgetful: true }),
  );
  expect(violations.join("\n")).toContain("rows of 50 sends");
}, 300_000);
