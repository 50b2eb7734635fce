import { CHAT_TYPES, ChatType } from "@parley/protocol/codes";
import type { ChangeField, UserChanges } from "@parley/protocol/endpoints/changes";
import { readSystemRow } from "../connection/read-frame.ts";
import type { SharedField } from "../shared-values.ts";
import type { ChatKey, Chats } from "../state.ts";
import type { ChatInput } from "./chat-input.ts";
import { chatKey } from "./chat-rows.ts";

/** How each field of the change feed that no shared value reads becomes inputs, in the order in which they are applied. */
const READERS: Record<Exclude<ChangeField, SharedField>, (changes: UserChanges) => ChatInput[]> = {
  read: ({ read }) =>
    read.flatMap(({ type, targetId, mine, theirs }): ChatInput[] => {
      const key = chatKey(type, targetId);
      const ownPosition: ChatInput = { kind: "read", key, side: "mine", upTo: mine };
      return theirs < 0 ? [ownPosition] : [ownPosition, { kind: "read", key, side: "theirs", upTo: theirs }];
    }),
  system: ({ system }) => system.map((row) => readSystemRow(row).input),
  cleared: ({ cleared }) => cleared.map(({ type, upTo }) => ({ kind: "cleared", type, upTo })),
  hidden: ({ hidden }) =>
    hidden.map(({ type, targetId, ids }) => ({ kind: "deleteForMe", key: chatKey(type, targetId), ids })),
  purged: ({ purged }) =>
    purged.map(({ groupId, userId, upTo }) => ({
      kind: "removeByModerator",
      key: chatKey(ChatType.GROUP, groupId),
      removal: { userId, upTo },
    })),
  extras: ({ extras }) =>
    extras.map(({ type, targetId, ...change }) => ({ kind: "extra", key: chatKey(type, targetId), change })),
  receipts: ({ receipts }) =>
    receipts.map(({ groupId, ...receipt }) => ({
      kind: "receipt",
      key: chatKey(ChatType.GROUP, groupId),
      receipt,
    })),
};

/** An answer of the change feed as inputs of the chats. */
export function inputsOfChanges(changes: UserChanges): ChatInput[] {
  return Object.values(READERS).flatMap((read) => read(changes));
}

/** Inputs that clear all messages of the server that are here. */
export function inputsToClear(chats: Chats): ChatInput[] {
  return CHAT_TYPES.map((type) => {
    const ofType = Object.values(chats.byKey).filter((chat) => chat.type === type);
    return {
      kind: "cleared",
      type,
      upTo: Math.max(0, ...ofType.map(({ sync }) => sync.newest?.position ?? 0)),
    };
  });
}

/** The chats of which the server has a lower read position than this client. */
export function chatsReadFurtherHere(changes: UserChanges, chats: Chats): ChatKey[] {
  return changes.read.flatMap(({ type, targetId, mine }) => {
    const key = chatKey(type, targetId);
    return (chats.byKey[key]?.readId ?? -1) > mine ? [key] : [];
  });
}
