import { expect, test } from "vitest";
import { runFreezes, runShutdowns } from "./freezes.ts";
import { inFolder } from "./on-server.ts";

const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 1_000_000));

test("K4 a server that stands still for a second loses nothing and shows nobody who is gone", async () => {
  const { done, violations } = await inFolder((dataDir) => runFreezes({ dataDir, seconds: [1], haste: 50 }));
  process.stdout.write(`K4 ${done}\n`);
  expect(violations).toEqual([]);
}, 120_000);

test(`K3 a server that is told to end under load loses nothing (SEED=${seed})`, async () => {
  const { done, violations } = await inFolder((dataDir) => runShutdowns({ dataDir, times: 1, seed }));
  process.stdout.write(`K3 ${done}\n`);
  expect(violations).toEqual([]);
}, 120_000);
