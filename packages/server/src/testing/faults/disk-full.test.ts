import { expect, test } from "vitest";
import { whyNoSmallDisk } from "../small-disk.ts";
import { runDiskFull } from "./disk-full.ts";

const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 1_000_000));
const missing = whyNoSmallDisk();
if (missing !== undefined) process.stdout.write(`K7 SKIPPED, no disk is full: ${missing}\n`);

test.skipIf(missing !== undefined)(
  `K7 a full disk refuses what it cannot take, serves who reads, and loses nothing; the planted mishearing is found (SEED=${seed})`,
  async () => {
    const { done, violations } = await runDiskFull({
      seed,
      rounds: 2,
      freeBytes: 100_000,
      expectsOtherWording: true,
    });
    process.stdout.write(`K7 ${done}\n`);
    expect(violations).toEqual([expect.stringMatching(/^an upload in en on a full disk was answered 500 /)]);
  },
  300_000,
);
