import type { ChatMessage, ChatWindow } from "@parley/core/model/state";
import { MessageStatus } from "@parley/protocol/codes";

/**
 * The current version of a message that an action holds; null if it was recalled or deleted. A message that is only outside the loaded
 * window is returned unchanged.
 */
export function currentMessage(message: ChatMessage, window: ChatWindow): ChatMessage | null {
  const { id } = message;
  const found = window.messages.find((one) => one.key === message.key || (id !== null && one.id === id));
  if (found !== undefined) return found.status === MessageStatus.RECALL ? null : found;
  return id !== null && isOutsideWindow(id, window) ? message : null;
}

/** Whether a message that is not loaded may exist before or after the loaded window. */
export function isOutsideWindow(id: number, { messages, hasOlder, hasNewer }: ChatWindow): boolean {
  const ids = messages.flatMap((one) => (one.id === null ? [] : [one.id]));
  const isAbove = hasOlder && id < (ids[0] ?? Infinity);
  const isBelow = hasNewer && id > (ids.at(-1) ?? 0);
  return isAbove || isBelow;
}

/** The current versions of the selected messages, without removed ones; the same map if nothing changed. */
export function currentSelection(
  selected: ReadonlyMap<string, ChatMessage>,
  window: ChatWindow,
): ReadonlyMap<string, ChatMessage> {
  const updated = new Map<string, ChatMessage>();
  for (const [key, message] of selected) {
    const current = currentMessage(message, window);
    if (current !== null) updated.set(key, current);
  }
  const isSame =
    updated.size === selected.size && [...updated].every(([key, one]) => one === selected.get(key));
  return isSame ? selected : updated;
}
