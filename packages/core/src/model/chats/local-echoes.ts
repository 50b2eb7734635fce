import { type ChatBuilder, findOwn, insertAt, removeAt, replaceAt } from "./chat-builder.ts";
import { applyRowEvents } from "./row-events.ts";
import { maskRemovedQuotes } from "./removed-by-moderator.ts";
import type { ChatMessage, Failure, Sending } from "../state.ts";

/** Local echoes: one's own messages that the server has not acknowledged. */

/** Shows a local echo behind all other messages. */
export function addLocalEcho(builder: ChatBuilder, localEcho: ChatMessage): void {
  // Another tab may have sent it, and its row may be here already.
  if (localEcho.tmpId !== null && findOwn(builder, localEcho.tmpId) !== undefined) return;
  // Never before the newest row, even if this computer's clock is behind.
  const sendTime = Math.max(localEcho.sendTime, builder.chat.sync.newest?.sendTime ?? 0);
  const { events, removedByModerator } = builder.chat.sync;
  const message = maskRemovedQuotes(applyRowEvents(localEcho, events), removedByModerator);
  insertAt(builder, builder.messages.length, { ...message, sendTime });
  if (builder.chat.isRemoved) builder.chat = { ...builder.chat, isRemoved: false };
}

function pendingIndex(builder: ChatBuilder, tmpId: string): number {
  return builder.messages.findIndex((message) => message.id === null && message.tmpId === tmpId);
}

/** Changes the sending state of a local echo. */
export function setSending(
  builder: ChatBuilder,
  tmpId: string,
  sending: Sending,
  failure: Failure | null,
): void {
  const index = pendingIndex(builder, tmpId);
  const message = builder.messages[index];
  if (message !== undefined) replaceAt(builder, index, { ...message, sending, failure });
}

/** Removes a local echo. */
export function discardLocalEcho(builder: ChatBuilder, tmpId: string): void {
  const index = pendingIndex(builder, tmpId);
  if (index >= 0) removeAt(builder, index);
}
