import {
  addUnread,
  type ChatBuilder,
  findOwn,
  lastTimeTipBefore,
  confirmedIndexOf,
  removeAt,
  recomputeTimeTips,
  replaceAt,
} from "./chat-builder.ts";
import { recomputePreview } from "./deleted-for-me.ts";
import {
  removeSettledUnread,
  isUnread,
  updateNewestRow,
  applyReadStatus,
  withReadStatus,
} from "./insert-row.ts";
import { mergeMessages } from "./merge-messages.ts";
import { addKnownRange } from "./known-ranges.ts";
import type { MessagePage } from "./message-page.ts";
import { windowRangeOf } from "./window-range.ts";
import type { ChatMessage, ChatWindow, IdRange } from "../state.ts";

/**
 * What a page is for: "older" and "newer" extend the window, "newest" and "around" move it. A page that does not touch the window changes
 * nothing visible in the first two cases (the window has moved while it was read), and replaces the window in the other two.
 */
export type PagePurpose = "older" | "newer" | "newest" | "around";

/** How many messages of the open chat stay in memory after a page. The farthest from the reader are dropped. */
const PAGED_WINDOW_MAX = 600;

/** Joins a page with the window, or replaces the window with it. Messages that the window has already are merged. */
export function addPage(builder: ChatBuilder, page: MessagePage, purpose: PagePurpose): void {
  const window = windowRangeOf(builder.chat.window, builder.messages.slice(0, builder.confirmedCount));
  const isTouching = page.from <= window.to && page.to >= window.from;
  const isJump = purpose === "newest" || purpose === "around";
  recordRows(builder, page);
  if (isTouching) joinPage(builder, page, window);
  else if (isJump) replaceWindow(builder, page);
  if (isTouching || isJump) {
    recomputePageTimeTips(builder, page);
    limitWindow(builder, page, purpose);
  }
  if (builder.chat.sync.needsPreview) findPreview(builder, page);
  setWindow(builder, {
    ...(purpose !== "newer" && { older: "idle" }),
    ...(purpose !== "older" && { newer: "idle" }),
  });
  builder.isChanged = true;
}

/** The newest row was deleted: preview and time fall back to the row before it, if this page or the window has it. */
function findPreview(builder: ChatBuilder, page: MessagePage): void {
  if (!builder.chat.window.hasNewer)
    recomputePreview(builder, builder.messages.slice(0, builder.confirmedCount));
  else if (page.to === Infinity) recomputePreview(builder, page.messages);
}

function recordRows(builder: ChatBuilder, page: MessagePage): void {
  for (const message of page.messages) {
    applyReadStatus(builder, message);
    updateNewestRow(builder, message);
    // Rows that a pull left out were not counted as unread yet.
    if (page.isFromServer && isUnread(builder, message)) addUnread(builder, message);
    else removeSettledUnread(builder, message);
  }
  if (!page.isFromServer) return;
  const { sync } = builder.chat;
  builder.chat = { ...builder.chat, sync: { ...sync, ...addKnownRange(sync, page) } };
}

function joinPage(builder: ChatBuilder, page: MessagePage, window: IdRange): void {
  const added: ChatMessage[] = [];
  for (const message of page.messages) {
    const index = confirmedIndexOf(builder, message.id ?? Infinity);
    const known = builder.messages[index];
    if (known === undefined || known.id !== message.id) added.push(claimLocalEcho(builder, message));
    else {
      const merged = mergeMessages(known, message);
      if (merged !== known) replaceAt(builder, index, merged);
    }
  }
  const pending = builder.messages.slice(builder.confirmedCount);
  const confirmed = [...builder.messages.slice(0, builder.confirmedCount), ...added].sort(byId);
  setMessages(builder, confirmed, pending);
  const { sync } = builder.chat;
  // A tip within the page is nearer than the recorded one; rows from the server have no tips yet.
  const isTipKnown = page.from >= window.from || !(page.isFromServer || added.some((row) => row.hasTimeTip));
  // There is no tip above the beginning of the chat, even if deleted messages stood there.
  const isBeginning = Math.min(page.from, window.from) === 0;
  setSync(builder, { timeTipBeforeWindow: isTipKnown && !isBeginning ? sync.timeTipBeforeWindow : null });
  setWindow(builder, {
    hasOlder: Math.min(page.from, window.from) > 0,
    hasNewer: Math.max(page.to, window.to) !== Infinity,
  });
}

