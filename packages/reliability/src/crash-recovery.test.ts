import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runCrashRecovery } from "./crash-recovery.ts";

/** `CRASH_CYCLES=200 npx vitest run packages/reliability/src/crash-recovery.test.ts` kills more often; `CRASH_SEED` repeats a run. */
const cycles = Number(process.env["CRASH_CYCLES"] ?? 20);
const seed = Number(process.env["CRASH_SEED"] ?? Math.floor(Math.random() * 1_000_000));

let dataDir: string;
beforeEach(async () => void (dataDir = await mkdtemp(join(tmpdir(), "parley-crash-"))));
afterEach(() => rm(dataDir, { recursive: true, force: true }));

test(
  `K1 no acknowledged message is lost, duplicated or reordered by ${cycles} kills with 8 private and 4 group senders (CRASH_SEED=${seed})`,
  async () => {
    const report = await runCrashRecovery({ dataDir, cycles, senders: 8, groupSenders: 4, seed });
    process.stdout.write(`K1 ${JSON.stringify(report)}\n`);
    expect(report.kills).toBe(cycles);
    expect(report.acknowledged).toBeGreaterThan(cycles * 8);
  },
  60_000 + cycles * 10_000,
);

test("K1 reports a message that was deleted from the database", async () => {
  const corrupt = (folder: string) => {
    const db = new Database(join(folder, "parley.sqlite"));
    // The first message that a person sent; the older ones are tips.
    db.exec('delete from "message" where "id" = (select min("id") from "message" where "tmpId" is not null)');
    db.close();
  };
  const run = runCrashRecovery({ dataDir, cycles: 1, senders: 4, groupSenders: 0, seed: 1, corrupt });
  await expect(run).rejects.toThrow("was acknowledged and is lost");
}, 120_000);
