import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { deletePrivateMessages, recallPrivateMessage } from "@parley/protocol/endpoints/messages";
import { flushAllMessages } from "@parley/protocol/endpoints/users";

/** What a client of this version calls. */
export const CALLS = {
  ...ENDPOINTS,
  recallPrivateMessage,
  deletePrivateMessages,
  flushAllMessages,
} as const;
export type CallName = keyof typeof CALLS;
