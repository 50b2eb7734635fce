import { createStore } from "zustand/vanilla";
import { NO_CHATS, NO_CONTACTS, NO_GROUPS } from "../model/nobody.ts";
import type { State } from "../model/state.ts";

export interface Store {
  get(): State;
  /** Replaces parts; equal parts change nothing. */
  set(part: Partial<State>): void;
  /** However much `run` sets, listeners hear of it once, at its end. */
  batch<T>(run: () => T): T;
  subscribe(listener: () => void): () => void;
}

export const INITIAL_STATE: State = {
  session: { kind: "anonymous", ended: null },
  connection: { kind: "off" },
  display: null,
  config: null,
  me: null,
  chats: NO_CHATS,
  contacts: NO_CONTACTS,
  groups: NO_GROUPS,
  storage: "disk",
};

export function createStateStore(): Store {
  const store = createStore<State>()(() => INITIAL_STATE);
  let state = INITIAL_STATE;
  let depth = 0;

  function tell(): void {
    if (depth === 0 && state !== store.getState()) store.setState(state, true);
  }

  return {
    get: () => state,
    set(part) {
      const keys = Object.keys(part) as (keyof State)[];
      if (keys.every((key) => Object.is(part[key], state[key]))) return;
      state = { ...state, ...part };
      tell();
    },
    batch(run) {
      depth++;
      try {
        return run();
      } finally {
        depth--;
        tell();
      }
    },
    subscribe: (listener) => store.subscribe(() => listener()),
  };
}
