import { MessageStatus } from "@parley/protocol/codes";
import { countsAsUnread } from "@parley/protocol/alert-level";
import {
  addUnread,
  type ChatBuilder,
  findOwn,
  insertAt,
  isTimeTipDue,
  editableSync,
  confirmedIndexOf,
  removeAt,
  removeUnread,
  replaceAt,
} from "./chat-builder.ts";
import { mergeMessages } from "./merge-messages.ts";
import { previewOf } from "./preview.ts";
import { isHandled, positionOf } from "./chat-rows.ts";
import type { ChatMessage, NewestRow, Preview } from "../state.ts";

/** A row after it was put into its chat. */
export interface InsertedRow {
  readonly message: ChatMessage;
  /** It belongs below or above the window: only the local database may have a copy. */
  readonly isOutsideWindow: boolean;
}

/**
 * Inserts a row of the server: pushes, pulls, answers to sends and copies from one's other devices all come through here (spec §4).
 * Returns the resulting message, to be saved in the local database.
 */
export function insertRow(builder: ChatBuilder, row: ChatMessage): InsertedRow {
  const insertedRow = placeRow(builder, row);
  const { message } = insertedRow;
  applyReadStatus(builder, message);
  updateNewestRow(builder, message);
  if (isUnread(builder, message)) addUnread(builder, message);
  else removeSettledUnread(builder, message);
  return insertedRow;
}

/** A recalled message or an answered request is no longer unread, even if the recall itself has not arrived. */
export function removeSettledUnread(builder: ChatBuilder, message: ChatMessage): void {
  if (message.status !== MessageStatus.RECALL && !isHandled(message)) return;
  const settledPosition = positionOf(message);
  removeUnread(builder, (position) => position === settledPosition);
}

/** Merges by id or tmpId, else inserts the row by its id. Rows below or above the window stay out of memory. */
function placeRow(builder: ChatBuilder, row: ChatMessage): InsertedRow {
  const id = row.id ?? Infinity;
  const index = confirmedIndexOf(builder, id);
  const known = builder.messages[index];
  // The local echo, or a row with another id, is replaced: a tmpId has one message.
  const own = row.selfSend && row.tmpId !== null ? findOwn(builder, row.tmpId) : undefined;
  if (known !== undefined && known.id === row.id) {
    const merged = mergeMessages(known, row);
    if (own !== undefined && own.id === null) removeAt(builder, builder.messages.indexOf(own));
    if (merged !== known) replaceAt(builder, index, merged);
    return { message: merged, isOutsideWindow: false };
  }
  if (own !== undefined) {
    removeAt(builder, builder.messages.indexOf(own));
    const merged = mergeMessages(own, row);
    if (isAboveWindow(builder, id))
      return { message: withNewestTimeTip(builder, merged), isOutsideWindow: true };
    if (isBelowWindow(builder, confirmedIndexOf(builder, id), id))
      return { message: merged, isOutsideWindow: true };
    insertAt(builder, confirmedIndexOf(builder, id), merged);
    return { message: builder.messages[confirmedIndexOf(builder, id)] ?? merged, isOutsideWindow: false };
  }
  if (isAboveWindow(builder, id)) return { message: withNewestTimeTip(builder, row), isOutsideWindow: true };
  if (isBelowWindow(builder, index, id)) return { message: row, isOutsideWindow: true };
  insertAt(builder, index, row);
  return { message: builder.messages[index] ?? row, isOutsideWindow: false };
}

/** Whether there are other rows, not in memory, between this row and the window. */
function isBelowWindow(builder: ChatBuilder, index: number, id: number): boolean {
  if (index > 0 || !builder.chat.window.hasOlder) return false;
  const { newest } = builder.chat.sync;
  return builder.confirmedCount > 0 || (newest !== null && id <= newest.id);
}

/** Whether the window ends below the newest message, and this row is behind its end. */
function isAboveWindow(builder: ChatBuilder, id: number): boolean {
  return builder.chat.window.hasNewer && id > (builder.messages[builder.confirmedCount - 1]?.id ?? Infinity);
}

/** Sets the time tip of a row above the window, whose neighbours are not in memory. */
function withNewestTimeTip(builder: ChatBuilder, message: ChatMessage): ChatMessage {
  const { sync } = builder.chat;
  const isLast = (message.id ?? 0) > (sync.newest?.id ?? 0);
  if (!isLast || !isTimeTipDue(sync.newestTimeTip, message.sendTime))
    return { ...message, hasTimeTip: false };
  builder.chat = { ...builder.chat, sync: { ...sync, newestTimeTip: message.sendTime } };
  return { ...message, hasTimeTip: true };
}

/** Moves a read position up to a row with the status READED: mine for rows of others, theirs for my own (protocol: pull). */
export function applyReadStatus(builder: ChatBuilder, message: ChatMessage): void {
  // An answered request has the status READED whatever the read position is.
  if (message.status !== MessageStatus.READED || isHandled(message)) return;
  advanceReadPosition(builder, message.selfSend ? "theirs" : "mine", positionOf(message));
}

/** The record of a message as the newest row. */
export function newestRowOf(message: ChatMessage, id: number, preview: Preview): NewestRow {
  const { sendTime, sendNickName } = message;
  return { id, position: positionOf(message), sendTime, sendNickName, preview };
}

/** Records the message as the newest row if it is the newest one with a preview. */
export function updateNewestRow(builder: ChatBuilder, message: ChatMessage): void {
  const { sync } = builder.chat;
  if (message.id === null || (sync.newest !== null && message.id < sync.newest.id)) return;
  const preview = previewOf(message);
  if (preview === null) return;
  const own = editableSync(builder);
  own.newest = newestRowOf(message, message.id, preview);
  own.needsPreview = false;
}

/** Whether a message counts as unread: not one's own, not read, not recalled, not answered, of a kind that counts (spec §4). */
export function isUnread(
  builder: { chat: Pick<ChatBuilder["chat"], "readId"> },
  message: ChatMessage,
): boolean {
  if (
    message.selfSend ||
    message.status === MessageStatus.READED ||
    message.status === MessageStatus.RECALL ||
    isHandled(message)
  ) {
    return false;
  }
  if (positionOf(message) <= builder.chat.readId) return false;
  return countsAsUnread(message);
}

/** Moves a read position up, never down. My own one also clears the unread messages up to it. */
export function advanceReadPosition(builder: ChatBuilder, side: "mine" | "theirs", upTo: number): void {
  const field = side === "mine" ? "readId" : "theirReadId";
  if (upTo <= builder.chat[field]) return;
  builder.chat = { ...builder.chat, [field]: upTo };
  builder.isChanged = true;
  if (side === "mine") removeUnread(builder, (position) => position <= upTo);
}

/** The message as READED if a read position of its chat says so. */
export function withReadStatus(
  message: ChatMessage,
  chat: { readId: number; theirReadId: number },
): ChatMessage {
  if (message.status !== MessageStatus.SENDED || message.id === null) return message;
  const isRead = positionOf(message) <= (message.selfSend ? chat.theirReadId : chat.readId);
  return isRead ? { ...message, status: MessageStatus.READED } : message;
}
