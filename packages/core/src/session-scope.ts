import { type Api, fail } from "./connection/api.ts";
import type { Lifetime, Ports } from "./ports.ts";
import type { StateStore } from "./state-store.ts";

/**
 * A span of time with an end: a session from login to logout, a connection, an attempt to log in. It ends once. Whatever outlives it, such as
 * the answer to a call, belongs to nobody.
 */
export interface Scope extends Lifetime {
  end(): void;
}

/** Creates a scope that begins now. */
export function createScope(): Scope {
  let isOver = false;
  const listeners = new Set<() => void>();
  return {
    isOver: () => isOver,
    onEnd(run) {
      if (isOver) run();
      else listeners.add(run);
      return () => listeners.delete(run);
    },
    end() {
      if (isOver) return;
      isOver = true;
      for (const run of listeners) run();
      listeners.clear();
    },
  };
}

/** What the services of a session use of the outside world. */
export interface SessionOutside {
  readonly ports: Ports;
  readonly stateStore: StateStore;
  readonly api: Api;
}

/**
 * Binds the outside world to a session. When the session is over, its timers are cancelled, its listeners hear nothing, it can call
 * nothing, and what it still sets, saves or broadcasts has no effect. So a service never has to ask whether an answer came too late: the
 * caller learns what became of its call, and the next session is not touched.
 */
export function bindToSession({ ports, stateStore, api }: SessionOutside, session: Scope): SessionOutside {
  const { clock, tabs, storage, environment } = ports;
  const { isOver } = session;

  /** Calls `stop` when the session ends, or earlier by the function that is returned. */
  function untilEnd(stop: () => void): () => void {
    const forget = session.onEnd(stop);
    return () => {
      forget();
      stop();
    };
  }

  function after(ms: number, run: () => void): () => void {
    if (isOver()) return () => undefined;
    const cancel = untilEnd(
      clock.after(ms, () => {
        cancel();
        run();
      }),
    );
    return cancel;
  }

  return {
    ports: {
      ...ports,
      clock: { now: clock.now, after, soon: (run) => clock.soon(() => isOver() || run()) },
      tabs: {
        ...tabs,
        broadcast: (message) => isOver() || tabs.broadcast(message),
        listen: (listener) => untilEnd(tabs.listen(listener)),
        live: (name, onAlive) => untilEnd(tabs.live(name, () => isOver() || onAlive())),
        afterLife: (name, work) => untilEnd(tabs.afterLife(name, work)),
      },
      storage: {
        ...storage,
        session: {
          get: storage.session.get,
          set: (key, value) => isOver() || storage.session.set(key, value),
          remove: (key) => isOver() || storage.session.remove(key),
        },
      },
      environment: { ...environment, onChange: (listener) => untilEnd(environment.onChange(listener)) },
    },
    stateStore: { ...stateStore, set: (part) => isOver() || stateStore.set(part) },
    api: {
      call: (endpoint, input, options) =>
        isOver() ? Promise.resolve(fail({ kind: "loggedOut" })) : api.call(endpoint, input, options),
    },
  };
}
