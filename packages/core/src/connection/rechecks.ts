import type { Ports } from "../ports.ts";

/** How long pushes are waited for: those that are closer together may be in the wrong order. */
const RECHECK_MS = 2_000;

/** Loads things again a moment after a push, when no other push about the same thing is to be expected. */
export interface Rechecks<Key> {
  /** Runs `check` a moment later, instead of a check of the same thing that still waits. */
  schedule(key: Key, check: () => void): void;
  isScheduled(key: Key): boolean;
  cancelAll(): void;
}

/** Creates rechecks; none is scheduled yet. */
export function createRechecks<Key>(clock: Ports["clock"]): Rechecks<Key> {
  const waiting = new Map<Key, () => void>();
  return {
    schedule(key, check) {
      waiting.get(key)?.();
      const cancel = clock.after(RECHECK_MS, () => {
        waiting.delete(key);
        check();
      });
      waiting.set(key, cancel);
    },
    isScheduled: (key) => waiting.has(key),
    cancelAll() {
      for (const cancel of waiting.values()) cancel();
      waiting.clear();
    },
  };
}