function replaceWindow(builder: ChatBuilder, page: MessagePage): void {
  recordNewestTimeTip(builder);
  const claimed = page.messages.map((message) => claimLocalEcho(builder, message));
  setMessages(builder, claimed, builder.messages.slice(builder.confirmedCount));
  setSync(builder, { timeTipBeforeWindow: null });
  setWindow(builder, { hasOlder: page.from > 0, hasNewer: page.to !== Infinity });
}

function byId(a: ChatMessage, b: ChatMessage): number {
  return (a.id ?? Infinity) - (b.id ?? Infinity);
}

/** A message that comes into memory. It replaces the local echo of an own send whose answer was lost, and takes over its key. */
function claimLocalEcho(builder: ChatBuilder, message: ChatMessage): ChatMessage {
  const localEcho = message.selfSend && message.tmpId !== null ? findOwn(builder, message.tmpId) : undefined;
  if (localEcho === undefined || localEcho.id !== null) return withReadStatus(message, builder.chat);
  removeAt(builder, builder.messages.indexOf(localEcho));
  return withReadStatus(mergeMessages(localEcho, message), builder.chat);
}

function setMessages(
  builder: ChatBuilder,
  confirmed: readonly ChatMessage[],
  pending: readonly ChatMessage[],
): void {
  builder.messages = [...confirmed, ...pending];
  builder.confirmedCount = confirmed.length;
  builder.byTmpId = null;
  builder.lastTimeTip = undefined;
}

/** Computes time tips from the first row where the last tip is known: the beginning of the chat, a page from the server, or a tip. */
function recomputePageTimeTips(builder: ChatBuilder, page: MessagePage): void {
  const isLastTipKnown = !builder.chat.window.hasOlder || page.isFromServer;
  recomputeTimeTips(
    builder,
    isLastTipKnown ? 0 : builder.messages.findIndex((message) => message.hasTimeTip) + 1,
  );
}

function limitWindow(builder: ChatBuilder, page: MessagePage, purpose: PagePurpose): void {
  const excess = builder.confirmedCount - PAGED_WINDOW_MAX;
  if (excess <= 0) return;
  switch (purpose) {
    case "older":
      return trimNewest(builder, excess);
    case "newer":
    case "newest":
      return trimOldest(builder, excess);
    case "around": {
      const middle = page.messages[Math.floor(page.messages.length / 2)]?.id ?? Infinity;
      const firstKept = confirmedIndexOf(builder, middle) - Math.floor(PAGED_WINDOW_MAX / 2);
      const oldestExcess = Math.min(excess, Math.max(0, firstKept));
      trimNewest(builder, excess - oldestExcess);
      return trimOldest(builder, oldestExcess);
    }
    default:
      return purpose satisfies never;
  }
}

/** Drops the oldest messages of the window from memory. */
export function trimOldest(builder: ChatBuilder, count: number): void {
  if (count <= 0) return;
  setSync(builder, { timeTipBeforeWindow: lastTimeTipBefore(builder, count) });
  setMessages(
    builder,
    builder.messages.slice(count, builder.confirmedCount),
    builder.messages.slice(builder.confirmedCount),
  );
  setWindow(builder, { hasOlder: true });
}

/** Drops the newest messages of the window from memory; the window then ends below them. */
function trimNewest(builder: ChatBuilder, count: number): void {
  if (count <= 0) return;
  recordNewestTimeTip(builder);
  setMessages(
    builder,
    builder.messages.slice(0, builder.confirmedCount - count),
    builder.messages.slice(builder.confirmedCount),
  );
  setWindow(builder, { hasNewer: true });
}

/** Moves the window from the past to the end of the chat: only unsent messages stay in memory, and new rows are added behind the newest. */
export function showNewest(builder: ChatBuilder): void {
  setMessages(builder, [], builder.messages.slice(builder.confirmedCount));
  setSync(builder, { timeTipBeforeWindow: builder.chat.sync.newestTimeTip });
  setWindow(builder, { hasOlder: true, hasNewer: false, older: "idle", newer: "idle" });
}

/** Records the last tip before the window leaves the end of the chat: rows that arrive while it is away need it. */
function recordNewestTimeTip(builder: ChatBuilder): void {
  if (!builder.chat.window.hasNewer)
    setSync(builder, { newestTimeTip: lastTimeTipBefore(builder, builder.confirmedCount) });
}

function setSync(builder: ChatBuilder, part: Partial<ChatBuilder["chat"]["sync"]>): void {
  builder.chat = { ...builder.chat, sync: { ...builder.chat.sync, ...part } };
}

function setWindow(builder: ChatBuilder, part: Partial<ChatWindow>): void {
  builder.chat = { ...builder.chat, window: { ...builder.chat.window, ...part } };
}
