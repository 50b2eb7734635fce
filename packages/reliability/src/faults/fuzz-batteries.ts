/** The fuzzing batteries, with their full numbers. */
import { runFrameFuzz } from "./frame-fuzz.ts";
import { withTempFolder } from "./with-server.ts";
import type { Battery } from "./report.ts";
import { runRequestFuzz } from "./request-fuzz.ts";

/** `FRAMES=100000 npm run test:full -- FRAMES` is a shorter run. */
const frames = Number(process.env["FRAMES"] ?? 1_000_000);
const requests = Number(process.env["REQUESTS"] ?? 100_000);

export const FUZZ_BATTERIES: Record<string, Battery> = {
  FRAMES: (seed) => withTempFolder((dataDir) => runFrameFuzz({ dataDir, seed, frames })),
  REQUESTS: (seed) => withTempFolder((dataDir) => runRequestFuzz({ dataDir, seed, requests })),
};
