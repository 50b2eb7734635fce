import { expect, test } from "vitest";
import { inFolder } from "./on-server.ts";
import { runTwoServers } from "./two-servers.ts";

test("K10 of several servers on one folder one serves, and the others end with a sentence", async () => {
  const { done, violations } = await inFolder((dataDir) => runTwoServers({ dataDir, rounds: 1, servers: 2 }));
  process.stdout.write(`K10 ${done}\n`);
  expect(violations).toEqual([]);
}, 120_000);

test("K10 finds servers that serve beside each other", async () => {
  const { violations } = await inFolder((dataDir) =>
    runTwoServers({ dataDir, rounds: 1, servers: 2, isApart: true }),
  );
  expect(violations).toContain("round 0: 2 servers serve one folder");
  expect(violations).toContain("round 0: a late server serves as well");
}, 120_000);
