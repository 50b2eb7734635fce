import type { Tabs } from "../ports.ts";

/** Tabs of one device: what one tells, the others hear at once; exclusive work queues up. */
export interface FakeTabs {
  tab(): Tabs;
  /** All its tabs die: what they did alone, others may do now. */
  kill(): void;
}

export function createFakeTabs(): FakeTabs {
  const listeners = new Map<object, Set<(message: unknown) => void>>();
  const queues = new Map<string, Promise<unknown>>();
  return {
    kill: () => queues.clear(),
    tab() {
      const mine = new Set<(message: unknown) => void>();
      const id = {};
      listeners.set(id, mine);
      return {
        broadcast(message) {
          for (const [tab, heard] of listeners)
            if (tab !== id) for (const listener of heard) listener(message);
        },
        listen(listener) {
          mine.add(listener);
          return () => mine.delete(listener);
        },
        exclusive(name, work) {
          const before = queues.get(name) ?? Promise.resolve();
          const turn = before.then(work, work);
          queues.set(
            name,
            turn.catch(() => undefined),
          );
          return turn;
        },
      };
    },
  };
}
