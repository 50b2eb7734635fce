import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { whyNotTraced } from "../strace.ts";
import { withTempFolder } from "./with-server.ts";
import { cutPower, removeSyncs, recordRun } from "./power-cut.ts";

const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 1_000_000));
const missing = whyNotTraced();
if (missing !== undefined)
  process.stdout.write(`K5 SKIPPED, system calls cannot be recorded here: ${missing}\n`);

const SMALL = { seed, messages: 60, uploads: 5, senders: 4 };

test.skipIf(missing !== undefined)(
  `K5 everything acknowledged is on the disk after a power cut; a folder that is not synced is reported (SEED=${seed})`,
  () =>
    withTempFolder(async (dataDir) => {
      const recording = await recordRun({ dataDir, ...SMALL });
      const { done, violations } = await cutPower(recording, 12);
      process.stdout.write(`K5 ${done}\n`);
      expect([...recording.violations, ...violations]).toEqual([]);

      removeSyncs(recording, (path) => path === "data/files");
      const withoutSync = await cutPower(recording, 30);
      expect(withoutSync.violations.join("\n")).toMatch(/the uploaded .* is missing/);
    }),
  900_000,
);

test.skipIf(missing !== undefined)(
  "K5 reports commits that do not wait for the disk",
  () =>
    withTempFolder(async (dataDir) => {
      const script = fileURLToPath(new URL("../unsynced-server.ts", import.meta.url));
      const { violations } = await cutPower(await recordRun({ dataDir, ...SMALL, script }), 4);
      // Some images do not even start: of the unsynced writes, later ones are stored and earlier ones are not.
      expect(violations.join("\n")).toMatch(/are lost, such as cut-|its log .* is damaged/);
    }),
  900_000,
);
