import type { LoadCalls } from "@parley/core/calls/lazy-calls";
import { loadPart } from "../kit/load-part.ts";

/** The code and the texts that only calls need. */
export const loadCallsChunk = () => import("./calls-chunk.ts");

/** Loads what a client needs for its first call. */
export const loadCalls: LoadCalls = async () => (await loadPart(loadCallsChunk)).createCalls;
