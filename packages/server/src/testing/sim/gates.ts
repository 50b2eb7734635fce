/** The store as one node sees it: answers may come late, and to a node that is dead they never come. */
import type { Store } from "../../ports/store.ts";

/** An answer of the store that waits to be let through. */
export interface Held {
  method: string;
  /** Since when. */
  at: number;
  release(): void;
}

export interface Gates {
  /** Answers that wait, the oldest first. */
  readonly held: Held[];
  /** Asked for and not answered. */
  underWay: number;
  /** Rises whenever anything moves. */
  activity: number;
  now(): number;
  /** Something may have been committed. */
  onWritten(): void;
  /** Whether this answer is to wait. */
  isHeld(method: string): boolean;
}

export const WRITES: ReadonlySet<string> = new Set(["write", "appendPrivate", "appendGroup"]);

/** What a node asks for. `isDead`: the node's; nothing reaches it any more. */
export function gatedStore(store: Store, gates: Gates, isDead: () => boolean): Store {
  const never = new Promise<never>(() => undefined);
  const known = new Map<string | symbol, unknown>();
  const gated =
    (method: string, call: (...args: unknown[]) => Promise<unknown>) =>
    async (...args: unknown[]): Promise<unknown> => {
      if (isDead()) return never;
      gates.activity++;
      gates.underWay++;
      let outcome: { value: unknown } | { error: unknown };
      try {
        outcome = { value: await call.apply(store, args) };
      } catch (error) {
        outcome = { error };
      }
      gates.underWay--;
      gates.activity++;
      if (WRITES.has(method)) gates.onWritten();
      if (isDead()) return never;
      if (gates.isHeld(method)) {
        await new Promise<void>((resolve) => gates.held.push({ method, at: gates.now(), release: resolve }));
        gates.activity++;
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
        known.get(name) ?? gated(String(name), value as (...args: unknown[]) => Promise<unknown>);
      known.set(name, wrapped);
      return wrapped;
    },
  });
}
