import type { Tabs } from "../ports.ts";

/** The tabs of one device: broadcasts arrive in the other tabs at once, and exclusive work queues up. */
export interface FakeTabs {
  tab(): Tabs;
  /** Ends all tabs and releases their locks. */
  kill(): void;
}

/** Creates a device without tabs. */
export function createFakeTabs(): FakeTabs {
  const listeners = new Map<object, Set<(message: unknown) => void>>();
  const queues = new Map<string, Promise<unknown>>();
  return {
    kill: () => queues.clear(),
    tab() {
      const ownListeners = new Set<(message: unknown) => void>();
      const id = {};
      listeners.set(id, ownListeners);
      return {
        broadcast(message) {
          for (const [tab, tabListeners] of listeners)
            if (tab !== id) for (const listener of tabListeners) listener(message);
        },
        listen(listener) {
          ownListeners.add(listener);
          return () => ownListeners.delete(listener);
        },
        exclusive(name, work) {
          const previous = queues.get(name) ?? Promise.resolve();
          const turn = previous.then(work, work);
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
