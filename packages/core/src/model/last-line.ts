import { MessageType } from "@parley/protocol/codes";
import { type ChatDraft, placeOf } from "./draft.ts";
import { recallTip } from "./events.ts";
import { previewOf } from "./preview.ts";
import type { RowEvent } from "./state.ts";

/** What a chat keeps of single messages, for its row in the list and its composer. */

/** The preview follows the row it was made of, also when that row is not in memory. */
export function changeNewest(draft: ChatDraft, event: RowEvent): void {
  const { book } = draft.chat;
  if (book.newest?.id !== event.targetId) return;
  const row = draft.messages[placeOf(draft, event.targetId)];
  const preview =
    row?.id === event.targetId
      ? (previewOf(row) ?? book.newest.preview)
      : event.type === MessageType.EDIT
        ? { ...book.newest.preview, text: event.content }
        : {
            ...book.newest.preview,
            key: "content" as const,
            text: "",
            tip: recallTip({ ...book.newest, sendId: book.newest.preview.sendId }, event.by),
          };
  draft.chat = { ...draft.chat, book: { ...book, newest: { ...book.newest, preview } } };
}

/** What the draft answers follows, and goes with the message; so does an edit not yet sent with the message it is of. */
export function changeQuoted(draft: ChatDraft, event: RowEvent): void {
  const { draftQuote, draftEdit } = draft.chat;
  if (draftEdit?.id === event.targetId && event.type === MessageType.RECALL)
    draft.chat = { ...draft.chat, draftEdit: null };
  if (draftQuote?.id !== event.targetId) return;
  draft.chat = {
    ...draft.chat,
    draftQuote: event.type === MessageType.EDIT ? { ...draftQuote, content: event.content } : null,
  };
}
