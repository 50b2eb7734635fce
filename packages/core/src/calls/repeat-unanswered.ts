import { isUnanswered } from "../connection/api.ts";
import type { Result } from "../model/state.ts";
import type { Clock } from "../ports.ts";

/** When and how often a request that nobody has answered is made again. */
const REPEAT_MS = 1_000;
const REPEATS_MAX = 3;

/**
 * Makes a request of a call, and repeats it while nobody answers, because the server that had it may have died: a person who waits for the other
 * side does not press again. The server takes it for the same request. Ends early when `isWanted` is false.
 */
export async function repeatUnanswered<Value>(
  clock: Pick<Clock, "after">,
  request: () => Promise<Result<Value>>,
  isWanted: () => boolean,
): Promise<Result<Value>> {
  let result = await request();
  for (let repeats = 0; repeats < REPEATS_MAX; repeats++) {
    if (result.ok || !isUnanswered(result.failure)) break;
    await new Promise<void>((resolve) => void clock.after(REPEAT_MS, resolve));
    if (!isWanted()) break;
    result = await request();
  }
  return result;
}
