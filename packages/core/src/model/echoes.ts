import { type ChatDraft, findOwn, insertAt, removeAt, replaceAt } from "./draft.ts";
import { applyEvents } from "./events.ts";
import { withoutPurged } from "./purge.ts";
import type { ChatMessage, Failure, Sending } from "./state.ts";

/** Messages of one's own that only this client has. */

export function addEcho(draft: ChatDraft, echo: ChatMessage): void {
  // Another tab may have sent it, and its row been here first.
  if (echo.tmpId !== null && findOwn(draft, echo.tmpId) !== undefined) return;
  // Never before what it answers, even when this computer's clock is behind.
  const sendTime = Math.max(echo.sendTime, draft.chat.book.newest?.sendTime ?? 0);
  const { events, purged } = draft.chat.book;
  const message = withoutPurged(applyEvents(echo, events), purged);
  insertAt(draft, draft.messages.length, { ...message, sendTime });
  if (draft.chat.isRemoved) draft.chat = { ...draft.chat, isRemoved: false };
}

function pendingIndex(draft: ChatDraft, tmpId: string): number {
  return draft.messages.findIndex((message) => message.id === null && message.tmpId === tmpId);
}

export function setSending(draft: ChatDraft, tmpId: string, sending: Sending, failure: Failure | null): void {
  const index = pendingIndex(draft, tmpId);
  const message = draft.messages[index];
  if (message !== undefined) replaceAt(draft, index, { ...message, sending, failure });
}

export function discard(draft: ChatDraft, tmpId: string): void {
  const index = pendingIndex(draft, tmpId);
  if (index >= 0) removeAt(draft, index);
}
