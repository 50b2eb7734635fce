/** Says before the memory runs out what the operator can do: Node ends the process without a sentence that helps. */
import { getHeapSpaceStatistics, getHeapStatistics } from "node:v8";

const CHECK_MS = 500;
/** What is in use, as a part of the limit. Below the first, a small server works as well as a large one. */
const WARN_FROM = 0.75;
const CALM_BELOW = 0.6;
const MEBIBYTE = 1_048_576;
/** What the limit contains for young objects (three semi-spaces of V8). The old ones, which stay, cannot use it. */
const YOUNG_BYTES = 192 * MEBIBYTE;
const YOUNG_PART_MAX = 0.75;

/** Watches the memory of JavaScript, and calls `warn` with a sentence once each time it is almost full. Returns what ends it. */
export function watchHeapLimit(warn: (sentence: string) => void): () => void {
  let isWarned = false;
  const timer = setInterval(() => {
    const { used, limit } = oldObjects();
    if (used < limit * CALM_BELOW) isWarned = false;
    if (isWarned || used < limit * WARN_FROM) return;
    isWarned = true;
    warn(heapSentence(used, limit));
  }, CHECK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Bytes of objects that stay, and how many there may be: what `--max-old-space-size` sets. */
function oldObjects(): { used: number; limit: number } {
  const { heap_size_limit: all } = getHeapStatistics();
  const old = getHeapSpaceStatistics().filter(({ space_name: name }) => !name.startsWith("new_"));
  return {
    used: old.reduce((sum, space) => sum + space.space_used_size, 0),
    limit: all - Math.min(YOUNG_BYTES, all * YOUNG_PART_MAX),
  };
}

function heapSentence(used: number, limit: number): string {
  const [usedMiB, limitMiB] = [Math.round(used / MEBIBYTE), Math.round(limit / MEBIBYTE)];
  return `The server uses ${usedMiB} of the ${limitMiB} MiB of memory that Node allows it; at the limit the process ends ("JavaScript heap out of memory"). Start it with NODE_OPTIONS=--max-old-space-size=${limitMiB * 2} (MiB), on a machine that has as much.`;
}
