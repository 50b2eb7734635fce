import type { Chat, ChatKey, Chats } from "../state.ts";

/** Pinned first, then newest first. Equal times are ordered by key, so that every client shows the same order. */
function compareChats(a: Chat, b: Chat): number {
  if (a.isTop !== b.isTop) return a.isTop ? -1 : 1;
  return b.lastSendTime - a.lastSendTime || (a.key < b.key ? -1 : 1);
}

/** The keys of the chat list in order; `previous` itself when nothing moved. */
export function sortedChatKeys(previous: Chats["order"], byKey: Chats["byKey"]): Chats["order"] {
  const order = listedChats(byKey)
    .sort(compareChats)
    .map((chat) => chat.key);
  return order.length === previous.length && order.every((key, i) => key === previous[i]) ? previous : order;
}

/** While a pull runs, no chat moves; chats that are opened or written to in this time come first (spec §4). */
export function withNewChatsFirst(previous: Chats["order"], byKey: Chats["byKey"]): Chats["order"] {
  const chats = listedChats(byKey);
  const known = new Set(previous);
  const added = chats.filter((chat) => !known.has(chat.key)).sort(compareChats);
  if (added.length === 0 && chats.length === previous.length) return previous;
  const remaining = previous.filter((key) => byKey[key]?.isRemoved === false);
  return [...added.map((chat) => chat.key), ...remaining];
}

/** The chats that are not removed from the list. */
function listedChats(byKey: Readonly<Record<ChatKey, Chat>>): Chat[] {
  return Object.values(byKey).filter((chat) => !chat.isRemoved);
}
