import { MessageStatus } from "@parley/protocol/codes";
import { kindOf } from "@parley/protocol/message";
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
  /** It belongs below or above the window, so that only the disk may know it already. */
  readonly isOutsideWindow: boolean;
}

/**
 * Puts a row of the server into its chat: the one way for pushes, pulls, answers to sends and copies of one's other devices (spec §4).
 * Answers the message as it now stands, for the disk.
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

/** What is found taken back counts no more, also before the recall itself is told; nor does a request that was answered. */
export function removeSettledUnread(builder: ChatBuilder, message: ChatMessage): void {
  if (message.status !== MessageStatus.RECALL && !isHandled(message)) return;
  const settledPosition = positionOf(message);
  removeUnread(builder, (position) => position === settledPosition);
}

/** Merges by id or tmpId, else places the row before the first with a larger id. Rows below or above the window stay out of memory. */
function placeRow(builder: ChatBuilder, row: ChatMessage): InsertedRow {
  const id = row.id ?? Infinity;
  const index = confirmedIndexOf(builder, id);
  const known = builder.messages[index];
  // The echo, or a row under another id, makes room: there is one message for one tmpId.
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

/** Whether other rows, not in memory, stand between this one and the window. */
function isBelowWindow(builder: ChatBuilder, index: number, id: number): boolean {
  if (index > 0 || !builder.chat.window.hasOlder) return false;
  const { newest } = builder.chat.sync;
  return builder.confirmedCount > 0 || (newest !== null && id <= newest.id);
}

/** The window ends below the newest message, and this row stands behind its end. */
function isAboveWindow(builder: ChatBuilder, id: number): boolean {
  return builder.chat.window.hasNewer && id > (builder.messages[builder.confirmedCount - 1]?.id ?? Infinity);
}

/** The time tip of a row behind all others, which has no neighbours in memory. */
function withNewestTimeTip(builder: ChatBuilder, message: ChatMessage): ChatMessage {
  const { sync } = builder.chat;
  const isLast = (message.id ?? 0) > (sync.newest?.id ?? 0);
  if (!isLast || !isTimeTipDue(sync.newestTimeTip, message.sendTime))
    return { ...message, hasTimeTip: false };
  builder.chat = { ...builder.chat, sync: { ...sync, newestTimeTip: message.sendTime } };
  return { ...message, hasTimeTip: true };
}

/** A read status tells a read position: of mine for rows of others, of theirs for my own (protocol: pull). */
export function applyReadStatus(builder: ChatBuilder, message: ChatMessage): void {
  // A request that was answered is told as read wherever the position stands.
  if (message.status !== MessageStatus.READED || isHandled(message)) return;
  advanceReadPosition(builder, message.selfSend ? "theirs" : "mine", positionOf(message));
}

export function newestRowOf(message: ChatMessage, id: number, preview: Preview): NewestRow {
  const { sendTime, sendNickName } = message;
  return { id, position: positionOf(message), sendTime, sendNickName, preview };
}

/** Keeps what preview and time are made of. */
export function updateNewestRow(builder: ChatBuilder, message: ChatMessage): void {
  const { sync } = builder.chat;
  if (message.id === null || (sync.newest !== null && message.id < sync.newest.id)) return;
  const preview = previewOf(message);
  if (preview === null) return;
  const own = editableSync(builder);
  own.newest = newestRowOf(message, message.id, preview);
  own.needsPreview = false;
}

const MISSED_CALL_RESULTS = new Set(["cancelled", "unanswered", "busy", "failed"]);

/** Counts as unread: not one's own, not read, not recalled, not answered, of a kind that counts (spec §4). */
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
  const kind = kindOf(message.type);
  if (kind === undefined) return true;
  return kind.unread === "missed"
    ? message.act !== null && MISSED_CALL_RESULTS.has(message.act.result)
    : kind.unread;
}

/** Moves a read position up, never down. */
export function advanceReadPosition(builder: ChatBuilder, side: "mine" | "theirs", upTo: number): void {
  const field = side === "mine" ? "readId" : "theirReadId";
  if (upTo <= builder.chat[field]) return;
  builder.chat = { ...builder.chat, [field]: upTo };
  builder.isChanged = true;
  if (side === "mine") removeUnread(builder, (position) => position <= upTo);
}

/** The message with the status its chat's read positions give it. */
export function withReadStatus(
  message: ChatMessage,
  chat: { readId: number; theirReadId: number },
): ChatMessage {
  if (message.status !== MessageStatus.SENDED || message.id === null) return message;
  const isRead = positionOf(message) <= (message.selfSend ? chat.theirReadId : chat.readId);
  return isRead ? { ...message, status: MessageStatus.READED } : message;
}
