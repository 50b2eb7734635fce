import { expect, test } from "vitest";
import { runClockJumps } from "./clock-jumps.ts";
import { runExpiry } from "./expiry.ts";
import { inFolder } from "./on-server.ts";

const HOUR_MS = 3_600_000;

test("K18 a clock that jumps reorders nothing, signs nobody out and keeps nobody waiting", async () => {
  const { done, violations } = await inFolder((dataDir) =>
    runClockJumps({ dataDir, byMs: [-HOUR_MS, HOUR_MS] }),
  );
  process.stdout.write(`K18 ${done}\n`);
  expect(violations).toEqual([]);
}, 120_000);

test("K26 a token that ends under twenty calls is refreshed once, and all calls are done", async () => {
  const { done, violations } = await inFolder((dataDir) => runExpiry({ dataDir, rounds: 1, calls: 20 }));
  process.stdout.write(`K26 ${done}\n`);
  expect(violations).toEqual([]);
}, 120_000);

test("K26 finds clients that do not refresh together", async () => {
  const { violations } = await inFolder((dataDir) =>
    runExpiry({ dataDir, rounds: 1, calls: 4, isShared: true }),
  );
  expect(violations.join("\n")).toContain("refreshes");
}, 120_000);
