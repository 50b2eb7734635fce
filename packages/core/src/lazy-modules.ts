import { createGroupActions } from "./groups/group-actions.ts";
import type { LazyModules } from "./lazy-actions.ts";
import { createContactActions } from "./contacts/contact-actions.ts";
import { createMessageSearch } from "./search/message-search.ts";
import { createEvictionWork } from "./chats/eviction-work.ts";

/** All lazy modules. A dynamic import of this file puts them into a chunk of their own. */
export const LAZY_MODULES: LazyModules = {
  createGroupActions,
  createContactActions,
  createMessageSearch,
  createEvictionWork,
};
