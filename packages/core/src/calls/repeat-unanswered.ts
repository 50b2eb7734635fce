import { type CallOptions, isUnanswered, SILENT } from "../connection/api.ts";
import type { Result } from "../model/state.ts";
import type { Clock } from "../ports.ts";

/** When and how often a request that nobody has answered is made again. */
const REPEAT_MS = 1_000;
const REPEATS_MAX = 3;
/** No request is made again when this long has passed since the first one. */
const REPEATS_END_MS = 10_000;

/** Options of what a call asks: a server that dies without closing its connections answers never, and the call cannot wait for it. */
export const SHORT_TIMEOUT: CallOptions = { ...SILENT, timeoutMs: 5_000 };

/** Options of what ends a call, which has to arrive even if the page is being closed. */
export const LAST_REQUEST: CallOptions = { ...SILENT, outlivesPage: true };

/**
 * Makes a request of a call, and repeats it while nobody answers, because the server that had it may have died: a person who waits for the other
 * side does not press again. The server takes it for the same request. Ends early when `isWanted` is false.
 */
export async function repeatUnanswered<Value>(
  clock: Pick<Clock, "after">,
  request: () => Promise<Result<Value>>,
  isWanted: () => boolean,
): Promise<Result<Value>> {
  let isLate = false;
  const stop = clock.after(REPEATS_END_MS, () => void (isLate = true));
  let result = await request();
  for (let repeats = 0; repeats < REPEATS_MAX && !isLate; repeats++) {
    if (result.ok || !isUnanswered(result.failure)) break;
    await new Promise<void>((resolve) => void clock.after(REPEAT_MS, resolve));
    if (isLate || !isWanted()) break;
    result = await request();
  }
  stop();
  return result;
}
