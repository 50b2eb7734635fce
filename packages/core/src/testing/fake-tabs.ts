import type { Tabs } from "../ports.ts";

/** The tabs of one device: broadcasts arrive in the other tabs at once, and exclusive work queues up. */
export interface FakeTabs {
  tab(): Tabs;
  /** Ends all tabs and releases their locks. */
  kill(): void;
  /** Ends one tab. The others notice it when what they do now is done. */
  crash(tab: Tabs): void;
}

/** Creates a device without tabs. */
export function createFakeTabs(): FakeTabs {
  const listeners = new Map<object, Set<(message: unknown) => void>>();
  const queues = new Map<string, Promise<unknown>>();
  /** The ends of the signs of life, by tab. */
  const lives = new Map<Tabs, Set<() => void>>();
  const ends = new Map<string, Promise<void>>();
  return {
    kill() {
      queues.clear();
      lives.clear();
      ends.clear();
    },
    crash(tab) {
      for (const end of lives.get(tab) ?? []) end();
    },
    tab() {
      const ownListeners = new Set<(message: unknown) => void>();
      const id = {};
      listeners.set(id, ownListeners);
      const ownLives = new Set<() => void>();
      const tab: Tabs = {
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
        live(name, onAlive) {
          let end = (): void => undefined;
          ends.set(name, new Promise((resolve) => (end = resolve)));
          ownLives.add(end);
          onAlive();
          return end;
        },
        afterLife(name, work) {
          let isWaiting = true;
          const turn = (ends.get(name) ?? Promise.resolve()).then(() => (isWaiting ? work() : undefined));
          ends.set(name, turn);
          return () => (isWaiting = false);
        },
      };
      lives.set(tab, ownLives);
      return tab;
    },
  };
}
