/** Keeps a log readable while somebody floods the server: the same key is logged once in ten seconds, with the number of lines that were left out. */
import { dropOldest } from "../collections/maps.ts";

const PAUSE_MS = 10_000;
/** Keys are addresses, and strangers may have many. */
const KEYS_MAX = 1_000;

export class LogPause {
  readonly #logged = new Map<string, { at: number; leftOut: number }>();

  /** Undefined: do not log. Else how many times the key was left out since it was logged before. */
  pass(key: string, now: number): number | undefined {
    const last = this.#logged.get(key);
    if (last !== undefined && now >= last.at && now < last.at + PAUSE_MS) {
      last.leftOut++;
      return undefined;
    }
    this.#logged.delete(key);
    dropOldest(this.#logged, KEYS_MAX);
    this.#logged.set(key, { at: now, leftOut: 0 });
    return last?.leftOut ?? 0;
  }
}
