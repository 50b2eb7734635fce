/** The store as one node sees it: answers may come late, and to a node that is dead they never come. */
import type { Store } from "../../ports/store.ts";

/** An answer of the store that waits to be let through. */
export interface DelayedAnswer {
  method: string;
  /** Since when. */
  at: number;
  release(): void;
}

export interface StoreDelays {
  /** Answers that wait, the oldest first. */
  readonly delayed: DelayedAnswer[];
  /** Asked for and not answered. */
  inFlight: number;
  /** Rises whenever anything moves. */
  activity: number;
  now(): number;
  /** Something may have been committed. */
  onWritten(): void;
  /** Whether this answer is to wait. */
  shouldDelay(method: string): boolean;
}

export const WRITE_METHODS: ReadonlySet<string> = new Set(["write", "appendPrivate", "appendGroup"]);

/** What a node asks for. `isDead`: the node's; nothing reaches it any more. */
export function createDelayedStore(store: Store, delays: StoreDelays, isDead: () => boolean): Store {
  const never = new Promise<never>(() => undefined);
  const known = new Map<string | symbol, unknown>();
  const delaying =
    (method: string, call: (...args: unknown[]) => Promise<unknown>) =>
    async (...args: unknown[]): Promise<unknown> => {
      if (isDead()) return never;
      delays.activity++;
      delays.inFlight++;
      let outcome: { value: unknown } | { error: unknown };
      try {
        outcome = { value: await call.apply(store, args) };
      } catch (error) {
        outcome = { error };
      }
      delays.inFlight--;
      delays.activity++;
      if (WRITE_METHODS.has(method)) delays.onWritten();
      if (isDead()) return never;
      if (delays.shouldDelay(method)) {
        await new Promise<void>((resolve) =>
          delays.delayed.push({ method, at: delays.now(), release: resolve }),
        );
        delays.activity++;
        if (isDead()) return never;
      }
      if ("error" in outcome) throw outcome.error;
      return outcome.value;
    };
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      const wrapped =
        known.get(name) ?? delaying(String(name), value as (...args: unknown[]) => Promise<unknown>);
      known.set(name, wrapped);
      return wrapped;
    },
  });
}
