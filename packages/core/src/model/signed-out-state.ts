import type { Chats, Contacts, Groups } from "./state.ts";

/** Chats and contacts before anybody is signed in; apart from the machines that change them, which a login screen does without. */
export const EMPTY_CHATS: Chats = {
  byKey: {},
  order: [],
  openKey: null,
  loading: { PRIVATE: false, GROUP: false, SYSTEM: false },
};

export const EMPTY_CONTACTS: Contacts = {
  friends: {},
  order: [],
  requests: [],
  blacklist: [],
  users: {},
  online: {},
  isLoaded: false,
};

export const EMPTY_GROUPS: Groups = {
  byId: {},
  order: [],
  members: {},
  requests: [],
  readNotices: {},
  isLoaded: false,
};
