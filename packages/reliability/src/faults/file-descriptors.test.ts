import { afterEach, expect, test } from "vitest";
import { stopAllDevices } from "./client-device.ts";
import { runFileDescriptors } from "./file-descriptors.ts";
import { withTempFolder } from "./with-server.ts";

const TIMEOUT_MS = 120_000;

afterEach(stopAllDevices);

test.skipIf(process.platform !== "linux")(
  "K37 a server without file descriptors goes on for those who are connected, and recovers",
  { timeout: TIMEOUT_MS },
  async () => {
    const { violations } = await withTempFolder((dataDir) =>
      runFileDescriptors({ dataDir, limit: 120, messages: 6 }),
    );
    expect(violations).toEqual([]);
  },
);
