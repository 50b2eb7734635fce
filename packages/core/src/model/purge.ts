import { MessageType } from "@parley/protocol/codes";
import { type ChatDraft, removeUnread, replaceAt } from "./draft.ts";
import { isMasked, maskedQuote } from "./events.ts";
import { fallBack, removeWhere } from "./gone.ts";
import type { ChatMessage, Purge, RowEvent } from "./state.ts";

/** Messages that go because their sender was removed from a group with all that he wrote; he may be back and write on. */

/** Whether a row is one of those that are gone. A message on its way has no id yet, and stays. */
export function isPurged(
  { id, sendId }: { readonly id: number | null; readonly sendId: number },
  purged: readonly Purge[],
): boolean {
  return (
    purged.length > 0 && id !== null && purged.some((purge) => purge.userId === sendId && id <= purge.upTo)
  );
}

/** The message without what it quotes of those that are gone. */
export function withoutPurged(message: ChatMessage, purged: readonly Purge[]): ChatMessage {
  const quote = message.quoteMessage;
  if (quote === null || purged.length === 0 || isMasked(quote) || !isPurged(quote, purged)) return message;
  return { ...message, quoteMessage: maskedQuote(quote) };
}

/** An edit holds text as well; nobody but the sender of a message edits it. */
function isOf({ id, type, by }: RowEvent, { userId, upTo }: Purge): boolean {
  return type === MessageType.EDIT && by?.id === userId && id <= upTo;
}

/** Answers the messages that quoted what is gone, as they now stand; null: it was known. */
export function purgeMessages(draft: ChatDraft, purge: Purge): ChatMessage[] | null {
  const { book, draftQuote } = draft.chat;
  if (book.purged.some(({ userId, upTo }) => userId === purge.userId && upTo >= purge.upTo)) return null;
  const purged = [...book.purged.filter(({ userId }) => userId !== purge.userId), purge];
  const isQuoteGone = draftQuote !== null && isPurged(draftQuote, purged);
  draft.chat = {
    ...draft.chat,
    draftQuote: isQuoteGone ? null : draftQuote,
    book: { ...book, purged, events: book.events.filter((event) => !isOf(event, purge)) },
  };
  removeWhere(draft, (message) => isPurged(message, purged));
  removeUnread(draft, (id, sendId) => isPurged({ id, sendId }, purged));
  const { newest } = book;
  if (newest !== null && isPurged({ id: newest.id, sendId: newest.preview.sendId }, purged)) fallBack(draft);
  const changed: ChatMessage[] = [];
  draft.messages.forEach((message, i) => {
    const after = withoutPurged(message, purged);
    if (after === message) return;
    replaceAt(draft, i, after);
    if (after.id !== null) changed.push(after);
  });
  return changed;
}
