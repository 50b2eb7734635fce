import {
  addUnread,
  type ChatDraft,
  findOwn,
  lastTipBefore,
  placeOf,
  removeAt,
  renewTips,
  replaceAt,
} from "./draft.ts";
import { fallBack } from "./gone.ts";
import { forgetUnread, isUnread, noteNewest, noteReadStatus, withReadStatus } from "./insert.ts";
import { mergeMessages } from "./merge.ts";
import { withKnown } from "./spans.ts";
import type { ChatMessage, ChatWindow, Span } from "./state.ts";

/** A run of messages without gaps, ascending, and all there are from `from` up to, not including, `to`. */
export interface Page extends Span {
  readonly messages: readonly ChatMessage[];
  /** From the server: without time tips yet, and new to the disk. */
  readonly isFresh: boolean;
}

/**
 * What a page is for: to go on reading at an end of the window, or to bring the window to a place. Where it does not touch the window, the
 * first two change nothing to be seen (the window has moved meanwhile), and the other two replace it.
 */
export type PageUse = "older" | "newer" | "newest" | "around";

/** Messages of the open chat in memory at most, after a page; what is farthest from the reader goes. */
const OPEN_WINDOW_MAX = 600;

/** Joins a page with the window, or puts it in its place. What the window has already is merged. */
export function addPage(draft: ChatDraft, page: Page, use: PageUse): void {
  const window = coverage(draft);
  const isTouching = page.from <= window.to && page.to >= window.from;
  const isMove = use === "newest" || use === "around";
  noteRows(draft, page);
  if (isTouching) join(draft, page, window);
  else if (isMove) replace(draft, page);
  if (isTouching || isMove) {
    placeTips(draft, page);
    bound(draft, page, use);
  }
  if (draft.chat.book.isHollow) findNewest(draft, page);
  setWindow(draft, {
    ...(use !== "newer" && { older: "idle" }),
    ...(use !== "older" && { newer: "idle" }),
  });
  draft.isTouched = true;
}

/** The newest row was deleted: preview and time fall back to the one before it, if this page or the window has that. */
function findNewest(draft: ChatDraft, page: Page): void {
  if (!draft.chat.window.hasNewer) fallBack(draft, draft.messages.slice(0, draft.confirmed));
  else if (page.to === Infinity) fallBack(draft, page.messages);
}

/** What the window holds all messages of. */
function coverage(draft: Pick<ChatDraft, "chat" | "messages" | "confirmed">): Span {
  const { hasOlder, hasNewer } = draft.chat.window;
  const first = draft.confirmed > 0 ? (draft.messages[0]?.id ?? Infinity) : Infinity;
  const last = draft.messages[draft.confirmed - 1]?.id ?? Infinity;
  return { from: hasOlder ? first : 0, to: hasNewer ? last + 1 : Infinity };
}

function noteRows(draft: ChatDraft, page: Page): void {
  for (const message of page.messages) {
    noteReadStatus(draft, message);
    noteNewest(draft, message);
    // Of rows that a pull left out nobody has told yet whether they are unread.
    if (page.isFresh && isUnread(draft, message)) addUnread(draft, message);
    else forgetUnread(draft, message);
  }
  if (!page.isFresh) return;
  const { book } = draft.chat;
  draft.chat = { ...draft.chat, book: { ...book, ...withKnown(book, page) } };
}

function join(draft: ChatDraft, page: Page, window: Span): void {
  const added: ChatMessage[] = [];
  for (const message of page.messages) {
    const index = placeOf(draft, message.id ?? Infinity);
    const known = draft.messages[index];
    if (known === undefined || known.id !== message.id) added.push(adopt(draft, message));
    else {
      const merged = mergeMessages(known, message);
      if (merged !== known) replaceAt(draft, index, merged);
    }
  }
  const pending = draft.messages.slice(draft.confirmed);
  const confirmed = [...draft.messages.slice(0, draft.confirmed), ...added].sort(byId);
  put(draft, confirmed, pending);
  const { book } = draft.chat;
  // A tip within the page is nearer than the one noted; of fresh rows the tips are not placed yet.
  const isTipKnown = page.from >= window.from || !(page.isFresh || added.some((row) => row.hasTimeTip));
  // Above the beginning there is none, also when what stood there was deleted.
  const isBeginning = Math.min(page.from, window.from) === 0;
  setBook(draft, { tipBase: isTipKnown && !isBeginning ? book.tipBase : null });
  setWindow(draft, {
    hasOlder: Math.min(page.from, window.from) > 0,
    hasNewer: Math.max(page.to, window.to) !== Infinity,
  });
}

