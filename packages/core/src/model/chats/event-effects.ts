import { MessageType } from "@parley/protocol/codes";
import { type ChatBuilder, confirmedIndexOf } from "./chat-builder.ts";
import { recallTip } from "./row-events.ts";
import { previewOf } from "./preview.ts";
import type { RowEvent } from "../state.ts";

/** Effects of edits and recalls on the copies of a message in the preview and the draft. */

/** Updates the preview if the event changes the newest row, which need not be in memory. */
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

/** Updates the quote of the draft; drops the quote and an unsent edit of a recalled message. */
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
