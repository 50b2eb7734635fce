import { TIME_TIP_GAP_MS } from "@parley/protocol/limits";
import { mentionOf } from "./mentions.ts";
import { positionOf } from "./chat-rows.ts";
import type { Chat, ChatMessage, Mention } from "../state.ts";

/**
 * A chat while one batch changes it: its lists may be changed in place here, so that thousands of rows cost no copy each. `reduce-chats.ts`
 * opens drafts and turns the touched ones into new values.
 */
export interface ChatBuilder {
  readonly base: Chat;
  /** All of the chat but messages and unread positions; replaced, not changed, but by `ownBook`. */
  chat: Chat;
  /** The book that this batch has made itself. */
  ownSync: Chat["sync"] | null;
  /** Confirmed ones by id ascending, then those only this client has, as they were written. */
  messages: ChatMessage[];
  /** How many of `messages` the server has. */
  confirmedCount: number;
  unread: number[];
  /** Of each of them. */
  unreadSenders: number[];
  mentions: readonly Mention[];
  /** Who is logged in; 0: does not matter. */
  readonly me: number;
  /** Time of the newest time tip; undefined: to be found again. */
  lastTimeTip: number | null | undefined;
  byTmpId: Map<string, ChatMessage> | null;
  /** Messages or unread positions changed. */
  isChanged: boolean;
}

export function beginChat(chat: Chat, me = 0): ChatBuilder {
  const messages = [...chat.window.messages, ...chat.sync.pending];
  let confirmedCount = messages.length;
  while (confirmedCount > 0 && messages[confirmedCount - 1]?.id === null) confirmedCount--;
  return {
    base: chat,
    chat,
    ownSync: null,
    messages,
    confirmedCount,
    unread: [...chat.sync.unread],
    unreadSenders: [...chat.sync.unreadSenders],
    mentions: chat.sync.mentions,
    me,
    lastTimeTip: undefined,
    byTmpId: null,
    isChanged: false,
  };
}

type Writable<T> = { -readonly [Field in keyof T]: T[Field] };

/** The book as an object of this batch that nobody else has seen, to be changed in place: thousands of rows make one copy, not one each. */
export function editableSync(builder: ChatBuilder): Writable<Chat["sync"]> {
  if (builder.ownSync === null || builder.ownSync !== builder.chat.sync) {
    builder.ownSync = { ...builder.chat.sync };
    builder.chat = { ...builder.chat, sync: builder.ownSync };
  }
  return builder.ownSync;
}

/** First place among the confirmed ones whose id is not below `id`. */
export function confirmedIndexOf(builder: ChatBuilder, id: number): number {
  const last = builder.messages[builder.confirmedCount - 1];
  if (last === undefined || (last.id ?? Infinity) < id) return builder.confirmedCount;
  let low = 0;
  let high = builder.confirmedCount;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((builder.messages[middle]?.id ?? Infinity) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** One's own message with this tmpId. */
export function findOwn(builder: ChatBuilder, tmpId: string): ChatMessage | undefined {
  if (builder.byTmpId === null) {
    builder.byTmpId = new Map();
    for (const message of builder.messages) {
      if (message.selfSend && message.tmpId !== null) builder.byTmpId.set(message.tmpId, message);
    }
  }
  return builder.byTmpId.get(tmpId);
}

export function insertAt(builder: ChatBuilder, index: number, message: ChatMessage): void {
  const isLast = index === builder.messages.length;
  if (isLast) builder.messages.push(withTimeTip(builder, message));
  else builder.messages.splice(index, 0, message);
  if (message.id !== null) builder.confirmedCount++;
  if (!isLast) recomputeTimeTips(builder, index);
  const placed = builder.messages[index];
  if (placed !== undefined && placed.selfSend && placed.tmpId !== null)
    builder.byTmpId?.set(placed.tmpId, placed);
  builder.isChanged = true;
}

export function replaceAt(builder: ChatBuilder, index: number, message: ChatMessage): void {
  builder.messages[index] = message;
  if (message.selfSend && message.tmpId !== null) builder.byTmpId?.set(message.tmpId, message);
  builder.isChanged = true;
}

export function removeAt(builder: ChatBuilder, index: number): void {
  const [removed] = builder.messages.splice(index, 1);
  if (removed === undefined) return;
  if (index < builder.confirmedCount) builder.confirmedCount--;
  if (removed.tmpId !== null) builder.byTmpId?.delete(removed.tmpId);
  recomputeTimeTips(builder, index);
  builder.isChanged = true;
}

/** Counts a message as unread, once. */
export function addUnread(builder: ChatBuilder, message: ChatMessage): void {
  const { unread, unreadSenders } = builder;
  const position = positionOf(message);
  let index = unread.length;
  while (index > 0 && (unread[index - 1] ?? 0) > position) index--;
  if (unread[index - 1] === position) return;
  if (index === unread.length) {
    unread.push(position);
    unreadSenders.push(message.sendId);
  } else {
    unread.splice(index, 0, position);
    unreadSenders.splice(index, 0, message.sendId);
  }
  const mention = mentionOf(message, builder.me);
  if (mention !== null) builder.mentions = [...builder.mentions, mention].sort((a, b) => a.id - b.id);
  builder.isChanged = true;
}

export function removeUnread(
  builder: ChatBuilder,
  shouldRemove: (position: number, sendId: number) => boolean,
): void {
  const { unread, unreadSenders, mentions } = builder;
  const isKept = unread.map((position, i) => !shouldRemove(position, unreadSenders[i] ?? 0));
  if (isKept.every(Boolean)) return;
  builder.unread = unread.filter((_, i) => isKept[i]);
  builder.unreadSenders = unreadSenders.filter((_, i) => isKept[i]);
  // Only of groups, where positions are ids.
  if (mentions.length > 0) builder.mentions = mentions.filter(({ id }) => builder.unread.includes(id));
  builder.isChanged = true;
}

/** Flags the message when the last tip is more than 10 minutes older (spec §4). */
function withTimeTip(builder: ChatBuilder, message: ChatMessage): ChatMessage {
  const last = (builder.lastTimeTip ??= lastTimeTipBefore(builder, builder.messages.length));
  const hasTimeTip = isTimeTipDue(last, message.sendTime);
  if (hasTimeTip) builder.lastTimeTip = message.sendTime;
  return message.hasTimeTip === hasTimeTip ? message : { ...message, hasTimeTip };
}

/** Time tips again from this place on: what stands behind an inserted or removed row may need one, or need it no more. */
export function recomputeTimeTips(builder: ChatBuilder, from: number): void {
  let last = lastTimeTipBefore(builder, from);
  for (let i = from; i < builder.messages.length; i++) {
    const message = builder.messages[i] as ChatMessage;
    const hasTimeTip = isTimeTipDue(last, message.sendTime);
    if (hasTimeTip) last = message.sendTime;
    if (message.hasTimeTip !== hasTimeTip) replaceAt(builder, i, { ...message, hasTimeTip });
  }
  builder.lastTimeTip = last;
}

export function lastTimeTipBefore(builder: ChatBuilder, index: number): number | null {
  for (let i = index - 1; i >= 0; i--) {
    const message = builder.messages[i];
    if (message?.hasTimeTip) return message.sendTime;
  }
  return builder.chat.sync.timeTipBeforeWindow;
}

/** Whether a time tip stands above a message of this time. */
export function isTimeTipDue(last: number | null, time: number): boolean {
  return last === null || time - last > TIME_TIP_GAP_MS;
}