function replace(draft: ChatDraft, page: Page): void {
  leaveHead(draft);
  const adopted = page.messages.map((message) => adopt(draft, message));
  put(draft, adopted, draft.messages.slice(draft.confirmed));
  setBook(draft, { tipBase: null });
  setWindow(draft, { hasOlder: page.from > 0, hasNewer: page.to !== Infinity });
}

function byId(a: ChatMessage, b: ChatMessage): number {
  return (a.id ?? Infinity) - (b.id ?? Infinity);
}

/** A message that comes into memory. Of one of mine whose answer never came the echo goes; the message takes its key. */
function adopt(draft: ChatDraft, message: ChatMessage): ChatMessage {
  const echo = message.selfSend && message.tmpId !== null ? findOwn(draft, message.tmpId) : undefined;
  if (echo === undefined || echo.id !== null) return withReadStatus(message, draft.chat);
  removeAt(draft, draft.messages.indexOf(echo));
  return withReadStatus(mergeMessages(echo, message), draft.chat);
}

function put(draft: ChatDraft, confirmed: readonly ChatMessage[], pending: readonly ChatMessage[]): void {
  draft.messages = [...confirmed, ...pending];
  draft.confirmed = confirmed.length;
  draft.byTmpId = null;
  draft.lastTip = undefined;
}

/** From the first place where the last tip is sure: the beginning of the chat, a fresh page, or a tip. */
function placeTips(draft: ChatDraft, page: Page): void {
  const isSure = !draft.chat.window.hasOlder || page.isFresh;
  renewTips(draft, isSure ? 0 : draft.messages.findIndex((message) => message.hasTimeTip) + 1);
}

function bound(draft: ChatDraft, page: Page, use: PageUse): void {
  const surplus = draft.confirmed - OPEN_WINDOW_MAX;
  if (surplus <= 0) return;
  switch (use) {
    case "older":
      return cutBottom(draft, surplus);
    case "newer":
    case "newest":
      return cutTop(draft, surplus);
    case "around": {
      const middle = page.messages[Math.floor(page.messages.length / 2)]?.id ?? Infinity;
      const above = placeOf(draft, middle) - Math.floor(OPEN_WINDOW_MAX / 2);
      const top = Math.min(surplus, Math.max(0, above));
      cutBottom(draft, surplus - top);
      return cutTop(draft, top);
    }
    default:
      return use satisfies never;
  }
}

/** Forgets the oldest messages of the window. */
export function cutTop(draft: ChatDraft, count: number): void {
  if (count <= 0) return;
  setBook(draft, { tipBase: lastTipBefore(draft, count) });
  put(draft, draft.messages.slice(count, draft.confirmed), draft.messages.slice(draft.confirmed));
  setWindow(draft, { hasOlder: true });
}

/** Forgets the newest messages of the window, which then ends below them. */
function cutBottom(draft: ChatDraft, count: number): void {
  if (count <= 0) return;
  leaveHead(draft);
  put(draft, draft.messages.slice(0, draft.confirmed - count), draft.messages.slice(draft.confirmed));
  setWindow(draft, { hasNewer: true });
}

/** Leaves a place in the past: nothing but what is on its way stays in memory, and new rows follow on the newest one. */
export function backToHead(draft: ChatDraft): void {
  put(draft, [], draft.messages.slice(draft.confirmed));
  setBook(draft, { tipBase: draft.chat.book.headTip });
  setWindow(draft, { hasOlder: true, hasNewer: false, older: "idle", newer: "idle" });
}

/** Notes the last tip before the window moves away from the newest message: rows that come meanwhile need it. */
function leaveHead(draft: ChatDraft): void {
  if (!draft.chat.window.hasNewer) setBook(draft, { headTip: lastTipBefore(draft, draft.confirmed) });
}

function setBook(draft: ChatDraft, part: Partial<ChatDraft["chat"]["book"]>): void {
  draft.chat = { ...draft.chat, book: { ...draft.chat.book, ...part } };
}

function setWindow(draft: ChatDraft, part: Partial<ChatWindow>): void {
  draft.chat = { ...draft.chat, window: { ...draft.chat.window, ...part } };
}
