import type { ChatMessage, ChatWindow } from "@parley/core/model/state";
import { MessageStatus } from "@parley/protocol/codes";

/**
 * A message that somebody has taken up, as it stands now: edited meanwhile perhaps; null when it was recalled or deleted. What has only left
 * the memory stands as it was.
 */
export function currentMessage(message: ChatMessage, window: ChatWindow): ChatMessage | null {
  const { id } = message;
  const found = window.messages.find((one) => one.key === message.key || (id !== null && one.id === id));
  if (found !== undefined) return found.status === MessageStatus.RECALL ? null : found;
  return id !== null && isOutsideWindow(id, window) ? message : null;
}

/** Whether a message that is not in memory may still be there, before or behind what is. */
export function isOutsideWindow(id: number, { messages, hasOlder, hasNewer }: ChatWindow): boolean {
  const ids = messages.flatMap((one) => (one.id === null ? [] : [one.id]));
  const isAbove = hasOlder && id < (ids[0] ?? Infinity);
  const isBelow = hasNewer && id > (ids.at(-1) ?? 0);
  return isAbove || isBelow;
}

/** The chosen messages as they stand now, without those that are gone; the same value when nothing happened to them. */
export function currentSelection(
  selected: ReadonlyMap<string, ChatMessage>,
  window: ChatWindow,
): ReadonlyMap<string, ChatMessage> {
  const now = new Map<string, ChatMessage>();
  for (const [key, message] of selected) {
    const current = currentMessage(message, window);
    if (current !== null) now.set(key, current);
  }
  const isSame = now.size === selected.size && [...now].every(([key, one]) => one === selected.get(key));
  return isSame ? selected : now;
}
