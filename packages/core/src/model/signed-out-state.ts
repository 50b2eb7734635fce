import type { Broadcast } from "./broadcast/broadcast.ts";
import type { Typists } from "./chats/typing.ts";
import type { Chats, Contacts, Groups } from "./state.ts";

/** The state before anybody signs in. It is in a file of its own because the login screen does not load the code that changes it. */

/** No chats. */
export const EMPTY_CHATS: Chats = {
  byKey: {},
  order: [],
  openKey: null,
  loading: { PRIVATE: false, GROUP: false, SYSTEM: false },
};

/** No contacts. */
export const EMPTY_CONTACTS: Contacts = {
  friends: {},
  order: [],
  requests: [],
  blacklist: [],
  users: {},
  online: {},
  isLoaded: false,
};

/** No groups. */
export const EMPTY_GROUPS: Groups = {
  byId: {},
  order: [],
  members: {},
  requests: [],
  isLoaded: false,
};

/** Nobody types. */
export const NO_TYPISTS: Typists = {};

/** No broadcast. */
export const EMPTY_BROADCAST: Broadcast = { draft: { userIds: [], text: "", attachments: [] }, run: null };
