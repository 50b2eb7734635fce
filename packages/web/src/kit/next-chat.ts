import type { Chat, ChatKey, Chats } from "@parley/core/model/state";
import { isMuted } from "@parley/core/model/selectors";

/** The next chat in this direction; with none open the search begins at that end. null at the ends. */
export function nextChat(order: readonly ChatKey[], openKey: ChatKey | null, step: 1 | -1): ChatKey | null {
  const found = openKey === null ? -1 : order.indexOf(openKey);
  const start = found < 0 && step < 0 ? order.length : found;
  return order[start + step] ?? null;
}

/**
 * The next chat that waits for its reader, in this direction and round the ends; null for none. Muted ones come when no other waits,
 * unless they name the reader (interface §18).
 */
export function nextUnread(
  { order, byKey }: Pick<Chats, "order" | "byKey">,
  openKey: ChatKey | null,
  step: 1 | -1,
): ChatKey | null {
  const found = openKey === null ? -1 : order.indexOf(openKey);
  const start = found < 0 && step < 0 ? order.length : found;
  const others = order.map((_, index) => order.at((start + step * (index + 1)) % order.length));
  const waits = (key: ChatKey | undefined): key is ChatKey =>
    key !== undefined && key !== openKey && isWaiting(byKey[key]);
  const waiting = others.filter(waits);
  return waiting.find((key) => !isSilent(byKey[key])) ?? waiting[0] ?? null;
}

function isWaiting(chat: Chat | undefined): boolean {
  return chat !== undefined && (chat.unread > 0 || chat.isMarkedUnread);
}

function isSilent(chat: Chat | undefined): boolean {
  if (chat === undefined) return true;
  // Whoever is named is called, silence or not.
  return isMuted(chat) && !chat.isMarkedUnread && !chat.atMe && !chat.atAll;
}
