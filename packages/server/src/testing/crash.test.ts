import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runCrash } from "./crash.ts";

/** `CRASH_CYCLES=200 npx vitest run packages/server/src/testing/crash.test.ts` kills more often, `CRASH_SEED` repeats a run. */
const cycles = Number(process.env["CRASH_CYCLES"] ?? 20);
const seed = Number(process.env["CRASH_SEED"] ?? Math.floor(Math.random() * 1_000_000));

let dataDir: string;
beforeEach(async () => void (dataDir = await mkdtemp(join(tmpdir(), "parley-crash-"))));
afterEach(() => rm(dataDir, { recursive: true, force: true }));

test(
  `K1 nothing acknowledged is lost, doubled or reordered by ${cycles} kills under 8 senders to people and 4 to a group (CRASH_SEED=${seed})`,
  async () => {
    const report = await runCrash({ dataDir, cycles, senders: 8, groupSenders: 4, seed });
    process.stdout.write(`K1 ${JSON.stringify(report)}\n`);
    expect(report.kills).toBe(cycles);
    expect(report.acknowledged).toBeGreaterThan(cycles * 8);
    expect(report.startMs).toBeLessThan(10_000);
  },
  60_000 + cycles * 10_000,
);
