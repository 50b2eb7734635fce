/**
 * Frees the memory of received chunks in time. V8 starts its quick collections by the size of objects, and a chunk is a small object with
 * 64 KiB outside of it. So chunks gather until V8 starts a full collection because of them: one for each 28 MiB, and uploads took twice the
 * processor time (`npm run bench -- uploads`).
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Little enough that the chunks fit into the caches of the processor and their memory is used again: with four times as many, uploads take twice the processor time. */
const COLLECT_EVERY_BYTES = 4_194_304;

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as NonNullable<typeof globalThis.gc>;
let uncollectedBytes = 0;

/** Counts a chunk of this many bytes that has been received, and runs a quick collection when many have come. */
export function countReceived(bytes: number): void {
  uncollectedBytes += bytes;
  if (uncollectedBytes < COLLECT_EVERY_BYTES) return;
  uncollectedBytes = 0;
  collect({ type: "minor", execution: "sync" });
}
