import { MessageType } from "@parley/protocol/codes";
import { type ChatBuilder, removeUnread, replaceAt } from "./chat-builder.ts";
import { isMaskedQuote, maskedQuote } from "./row-events.ts";
import { recomputePreview, removeWhere } from "./deleted-for-me.ts";
import type { ChatMessage, ModeratorRemoval, RowEvent } from "../state.ts";

/** Messages that go because their sender was removed from a group with all that he wrote; he may be back and write on. */

/** Whether a row is one of those that are gone. A message on its way has no id yet, and stays. */
export function isRemovedByModerator(
  { id, sendId }: { readonly id: number | null; readonly sendId: number },
  removals: readonly ModeratorRemoval[],
): boolean {
  return (
    removals.length > 0 &&
    id !== null &&
    removals.some((removal) => removal.userId === sendId && id <= removal.upTo)
  );
}

/** The message without what it quotes of those that are gone. */
export function maskRemovedQuotes(message: ChatMessage, removals: readonly ModeratorRemoval[]): ChatMessage {
  const quote = message.quoteMessage;
  if (
    quote === null ||
    removals.length === 0 ||
    isMaskedQuote(quote) ||
    !isRemovedByModerator(quote, removals)
  )
    return message;
  return { ...message, quoteMessage: maskedQuote(quote) };
}

/** An edit holds text as well; nobody but the sender of a message edits it. */
function isEditBySender({ id, type, by }: RowEvent, { userId, upTo }: ModeratorRemoval): boolean {
  return type === MessageType.EDIT && by?.id === userId && id <= upTo;
}

/** Answers the messages that quoted what is gone, as they now stand; null: it was known. */
export function removeByModerator(builder: ChatBuilder, removal: ModeratorRemoval): ChatMessage[] | null {
  const { sync, draftQuote } = builder.chat;
  if (sync.removedByModerator.some(({ userId, upTo }) => userId === removal.userId && upTo >= removal.upTo))
    return null;
  const removals = [...sync.removedByModerator.filter(({ userId }) => userId !== removal.userId), removal];
  const isQuoteRemoved = draftQuote !== null && isRemovedByModerator(draftQuote, removals);
  builder.chat = {
    ...builder.chat,
    draftQuote: isQuoteRemoved ? null : draftQuote,
    sync: {
      ...sync,
      removedByModerator: removals,
      events: sync.events.filter((event) => !isEditBySender(event, removal)),
    },
  };
  removeWhere(builder, (message) => isRemovedByModerator(message, removals));
  removeUnread(builder, (id, sendId) => isRemovedByModerator({ id, sendId }, removals));
  const { newest } = sync;
  if (newest !== null && isRemovedByModerator({ id: newest.id, sendId: newest.preview.sendId }, removals))
    recomputePreview(builder);
  const changed: ChatMessage[] = [];
  builder.messages.forEach((message, i) => {
    const after = maskRemovedQuotes(message, removals);
    if (after === message) return;
    replaceAt(builder, i, after);
    if (after.id !== null) changed.push(after);
  });
  return changed;
}
