import { TIME_TIP_GAP_MS } from "@parley/protocol/limits";
import { mentionIn } from "./mentions.ts";
import { positionOf } from "./rows.ts";
import type { Chat, ChatMessage, Mention } from "./state.ts";

/**
 * A chat while one batch changes it: its lists may be changed in place here, so that thousands of rows cost no copy each. `chats.ts`
 * opens drafts and turns the touched ones into new values.
 */
export interface ChatDraft {
  readonly base: Chat;
  /** All of the chat but messages and unread positions; replaced, not changed, but by `ownBook`. */
  chat: Chat;
  /** The book that this batch has made itself. */
  own: Chat["book"] | null;
  /** Confirmed ones by id ascending, then those only this client has, as they were written. */
  messages: ChatMessage[];
  /** How many of `messages` the server has. */
  confirmed: number;
  unread: number[];
  /** Of each of them. */
  senders: number[];
  mentions: readonly Mention[];
  /** Who is logged in; 0: does not matter. */
  readonly me: number;
  /** Time of the newest time tip; undefined: to be found again. */
  lastTip: number | null | undefined;
  byTmpId: Map<string, ChatMessage> | null;
  /** Messages or unread positions changed. */
  isTouched: boolean;
}

export function openDraft(chat: Chat, me = 0): ChatDraft {
  const messages = [...chat.window.messages, ...chat.book.pending];
  let confirmed = messages.length;
  while (confirmed > 0 && messages[confirmed - 1]?.id === null) confirmed--;
  return {
    base: chat,
    chat,
    own: null,
    messages,
    confirmed,
    unread: [...chat.book.unread],
    senders: [...chat.book.senders],
    mentions: chat.book.mentions,
    me,
    lastTip: undefined,
    byTmpId: null,
    isTouched: false,
  };
}

type Writable<T> = { -readonly [Field in keyof T]: T[Field] };

/** The book as an object of this batch that nobody else has seen, to be changed in place: thousands of rows make one copy, not one each. */
export function ownBook(draft: ChatDraft): Writable<Chat["book"]> {
  if (draft.own === null || draft.own !== draft.chat.book) {
    draft.own = { ...draft.chat.book };
    draft.chat = { ...draft.chat, book: draft.own };
  }
  return draft.own;
}

/** First place among the confirmed ones whose id is not below `id`. */
export function placeOf(draft: ChatDraft, id: number): number {
  const last = draft.messages[draft.confirmed - 1];
  if (last === undefined || (last.id ?? Infinity) < id) return draft.confirmed;
  let low = 0;
  let high = draft.confirmed;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((draft.messages[middle]?.id ?? Infinity) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** One's own message with this tmpId. */
export function findOwn(draft: ChatDraft, tmpId: string): ChatMessage | undefined {
  if (draft.byTmpId === null) {
    draft.byTmpId = new Map();
    for (const message of draft.messages) {
      if (message.selfSend && message.tmpId !== null) draft.byTmpId.set(message.tmpId, message);
    }
  }
  return draft.byTmpId.get(tmpId);
}

export function insertAt(draft: ChatDraft, index: number, message: ChatMessage): void {
  const isLast = index === draft.messages.length;
  if (isLast) draft.messages.push(withTip(draft, message));
  else draft.messages.splice(index, 0, message);
  if (message.id !== null) draft.confirmed++;
  if (!isLast) renewTips(draft, index);
  const placed = draft.messages[index];
  if (placed !== undefined && placed.selfSend && placed.tmpId !== null)
    draft.byTmpId?.set(placed.tmpId, placed);
  draft.isTouched = true;
}

export function replaceAt(draft: ChatDraft, index: number, message: ChatMessage): void {
  draft.messages[index] = message;
  if (message.selfSend && message.tmpId !== null) draft.byTmpId?.set(message.tmpId, message);
  draft.isTouched = true;
}

export function removeAt(draft: ChatDraft, index: number): void {
  const [gone] = draft.messages.splice(index, 1);
  if (gone === undefined) return;
  if (index < draft.confirmed) draft.confirmed--;
  if (gone.tmpId !== null) draft.byTmpId?.delete(gone.tmpId);
  renewTips(draft, index);
  draft.isTouched = true;
}

/** Counts a message as unread, once. */
export function addUnread(draft: ChatDraft, message: ChatMessage): void {
  const { unread, senders } = draft;
  const position = positionOf(message);
  let index = unread.length;
  while (index > 0 && (unread[index - 1] ?? 0) > position) index--;
  if (unread[index - 1] === position) return;
  if (index === unread.length) {
    unread.push(position);
    senders.push(message.sendId);
  } else {
    unread.splice(index, 0, position);
    senders.splice(index, 0, message.sendId);
  }
  const mention = mentionIn(message, draft.me);
  if (mention !== null) draft.mentions = [...draft.mentions, mention].sort((a, b) => a.id - b.id);
  draft.isTouched = true;
}

export function removeUnread(draft: ChatDraft, isGone: (position: number, sendId: number) => boolean): void {
  const { unread, senders, mentions } = draft;
  const left = unread.map((position, i) => !isGone(position, senders[i] ?? 0));
  if (left.every(Boolean)) return;
  draft.unread = unread.filter((_, i) => left[i]);
  draft.senders = senders.filter((_, i) => left[i]);
  // Only of groups, where positions are ids.
  if (mentions.length > 0) draft.mentions = mentions.filter(({ id }) => draft.unread.includes(id));
  draft.isTouched = true;
}

/** Flags the message when the last tip is more than 10 minutes older (spec §4). */
function withTip(draft: ChatDraft, message: ChatMessage): ChatMessage {
  const last = (draft.lastTip ??= lastTipBefore(draft, draft.messages.length));
  const hasTimeTip = isTipDue(last, message.sendTime);
  if (hasTimeTip) draft.lastTip = message.sendTime;
  return message.hasTimeTip === hasTimeTip ? message : { ...message, hasTimeTip };
}

/** Time tips again from this place on: what stands behind an inserted or removed row may need one, or need it no more. */
export function renewTips(draft: ChatDraft, from: number): void {
  let last = lastTipBefore(draft, from);
  for (let i = from; i < draft.messages.length; i++) {
    const message = draft.messages[i] as ChatMessage;
    const hasTimeTip = isTipDue(last, message.sendTime);
    if (hasTimeTip) last = message.sendTime;
    if (message.hasTimeTip !== hasTimeTip) replaceAt(draft, i, { ...message, hasTimeTip });
  }
  draft.lastTip = last;
}

export function lastTipBefore(draft: ChatDraft, index: number): number | null {
  for (let i = index - 1; i >= 0; i--) {
    const message = draft.messages[i];
    if (message?.hasTimeTip) return message.sendTime;
  }
  return draft.chat.book.tipBase;
}

/** Whether a time tip stands above a message of this time. */
export function isTipDue(last: number | null, time: number): boolean {
  return last === null || time - last > TIME_TIP_GAP_MS;
}
