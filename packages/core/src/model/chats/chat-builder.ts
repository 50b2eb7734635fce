import { mentionOf } from "./mentions.ts";
import { positionOf } from "./chat-rows.ts";
import { TIME_TIP_GAP_MS } from "./timeline.ts";
import type { Chat, ChatMessage, Mention } from "../state.ts";

/**
 * A chat while a batch changes it. Its lists are changed in place, so that a batch of thousands of rows makes one copy and not one per row.
 * `reduce-chats.ts` begins builders and commits the changed ones.
 */
export interface ChatBuilder {
  readonly base: Chat;
  /** The chat without messages and unread positions. It is replaced, not changed in place, except by `editableSync`. */
  chat: Chat;
  /** The sync state that this batch has created and may change in place. */
  ownSync: Chat["sync"] | null;
  /** First the confirmed messages, ascending by id; then the local echoes in the order of writing. */
  messages: ChatMessage[];
  /** How many of `messages` the server has. */
  confirmedCount: number;
  unread: number[];
  /** The sender of each unread message. */
  unreadSenders: number[];
  mentions: readonly Mention[];
  /** The person logged in; 0 where it does not matter. */
  readonly me: number;
  /** Time of the newest time tip; undefined: not computed. */
  lastTimeTip: number | null | undefined;
  /** One's own messages by tmpId; null: not computed. */
  byTmpId: Map<string, ChatMessage> | null;
  /** Messages or unread positions have changed. */
  isChanged: boolean;
}

/** A builder for the chat. */
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

/** The sync state as a copy that belongs to this batch and may be changed in place: one copy for thousands of rows. */
export function editableSync(builder: ChatBuilder): Writable<Chat["sync"]> {
  if (builder.ownSync === null || builder.ownSync !== builder.chat.sync) {
    builder.ownSync = { ...builder.chat.sync };
    builder.chat = { ...builder.chat, sync: builder.ownSync };
  }
  return builder.ownSync;
}

/** Index of the first confirmed message whose id is not below `id`. */
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

/** Finds one's own message by its tmpId. */
export function findOwn(builder: ChatBuilder, tmpId: string): ChatMessage | undefined {
  if (builder.byTmpId === null) {
    builder.byTmpId = new Map();
    for (const message of builder.messages) {
      if (message.selfSend && message.tmpId !== null) builder.byTmpId.set(message.tmpId, message);
    }
  }
  return builder.byTmpId.get(tmpId);
}

/** Inserts a message and updates the time tips behind it. */
export function insertAt(builder: ChatBuilder, index: number, message: ChatMessage): void {
  const isAppended = index === builder.messages.length;
  if (isAppended) builder.messages.push(withTimeTip(builder, message));
  else builder.messages.splice(index, 0, message);
  if (message.id !== null) builder.confirmedCount++;
  if (!isAppended) recomputeTimeTips(builder, index);
  const inserted = builder.messages[index];
  if (inserted !== undefined && inserted.selfSend && inserted.tmpId !== null)
    builder.byTmpId?.set(inserted.tmpId, inserted);
  builder.isChanged = true;
}

/** Replaces a message by a newer version of itself. */
export function replaceAt(builder: ChatBuilder, index: number, message: ChatMessage): void {
  builder.messages[index] = message;
  if (message.selfSend && message.tmpId !== null) builder.byTmpId?.set(message.tmpId, message);
  builder.isChanged = true;
}

/** Removes a message and updates the time tips behind it. */
export function removeAt(builder: ChatBuilder, index: number): void {
  const [removed] = builder.messages.splice(index, 1);
  if (removed === undefined) return;
  if (index < builder.confirmedCount) builder.confirmedCount--;
  if (removed.tmpId !== null) builder.byTmpId?.delete(removed.tmpId);
  recomputeTimeTips(builder, index);
  builder.isChanged = true;
}

/** Counts a message as unread, unless it is counted already. */
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

/** Stops counting the chosen messages as unread. */
export function removeUnread(
  builder: ChatBuilder,
  shouldRemove: (position: number, sendId: number) => boolean,
): void {
  const { unread, unreadSenders, mentions } = builder;
  const isKept = unread.map((position, i) => !shouldRemove(position, unreadSenders[i] ?? 0));
  if (isKept.every(Boolean)) return;
  builder.unread = unread.filter((_, i) => isKept[i]);
  builder.unreadSenders = unreadSenders.filter((_, i) => isKept[i]);
  // Only groups have mentions, and their positions are ids.
  if (mentions.length > 0) builder.mentions = mentions.filter(({ id }) => builder.unread.includes(id));
  builder.isChanged = true;
}

/** The message with a time tip if the last tip is more than 10 minutes older (spec §4). */
function withTimeTip(builder: ChatBuilder, message: ChatMessage): ChatMessage {
  const last = (builder.lastTimeTip ??= lastTimeTipBefore(builder, builder.messages.length));
  const hasTimeTip = isTimeTipDue(last, message.sendTime);
  if (hasTimeTip) builder.lastTimeTip = message.sendTime;
  return message.hasTimeTip === hasTimeTip ? message : { ...message, hasTimeTip };
}

/** Computes the time tips from this index on: rows behind an inserted or removed row may need a tip or lose theirs. */
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

/** Time of the last time tip above this index; null for none or unknown. */
export function lastTimeTipBefore(builder: ChatBuilder, index: number): number | null {
  for (let i = index - 1; i >= 0; i--) {
    const message = builder.messages[i];
    if (message?.hasTimeTip) return message.sendTime;
  }
  return builder.chat.sync.timeTipBeforeWindow;
}

/** Whether a message of this time needs a time tip, given the time of the last tip. */
export function isTimeTipDue(last: number | null, time: number): boolean {
  return last === null || time - last > TIME_TIP_GAP_MS;
}
