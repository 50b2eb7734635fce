import { expect, test } from "vitest";
import { runDatabaseDamage } from "./database-damage.ts";
import { withTempFolder } from "./with-server.ts";

const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 1_000_000));

test(`K9 damaged files are refused, found by the doctor, or cost no more than the end of the log; the planted loss is found (SEED=${seed})`, async () => {
  const { done, violations } = await withTempFolder((dataDir) =>
    runDatabaseDamage({ dataDir, seed, copies: 1, isLosing: true }),
  );
  process.stdout.write(`K9 ${done}\n`);
  expect(violations).toEqual([
    expect.stringMatching(/^messages taken away, copy 0: \d+ messages are lost without a word/),
  ]);
}, 300_000);
