/** A store for one node that can delay results. A dead node never gets a result. */
import type { Store } from "@parley/server/ports/store";

/** A result of the store that is delayed. */
export interface DelayedResult {
  method: string;
  /** When the delay began. */
  at: number;
  release(): void;
}

/** The delays of all nodes of a simulation. */
export interface StoreDelays {
  /** The delayed results, oldest first. */
  readonly delayed: DelayedResult[];
  /** The number of calls without a result. */
  inFlight: number;
  /** Increases with every call, result and delivery. */
  activity: number;
  now(): number;
  /** Called when something may have been committed. */
  onWritten(): void;
  /** Whether to delay the result of a call. */
  shouldDelay(method: string): boolean;
}

/** The methods that commit. */
export const WRITE_METHODS: ReadonlySet<string> = new Set(["write", "appendPrivate", "appendGroup"]);

/** Wraps the store for one node. `isDead`: whether this node is dead. */
export function createDelayedStore(store: Store, delays: StoreDelays, isDead: () => boolean): Store {
  const never = new Promise<never>(() => undefined);
  const wrappers = new Map<string | symbol, unknown>();
  const delay =
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
        wrappers.get(name) ?? delay(String(name), value as (...args: unknown[]) => Promise<unknown>);
      wrappers.set(name, wrapped);
      return wrapped;
    },
  });
}
