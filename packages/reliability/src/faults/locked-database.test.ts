import { expect, test } from "vitest";
import { runLockedDatabase } from "./locked-database.ts";
import { withTempFolder } from "./with-server.ts";

test("K8 writes wait while another program locks the database, and reads do not; a planted write that does not wait is reported", async () => {
  const { done, violations } = await withTempFolder((dataDir) =>
    runLockedDatabase({ dataDir, reads: 20, untilRefused: false, withoutLock: true }),
  );
  process.stdout.write(`K8 ${done}\n`);
  expect(violations).toEqual(["the write without a lock was answered too early, or reads waited for it"]);
}, 120_000);
