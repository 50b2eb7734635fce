import { MessageType } from "@parley/protocol/codes";
import { type ChatBuilder, confirmedIndexOf } from "./chat-builder.ts";
import { recallTip } from "./row-events.ts";
import { previewOf } from "./preview.ts";
import type { RowEvent } from "../state.ts";

/** What a chat keeps of single messages, for its row in the list and its composer. */

/** The preview follows the row it was made of, also when that row is not in memory. */
export function updateNewestPreview(builder: ChatBuilder, event: RowEvent): void {
  const { sync } = builder.chat;
  if (sync.newest?.id !== event.targetId) return;
  const row = builder.messages[confirmedIndexOf(builder, event.targetId)];
  const preview =
    row?.id === event.targetId
      ? (previewOf(row) ?? sync.newest.preview)
      : event.type === MessageType.EDIT
        ? { ...sync.newest.preview, text: event.content }
        : {
            ...sync.newest.preview,
            key: "content" as const,
            text: "",
            tip: recallTip({ ...sync.newest, sendId: sync.newest.preview.sendId }, event.by),
          };
  builder.chat = { ...builder.chat, sync: { ...sync, newest: { ...sync.newest, preview } } };
}

/** What the draft answers follows, and goes with the message; so does an edit not yet sent with the message it is of. */
export function updateDraftReferences(builder: ChatBuilder, event: RowEvent): void {
  const { draftQuote, draftEdit } = builder.chat;
  if (draftEdit?.id === event.targetId && event.type === MessageType.RECALL)
    builder.chat = { ...builder.chat, draftEdit: null };
  if (draftQuote?.id !== event.targetId) return;
  builder.chat = {
    ...builder.chat,
    draftQuote: event.type === MessageType.EDIT ? { ...draftQuote, content: event.content } : null,
  };
}
