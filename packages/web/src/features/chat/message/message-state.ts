import { isRemovedByModerator } from "@parley/core/model/chats/removed-by-moderator";
import { applyRowEvents } from "@parley/core/model/chats/row-events";
import type { Chat, ChatMessage, ChatWindow } from "@parley/core/model/state";
import { ChatType, MessageStatus } from "@parley/protocol/codes";
import { kindOf } from "@parley/protocol/message";

/**
 * The current version of a message that an action or a list holds; null if it was recalled or deleted. Outside the loaded window it is
 * changed only by what this client has heard of it.
 */
export function currentMessage(
  message: ChatMessage,
  { window, sync }: Pick<Chat, "window" | "sync">,
): ChatMessage | null {
  const { id } = message;
  const isSame = (one: ChatMessage) => one.key === message.key || (id !== null && one.id === id);
  const found = window.messages.find(isSame) ?? sync.pending.find(isSame);
  if (found !== undefined) return found.status === MessageStatus.RECALL ? null : found;
  if (id === null || !isOutsideWindow(id, window)) return null;
  if (sync.deletedForMe.includes(id) || isRemovedByModerator(message, sync.removedByModerator)) return null;
  const current = applyRowEvents(message, sync.events);
  return current.status === MessageStatus.RECALL ? null : current;
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
  chat: Pick<Chat, "window" | "sync">,
): ReadonlyMap<string, ChatMessage> {
  const updated = new Map<string, ChatMessage>();
  for (const [key, message] of selected) {
    const current = currentMessage(message, chat);
    if (current !== null) updated.set(key, current);
  }
  const isSame =
    updated.size === selected.size && [...updated].every(([key, one]) => one === selected.get(key));
  return isSame ? selected : updated;
}

/** The status that is shown under my last message. */
export type DeliveryStatus = "read" | "unread" | { readonly waiting: number };

/**
 * The message that shows a delivery status (interface §6: only my last one), and the status. Waiting messages count only while offline:
 * otherwise they wait for an earlier message or for the server's answer. `isReadUnknown`: there is no read status, as in the chat with oneself and for whoever has switched read receipts off.
 */
export function deliveryStatusOf(
  chat: Pick<Chat, "theirReadId" | "type" | "window">,
  isOffline: boolean,
  isReadUnknown = false,
): { readonly key: string; readonly status: DeliveryStatus } | null {
  let waiting = 0;
  let lastWaiting: ChatMessage | undefined;
  for (const message of chat.window.messages.toReversed()) {
    if (!message.selfSend || kindOf(message.type)?.isTip === true) continue;
    if (message.sending === "waiting" && isOffline) {
      lastWaiting ??= message;
      waiting += 1;
    } else if (message.sending === null && message.id !== null) {
      // A group has no read position of one other person.
      if (lastWaiting !== undefined || chat.type === ChatType.GROUP || isReadUnknown) break;
      return { key: message.key, status: message.id <= chat.theirReadId ? "read" : "unread" };
    }
  }
  return lastWaiting === undefined ? null : { key: lastWaiting.key, status: { waiting } };
}
