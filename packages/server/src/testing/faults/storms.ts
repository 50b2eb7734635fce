/** The batteries that say anything at all to a server, with their full numbers. */
import { runFrames } from "./frames.ts";
import { inFolder } from "./on-server.ts";
import type { Battery } from "./report.ts";
import { runRequests } from "./requests.ts";

/** `FRAMES=100000 npm run test:full -- FRAMES` is a shorter one. */
const frames = Number(process.env["FRAMES"] ?? 1_000_000);
const requests = Number(process.env["REQUESTS"] ?? 100_000);

export const STORMS: Record<string, Battery> = {
  FRAMES: (seed) => inFolder((dataDir) => runFrames({ dataDir, seed, frames })),
  REQUESTS: (seed) => inFolder((dataDir) => runRequests({ dataDir, seed, requests })),
};
