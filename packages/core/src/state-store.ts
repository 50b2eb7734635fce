import { createStore } from "zustand/vanilla";
import { EMPTY_SHARED_STATE } from "./model/shared-values.ts";
import {
  EMPTY_BROADCAST,
  EMPTY_CHATS,
  EMPTY_CONTACTS,
  EMPTY_GROUPS,
  NO_TYPISTS,
} from "./model/signed-out-state.ts";
import type { State } from "./model/state.ts";

/** The state that screens show, with its subscribers. */
export interface StateStore {
  get(): State;
  /** Replaces parts; equal parts change nothing. */
  set(part: Partial<State>): void;
  /** Listeners are called once, when `run` has ended, however often it sets something. */
  batch<T>(run: () => T): T;
  subscribe(listener: () => void): () => void;
}

/** The state while nobody is signed in. */
export const INITIAL_STATE: State = {
  session: { kind: "anonymous", ended: null },
  connection: { kind: "off" },
  display: null,
  config: null,
  clockAheadMs: 0,
  me: null,
  chats: EMPTY_CHATS,
  firstChats: null,
  pulled: "never",
  contacts: EMPTY_CONTACTS,
  groups: EMPTY_GROUPS,
  unsentActs: {},
  pins: {},
  typists: NO_TYPISTS,
  reactionNotices: {},
  unsentPrefs: {},
  unsentSaves: {},
  savedCopies: {},
  uploads: {},
  ...EMPTY_SHARED_STATE,
  broadcast: EMPTY_BROADCAST,
  call: null,
  storage: "disk",
  webPush: { kind: "off" },
};

/** Creates a store with the initial state. */
export function createStateStore(): StateStore {
  const store = createStore<State>()(() => INITIAL_STATE);
  let state = INITIAL_STATE;
  let depth = 0;

  function notifyListeners(): void {
    if (depth === 0 && state !== store.getState()) store.setState(state, true);
  }

  return {
    get: () => state,
    set(part) {
      const keys = Object.keys(part) as (keyof State)[];
      if (keys.every((key) => Object.is(part[key], state[key]))) return;
      state = { ...state, ...part };
      notifyListeners();
    },
    batch(run) {
      depth++;
      try {
        return run();
      } finally {
        depth--;
        notifyListeners();
      }
    },
    subscribe: (listener) => store.subscribe(() => listener()),
  };
}
