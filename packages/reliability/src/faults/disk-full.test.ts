import { expect, test } from "vitest";
import { whyNoSmallDisk } from "../small-disk.ts";
import { runDiskFull } from "./disk-full.ts";

const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 1_000_000));
const missing = whyNoSmallDisk();
if (missing !== undefined) process.stdout.write(`K7 SKIPPED, no small disk can be mounted: ${missing}\n`);

test.skipIf(missing !== undefined)(
  `K7 L8 a server on a full disk refuses writes, serves reads and loses nothing; a planted wrong expectation is reported (SEED=${seed})`,
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
