import { expect, test } from "vitest";
import { whyNotTraced } from "../strace.ts";
import { runDiskErrors } from "./disk-errors.ts";
import { withTempFolder } from "./with-server.ts";

const missing = whyNotTraced();
if (missing !== undefined) process.stdout.write(`K6 SKIPPED, system calls cannot fail here: ${missing}\n`);

test.skipIf(missing !== undefined)(
  "K6 a server ends when a sync or write of the disk fails, and no acknowledged message is lost; a planted loss is reported",
  async () => {
    const { done, violations } = await withTempFolder((dataDir) =>
      runDiskErrors({ dataDir, syncs: [25], writes: [300], isLosing: true }),
    );
    process.stdout.write(`K6 ${done}\n`);
    expect(done).toContain("2 in the running server");
    // One of each worker.
    expect(violations).toEqual([
      expect.stringMatching(/^fsync 25 failed: fsync-.* was acknowledged and is lost$/),
      expect.stringMatching(/^pwrite64 300 failed: pwrite64-.* was acknowledged and is lost$/),
    ]);
  },
  300_000,
);
