import type { Ports } from "../ports.ts";

/** Timers of which each key has at most one. */
export interface KeyedTimers<Key> {
  /** Runs `run` after this time, instead of what this key still waits for. */
  set(key: Key, ms: number, run: () => void): void;
  isSet(key: Key): boolean;
  cancel(key: Key): void;
  cancelAll(): void;
}

/** Creates the timers; none is set yet. */
export function createKeyedTimers<Key>(clock: Ports["clock"]): KeyedTimers<Key> {
  const cancels = new Map<Key, () => void>();

  function cancel(key: Key): void {
    cancels.get(key)?.();
    cancels.delete(key);
  }

  return {
    set(key, ms, run) {
      cancel(key);
      const cancelTimer = clock.after(ms, () => {
        cancels.delete(key);
        run();
      });
      cancels.set(key, cancelTimer);
    },
    isSet: (key) => cancels.has(key),
    cancel,
    cancelAll: () => [...cancels.keys()].forEach(cancel),
  };
}
