import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { whyNotTraced } from "../strace.ts";
import { type PowerCutOptions, runPowerCut } from "./power-cut.ts";

const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 1_000_000));
const missing = whyNotTraced();
if (missing !== undefined) process.stdout.write(`K5 SKIPPED, no power is cut: ${missing}\n`);

let dataDir: string;
beforeEach(async () => void (dataDir = await mkdtemp(join(tmpdir(), "parley-power-"))));
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const cut = (options: Partial<PowerCutOptions>) =>
  runPowerCut({ dataDir, seed, seconds: 0.5, images: 20, senders: 4, ...options });

test.skipIf(missing !== undefined)(
  `K5 whatever had left the server is on the disk when the power is cut (SEED=${seed})`,
  async () => {
    const { done, violations } = await cut({});
    process.stdout.write(`K5 ${done}\n`);
    expect(violations).toEqual([]);
  },
  300_000,
);

test.skipIf(missing !== undefined)(
  "K5 finds commits that do not wait for the disk, and folders that are not synced",
  async () => {
    const script = fileURLToPath(new URL("../unsafe-server.ts", import.meta.url));
    const unsafe = await cut({ script, images: 6 });
    expect(unsafe.violations.join("\n")).toMatch(/are lost, such as cut-/);
    await rm(dataDir, { recursive: true, force: true });
    dataDir = await mkdtemp(join(tmpdir(), "parley-power-"));
    const deaf = await cut({ deafFor: (path) => path === "data/files", images: 6 });
    expect(deaf.violations.join("\n")).toMatch(/the uploaded .* is gone/);
  },
  300_000,
);
