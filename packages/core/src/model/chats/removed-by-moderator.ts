import { MessageType } from "@parley/protocol/codes";
import { type ChatBuilder, removeUnread, replaceAt } from "./chat-builder.ts";
import { isMaskedQuote, maskedQuote } from "./row-events.ts";
import { recomputePreview, removeWhere } from "./deleted-for-me.ts";
import type { ChatMessage, ModeratorRemoval, RowEvent } from "../state.ts";

/** Messages that a moderator removed together with their sender, who may join the group again and write on. */

/** Whether a row was removed. Unsent messages have no id and stay. */
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

/** The message with its quote masked if the quoted message was removed. */
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

/** Recorded edits contain text too, and only the sender of a message can edit it. */
function isEditBySender({ id, type, by }: RowEvent, { userId, upTo }: ModeratorRemoval): boolean {
  return type === MessageType.EDIT && by?.id === userId && id <= upTo;
}

/** Removes the messages. Returns the messages whose quotes changed; null if this removal was known. */
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
