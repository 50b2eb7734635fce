import { addUnread, type ChatDraft, findOwn, placeOf, removeAt, renewTips, replaceAt } from "./draft.ts";
import { fallBack } from "./gone.ts";
import { isUnread, noteNewest, withReadStatus } from "./insert.ts";
import { mergeMessages } from "./merge.ts";
import { positionOf } from "./rows.ts";
import type { ChatMessage } from "./state.ts";

/** Older messages for the top of a window, ascending and without gaps up to it. */
export interface Page {
  readonly messages: readonly ChatMessage[];
  /** From the server: without time tips yet, and new to the disk. */
  readonly isFresh: boolean;
  readonly knownFrom: number;
  readonly hasOlder: boolean;
}

/** Puts a page above the window; what the window has already is merged. */
export function addPage(draft: ChatDraft, page: Page): void {
  const first = draft.confirmed > 0 ? (draft.messages[0]?.id ?? Infinity) : Infinity;
  const above: ChatMessage[] = [];
  for (const message of page.messages) {
    if ((message.id ?? Infinity) < first) above.push(withReadStatus(withoutEcho(draft, message), draft.chat));
    else mergeKnown(draft, message);
    noteNewest(draft, message);
    // Of rows that a pull left out nobody has told yet whether they are unread.
    if (page.isFresh && isUnread(draft, message)) addUnread(draft, positionOf(message));
  }
  draft.messages = [...above, ...draft.messages];
  draft.confirmed += above.length;
  draft.byTmpId = null;
  draft.isTouched = true;
  const { book, window } = draft.chat;
  // What stands above the page is not known unless this is the beginning; a tip within it is nearer than the one noted.
  const tipBase = page.hasOlder && !above.some((message) => message.hasTimeTip) ? book.tipBase : null;
  draft.chat = {
    ...draft.chat,
    book: { ...book, knownFrom: page.knownFrom, tipBase },
    window: { ...window, hasOlder: page.hasOlder, older: "idle" },
  };
  placeTips(draft, page);
  if (draft.chat.book.isHollow) fallBack(draft);
}

/** From the first place where the last tip is sure: the beginning of the chat, a fresh page, or a tip. */
function placeTips(draft: ChatDraft, page: Page): void {
  const isSure = !page.hasOlder || page.isFresh;
  const from = isSure ? 0 : draft.messages.findIndex((message) => message.hasTimeTip) + 1;
  if (isSure || from > 0) renewTips(draft, from);
}

/** A message of mine that the server has, but whose answer never came: its echo goes, the message takes its key. */
function withoutEcho(draft: ChatDraft, message: ChatMessage): ChatMessage {
  const echo = message.selfSend && message.tmpId !== null ? findOwn(draft, message.tmpId) : undefined;
  if (echo === undefined || echo.id !== null) return message;
  removeAt(draft, draft.messages.indexOf(echo));
  return mergeMessages(echo, message);
}

function mergeKnown(draft: ChatDraft, message: ChatMessage): void {
  const index = placeOf(draft, message.id ?? Infinity);
  const known = draft.messages[index];
  if (known === undefined || known.id !== message.id) return;
  const merged = mergeMessages(known, message);
  if (merged !== known) replaceAt(draft, index, merged);
}
