import type { Chat, ChatKey, Chats } from "@parley/core/model/state";
import { isMuted } from "@parley/core/model/selectors";

/** The next chat in this direction; null at the ends. If no chat is open, the first or the last one. */
export function nextChat(order: readonly ChatKey[], openKey: ChatKey | null, step: 1 | -1): ChatKey | null {
  const found = openKey === null ? -1 : order.indexOf(openKey);
  const start = found < 0 && step < 0 ? order.length : found;
  return order[start + step] ?? null;
}

/**
 * The next unread chat in this direction, wrapping around; null if there is none. Muted chats come only when no other is unread,
 * unless they mention the reader (interface §18).
 */
export function nextUnread(
  { order, byKey }: Pick<Chats, "order" | "byKey">,
  openKey: ChatKey | null,
  step: 1 | -1,
): ChatKey | null {
  const found = openKey === null ? -1 : order.indexOf(openKey);
  const start = found < 0 && step < 0 ? order.length : found;
  const others = order.map((_, index) => order.at((start + step * (index + 1)) % order.length));
  const isOtherUnread = (key: ChatKey | undefined): key is ChatKey =>
    key !== undefined && key !== openKey && isUnread(byKey[key]);
  const unread = others.filter(isOtherUnread);
  return unread.find((key) => !isSilent(byKey[key])) ?? unread[0] ?? null;
}

function isUnread(chat: Chat | undefined): boolean {
  return chat !== undefined && (chat.unread > 0 || chat.isMarkedUnread);
}

function isSilent(chat: Chat | undefined): boolean {
  if (chat === undefined) return true;
  // A mention counts although the chat is muted.
  return isMuted(chat) && !chat.isMarkedUnread && !chat.atMe && !chat.atAll;
}
