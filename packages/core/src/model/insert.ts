import { MessageStatus } from "@parley/protocol/codes";
import { kindOf } from "@parley/protocol/message";
import {
  addUnread,
  type ChatDraft,
  findOwn,
  insertAt,
  isTipDue,
  ownBook,
  placeOf,
  removeAt,
  removeUnread,
  replaceAt,
} from "./draft.ts";
import { mergeMessages } from "./merge.ts";
import { previewOf } from "./preview.ts";
import { isHandled, positionOf } from "./rows.ts";
import type { ChatMessage, NewestRow, Preview } from "./state.ts";

/** A row after it was put into its chat. */
export interface Placed {
  readonly message: ChatMessage;
  /** It belongs below or above the window, so that only the disk may know it already. */
  readonly isOutside: boolean;
}

/**
 * Puts a row of the server into its chat: the one way for pushes, pulls, answers to sends and copies of one's other devices (spec §4).
 * Answers the message as it now stands, for the disk.
 */
export function insertRow(draft: ChatDraft, row: ChatMessage): Placed {
  const placed = placeRow(draft, row);
  const { message } = placed;
  noteReadStatus(draft, message);
  noteNewest(draft, message);
  if (isUnread(draft, message)) addUnread(draft, message);
  else forgetUnread(draft, message);
  return placed;
}

/** What is found taken back counts no more, also before the recall itself is told; nor does a request that was answered. */
export function forgetUnread(draft: ChatDraft, message: ChatMessage): void {
  if (message.status !== MessageStatus.RECALL && !isHandled(message)) return;
  const gone = positionOf(message);
  removeUnread(draft, (position) => position === gone);
}

/** Merges by id or tmpId, else places the row before the first with a larger id. Rows below or above the window stay out of memory. */
function placeRow(draft: ChatDraft, row: ChatMessage): Placed {
  const id = row.id ?? Infinity;
  const index = placeOf(draft, id);
  const known = draft.messages[index];
  // The echo, or a row under another id, makes room: there is one message for one tmpId.
  const own = row.selfSend && row.tmpId !== null ? findOwn(draft, row.tmpId) : undefined;
  if (known !== undefined && known.id === row.id) {
    const merged = mergeMessages(known, row);
    if (own !== undefined && own.id === null) removeAt(draft, draft.messages.indexOf(own));
    if (merged !== known) replaceAt(draft, index, merged);
    return { message: merged, isOutside: false };
  }
  if (own !== undefined) {
    removeAt(draft, draft.messages.indexOf(own));
    const merged = mergeMessages(own, row);
    if (isAboveWindow(draft, id)) return { message: withHeadTip(draft, merged), isOutside: true };
    if (isBelowWindow(draft, placeOf(draft, id), id)) return { message: merged, isOutside: true };
    insertAt(draft, placeOf(draft, id), merged);
    return { message: draft.messages[placeOf(draft, id)] ?? merged, isOutside: false };
  }
  if (isAboveWindow(draft, id)) return { message: withHeadTip(draft, row), isOutside: true };
  if (isBelowWindow(draft, index, id)) return { message: row, isOutside: true };
  insertAt(draft, index, row);
  return { message: draft.messages[index] ?? row, isOutside: false };
}

/** Whether other rows, not in memory, stand between this one and the window. */
function isBelowWindow(draft: ChatDraft, index: number, id: number): boolean {
  if (index > 0 || !draft.chat.window.hasOlder) return false;
  const { newest } = draft.chat.book;
  return draft.confirmed > 0 || (newest !== null && id <= newest.id);
}

/** The window ends below the newest message, and this row stands behind its end. */
function isAboveWindow(draft: ChatDraft, id: number): boolean {
  return draft.chat.window.hasNewer && id > (draft.messages[draft.confirmed - 1]?.id ?? Infinity);
}

/** The time tip of a row behind all others, which has no neighbours in memory. */
function withHeadTip(draft: ChatDraft, message: ChatMessage): ChatMessage {
  const { book } = draft.chat;
  const isLast = (message.id ?? 0) > (book.newest?.id ?? 0);
  if (!isLast || !isTipDue(book.headTip, message.sendTime)) return { ...message, hasTimeTip: false };
  draft.chat = { ...draft.chat, book: { ...book, headTip: message.sendTime } };
  return { ...message, hasTimeTip: true };
}

/** A read status tells a read position: of mine for rows of others, of theirs for my own (protocol: pull). */
export function noteReadStatus(draft: ChatDraft, message: ChatMessage): void {
  // A request that was answered is told as read wherever the position stands.
  if (message.status !== MessageStatus.READED || isHandled(message)) return;
  raiseRead(draft, message.selfSend ? "theirs" : "mine", positionOf(message));
}

export function newestOf(message: ChatMessage, id: number, preview: Preview): NewestRow {
  const { sendTime, sendNickName } = message;
  return { id, position: positionOf(message), sendTime, sendNickName, preview };
}

/** Keeps what preview and time are made of. */
export function noteNewest(draft: ChatDraft, message: ChatMessage): void {
  const { book } = draft.chat;
  if (message.id === null || (book.newest !== null && message.id < book.newest.id)) return;
  const preview = previewOf(message);
  if (preview === null) return;
  const own = ownBook(draft);
  own.newest = newestOf(message, message.id, preview);
  own.isHollow = false;
}

const MISSED = new Set(["cancelled", "unanswered", "busy", "failed"]);

/** Counts as unread: not one's own, not read, not recalled, not answered, of a kind that counts (spec §4). */
export function isUnread(draft: { chat: Pick<ChatDraft["chat"], "readId"> }, message: ChatMessage): boolean {
  if (
    message.selfSend ||
    message.status === MessageStatus.READED ||
    message.status === MessageStatus.RECALL ||
    isHandled(message)
  ) {
    return false;
  }
  if (positionOf(message) <= draft.chat.readId) return false;
  const kind = kindOf(message.type);
  if (kind === undefined) return true;
  return kind.unread === "missed" ? message.act !== null && MISSED.has(message.act.result) : kind.unread;
}

/** Moves a read position up, never down. */
export function raiseRead(draft: ChatDraft, side: "mine" | "theirs", upTo: number): void {
  const field = side === "mine" ? "readId" : "theirReadId";
  if (upTo <= draft.chat[field]) return;
  draft.chat = { ...draft.chat, [field]: upTo };
  draft.isTouched = true;
  if (side === "mine") removeUnread(draft, (position) => position <= upTo);
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
