import { expect, test } from "vitest";
import { withTempFolder } from "./with-server.ts";
import { runTwoServers } from "./two-servers.ts";

test("K10 one of several servers on a folder serves, and the others exit with a sentence", async () => {
  const { done, violations } = await withTempFolder((dataDir) =>
    runTwoServers({ dataDir, rounds: 1, servers: 2 }),
  );
  process.stdout.write(`K10 ${done}\n`);
  expect(violations).toEqual([]);
}, 120_000);

test("K10 reports two servers that serve the same folder", async () => {
  const { violations } = await withTempFolder((dataDir) =>
    runTwoServers({ dataDir, rounds: 1, servers: 2, usesOwnFolders: true }),
  );
  expect(violations).toContain("round 0: 2 servers serve one folder");
  expect(violations).toContain("round 0: a server that starts later serves as well");
}, 120_000);
