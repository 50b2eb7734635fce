import type { Chat, ChatKey, Chats } from "../state.ts";

/** Pinned first, then newest first; equal times by key, so that every client shows the same order. */
function compareChats(a: Chat, b: Chat): number {
  if (a.isTop !== b.isTop) return a.isTop ? -1 : 1;
  return b.lastSendTime - a.lastSendTime || (a.key < b.key ? -1 : 1);
}

/** The list as it is to be shown; the value before when nothing moved. */
export function sortedChatKeys(previous: Chats["order"], byKey: Chats["byKey"]): Chats["order"] {
  const order = listedChats(byKey)
    .sort(compareChats)
    .map((chat) => chat.key);
  return order.length === previous.length && order.every((key, i) => key === previous[i]) ? previous : order;
}

/** While a pull runs nothing moves; what a person opens or writes to meanwhile stands in front (spec §4). */
export function withNewChatsFirst(before: Chats["order"], byKey: Chats["byKey"]): Chats["order"] {
  const chats = listedChats(byKey);
  const known = new Set(before);
  const added = chats.filter((chat) => !known.has(chat.key)).sort(compareChats);
  if (added.length === 0 && chats.length === before.length) return before;
  const left = before.filter((key) => byKey[key]?.isRemoved === false);
  return [...added.map((chat) => chat.key), ...left];
}

/** Chats that were deleted from the list are not in it. */
function listedChats(byKey: Readonly<Record<ChatKey, Chat>>): Chat[] {
  return Object.values(byKey).filter((chat) => !chat.isRemoved);
}
