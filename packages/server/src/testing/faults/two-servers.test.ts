import { expect, test } from "vitest";
import { withTempFolder } from "./with-server.ts";
import { runTwoServers } from "./two-servers.ts";

test("K10 of several servers on one folder one serves, and the others end with a sentence", async () => {
  const { done, violations } = await withTempFolder((dataDir) =>
    runTwoServers({ dataDir, rounds: 1, servers: 2 }),
  );
  process.stdout.write(`K10 ${done}\n`);
  expect(violations).toEqual([]);
}, 120_000);

test("K10 finds two servers that serve the same folder", async () => {
  const { violations } = await withTempFolder((dataDir) =>
    runTwoServers({ dataDir, rounds: 1, servers: 2, isApart: true }),
  );
  expect(violations).toContain("round 0: 2 servers serve one folder");
  expect(violations).toContain("round 0: a late server serves as well");
}, 120_000);
