import { expect, test } from "vitest";
import { whyNotTraced } from "../strace.ts";
import { runDiskErrors } from "./disk-errors.ts";
import { inFolder } from "./on-server.ts";

const missing = whyNotTraced();
if (missing !== undefined) process.stdout.write(`K6 SKIPPED, no disk fails: ${missing}\n`);

test.skipIf(missing !== undefined)(
  "K6 a server whose disk fails a sync or a write ends, and has acknowledged nothing that is lost",
  async () => {
    const { done, violations } = await inFolder((dataDir) =>
      runDiskErrors({ dataDir, syncs: [25], writes: [3, 150] }),
    );
    process.stdout.write(`K6 ${done}\n`);
    expect(violations).toEqual([]);
  },
  300_000,
);

test.skipIf(missing !== undefined)(
  "K6 finds a row that is lost",
  async () => {
    const { violations } = await inFolder((dataDir) =>
      runDiskErrors({ dataDir, syncs: [4], writes: [], lose: true }),
    );
    expect(violations.join("\n")).toMatch(/was acknowledged and is lost/);
  },
  300_000,
);
