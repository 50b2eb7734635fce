import type { Chats } from "./state.ts";

/** The state before anybody is signed in; apart from the machine that changes it, which a login screen does without. */
export const NO_CHATS: Chats = {
  byKey: {},
  order: [],
  openKey: null,
  loading: { PRIVATE: false, GROUP: false, SYSTEM: false },
};
