/** Keeps a log readable while somebody floods the server: the same key is told of once in ten seconds, with the number of what was left out. */
import { dropOldest } from "../collections/maps.ts";

const PAUSE_MS = 10_000;
/** Keys are addresses, and strangers may have many. */
const KEYS_MAX = 1_000;

export class LogPause {
  readonly #toldOf = new Map<string, { at: number; untold: number }>();

  /** Undefined: say nothing. Else how many times the key was left out since it was told of before. */
  pass(key: string, now: number): number | undefined {
    const told = this.#toldOf.get(key);
    if (told !== undefined && now >= told.at && now < told.at + PAUSE_MS) {
      told.untold++;
      return undefined;
    }
    this.#toldOf.delete(key);
    dropOldest(this.#toldOf, KEYS_MAX);
    this.#toldOf.set(key, { at: now, untold: 0 });
    return told?.untold ?? 0;
  }
}
