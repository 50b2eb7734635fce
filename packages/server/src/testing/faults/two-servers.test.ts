import { expect, test } from "vitest";
import { inFolder } from "./on-server.ts";
import { runTwoServers } from "./two-servers.ts";

test("K10 of several servers on one folder one serves, and the others end with a sentence", async () => {
  const { done, violations } = await inFolder((dataDir) => runTwoServers({ dataDir, rounds: 1, servers: 2 }));
  process.stdout.write(`K10 ${done}\n`);
  expect(violations).toEqual([]);
}, 120_000);
