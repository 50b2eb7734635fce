import { expect, test } from "vitest";
import { runDatabaseDamage } from "./database-damage.ts";
import { withTempFolder } from "./with-server.ts";

const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 1_000_000));

test(`K9 a start refuses damaged files, the doctor reports them, or only the end of the log is lost; a planted loss is reported (SEED=${seed})`, async () => {
  const { done, violations } = await withTempFolder((dataDir) =>
    runDatabaseDamage({ dataDir, seed, copies: 1, isLosing: true }),
  );
  process.stdout.write(`K9 ${done}\n`);
  expect(violations).toEqual([
    expect.stringMatching(/^messages deleted, copy 0: \d+ messages are lost without an error/),
  ]);
}, 300_000);
