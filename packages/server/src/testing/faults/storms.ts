/** The batteries that say anything at all to a server, with their full numbers. */
import { runFrames } from "./frames.ts";
import { inFolder } from "./on-server.ts";
import type { Battery } from "./report.ts";
import { runRequests } from "./requests.ts";

export const STORMS: Record<string, Battery> = {
  FRAMES: (seed) => inFolder((dataDir) => runFrames({ dataDir, seed, frames: 1_000_000 })),
  REQUESTS: (seed) => inFolder((dataDir) => runRequests({ dataDir, seed, requests: 100_000 })),
};
