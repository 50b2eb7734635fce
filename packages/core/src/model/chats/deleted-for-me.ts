import type { ChatType } from "@parley/protocol/codes";
import { type ChatBuilder, removeAt, removeUnread, recomputeTimeTips } from "./chat-builder.ts";
import { newestRowOf } from "./insert-row.ts";
import { previewOf } from "./preview.ts";
import { positionOf, chatTypeOf } from "./chat-rows.ts";
import { hasDraft } from "./has-draft.ts";
import { addKnownRange } from "./known-ranges.ts";
import type { ChatKey, ChatMessage } from "../state.ts";

/** Messages that a person removes for themselves: single ones, or the history up to a mark. */

/** By type of chat, the position up to which the history was cleared; -1 or 0 for nothing. */
export type ClearedPositions = Readonly<Record<ChatType, number>>;

/** How many deleted messages of a chat are remembered. Late copies of older ones are no longer expected. */
const DELETED_FOR_ME_MAX = 500;

/** Whether a row is at or below the mark of its type of chat. */
export function isCleared(clearedPositions: ClearedPositions, key: ChatKey, message: ChatMessage): boolean {
  return positionOf(message) <= clearedPositions[chatTypeOf(key)];
}

/** Whether the person has deleted this message for themselves. */
export function isDeletedForMe(builder: ChatBuilder, message: ChatMessage): boolean {
  return message.id !== null && builder.chat.sync.deletedForMe.includes(message.id);
}

/** Removes messages, with the quote and the unsent edit that refer to them. */
export function deleteForMe(builder: ChatBuilder, ids: readonly number[]): void {
  const { sync, draftQuote, draftEdit } = builder.chat;
  const deletedForMe = [...new Set([...sync.deletedForMe, ...ids])]
    .sort((a, b) => a - b)
    .slice(-DELETED_FOR_ME_MAX);
  const isQuoteDeleted = draftQuote !== null && ids.includes(draftQuote.id);
  const isEditDeleted = draftEdit !== null && ids.includes(draftEdit.id);
  builder.chat = {
    ...builder.chat,
    draftQuote: isQuoteDeleted ? null : draftQuote,
    draftEdit: isEditDeleted ? null : draftEdit,
    sync: { ...sync, deletedForMe },
  };
  removeWhere(builder, (message) => message.id !== null && ids.includes(message.id));
  // Single messages of the system chat cannot be deleted, so positions are ids here.
  removeUnread(builder, (position) => ids.includes(position));
  if (sync.newest !== null && ids.includes(sync.newest.id)) recomputePreview(builder);
}

/** Forgets a deletion that the server refused. The caller inserts the messages again. */
export function restoreDeleted(builder: ChatBuilder, ids: readonly number[]): void {
  const { sync } = builder.chat;
  builder.chat = {
    ...builder.chat,
    sync: { ...sync, deletedForMe: sync.deletedForMe.filter((id) => !ids.includes(id)) },
  };
}

/** Empties a chat up to the mark. A chat without messages and draft is removed from the list unless it is open. */
export function clearMessages(builder: ChatBuilder, upTo: number, isOpen: boolean): void {
  const before = builder.messages.length;
  removeWhere(builder, (message) => message.id !== null && positionOf(message) <= upTo);
  // An empty window says nothing about the messages above the mark, which may be in the local database.
  const isAllCleared = (builder.chat.sync.newest?.position ?? 0) <= upTo;
  const isTrimmed = builder.messages.length < before || (builder.confirmedCount === 0 && isAllCleared);
  removeUnread(builder, (position) => position <= upTo);
  const { sync, window, draftQuote, draftEdit } = builder.chat;
  const known = addKnownRange(sync, { from: 0, to: upTo + 1 });
  const isFullyKnown = known.knownFrom === 0;
  builder.chat = {
    ...builder.chat,
    draftQuote: draftQuote !== null && draftQuote.id <= upTo ? null : draftQuote,
    draftEdit: draftEdit !== null && draftEdit.id <= upTo ? null : draftEdit,
    sync: {
      ...sync,
      ...known,
      timeTipBeforeWindow: isTrimmed ? null : sync.timeTipBeforeWindow,
      deletedForMe: sync.deletedForMe.filter((id) => id > upTo),
      removedByModerator: sync.removedByModerator.filter((removal) => removal.upTo > upTo),
    },
    window: isTrimmed && isFullyKnown ? { ...window, hasOlder: false, older: "idle" } : window,
  };
  if (isTrimmed) recomputeTimeTips(builder, 0);
  if (sync.newest !== null && sync.newest.position <= upTo) recomputePreview(builder);
  const { chat } = builder;
  const isEmpty = chat.sync.newest === null && builder.messages.length === 0;
  if (isEmpty && !hasDraft(chat) && !isOpen) builder.chat = { ...chat, isRemoved: true };
  builder.isChanged = true;
}

/** The newest row was removed: preview and time fall back to the row before it once that is known. `rows`: the newest known, ascending. */
export function recomputePreview(
  builder: ChatBuilder,
  rows: readonly ChatMessage[] = builder.chat.window.hasNewer
    ? []
    : builder.messages.slice(0, builder.confirmedCount),
): void {
  const { sync, window } = builder.chat;
  for (const message of rows.toReversed()) {
    const preview = previewOf(message);
    if (message.id === null || preview === null) continue;
    builder.chat = {
      ...builder.chat,
      sync: { ...sync, newest: newestRowOf(message, message.id, preview), needsPreview: false },
    };
    return;
  }
  const needsPreview = window.hasOlder || window.hasNewer;
  builder.chat = {
    ...builder.chat,
    sync: { ...sync, newest: needsPreview ? sync.newest : null, needsPreview },
  };
}

/** Removes the confirmed messages that match. */
export function removeWhere(builder: ChatBuilder, shouldRemove: (message: ChatMessage) => boolean): void {
  for (let i = builder.confirmedCount - 1; i >= 0; i--) {
    const message = builder.messages[i];
    if (message !== undefined && shouldRemove(message)) removeAt(builder, i);
  }
}
