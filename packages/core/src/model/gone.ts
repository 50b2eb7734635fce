import type { ChatType } from "@parley/protocol/codes";
import { type ChatDraft, removeAt, removeUnread, renewTips } from "./draft.ts";
import { newestOf } from "./insert.ts";
import { previewOf } from "./preview.ts";
import { positionOf, typeOfKey } from "./rows.ts";
import { withKnown } from "./spans.ts";
import type { ChatKey, ChatMessage } from "./state.ts";

/** Messages that go: deleted for oneself one by one, or all up to a mark. */

/** Everything of a kind up to this position was cleared, -1 or 0 for nothing. */
export type ClearedMarks = Readonly<Record<ChatType, number>>;

/** How many deleted messages of a chat are remembered; a copy of an older one is not under way any more. */
const HIDDEN_MAX = 500;

/** Whether a row lies at or below the mark of its kind. */
export function isCleared(marks: ClearedMarks, key: ChatKey, message: ChatMessage): boolean {
  return positionOf(message) <= marks[typeOfKey(key)];
}

export function isHidden(draft: ChatDraft, message: ChatMessage): boolean {
  return message.id !== null && draft.chat.book.hidden.includes(message.id);
}

export function hideMessages(draft: ChatDraft, ids: readonly number[]): void {
  const { book, draftQuote, draftEdit } = draft.chat;
  const hidden = [...new Set([...book.hidden, ...ids])].sort((a, b) => a - b).slice(-HIDDEN_MAX);
  const isQuoteGone = draftQuote !== null && ids.includes(draftQuote.id);
  const isEditGone = draftEdit !== null && ids.includes(draftEdit.id);
  draft.chat = {
    ...draft.chat,
    draftQuote: isQuoteGone ? null : draftQuote,
    draftEdit: isEditGone ? null : draftEdit,
    book: { ...book, hidden },
  };
  removeWhere(draft, (message) => message.id !== null && ids.includes(message.id));
  // In the system chat nothing is deleted one by one: positions are ids here.
  removeUnread(draft, (position) => ids.includes(position));
  if (book.newest !== null && ids.includes(book.newest.id)) fallBack(draft);
}

/** The server refused: the messages come back as rows. */
export function showAgain(draft: ChatDraft, ids: readonly number[]): void {
  const { book } = draft.chat;
  draft.chat = { ...draft.chat, book: { ...book, hidden: book.hidden.filter((id) => !ids.includes(id)) } };
}

/** Empties a chat up to the mark. What is left without a message, a draft or somebody who looks at it goes from the list. */
export function clearMessages(draft: ChatDraft, upTo: number, isOpen: boolean): void {
  const before = draft.messages.length;
  removeWhere(draft, (message) => message.id !== null && positionOf(message) <= upTo);
  const isTrimmed = draft.messages.length < before || draft.confirmed === 0;
  removeUnread(draft, (position) => position <= upTo);
  const { book, window, draftQuote, draftEdit } = draft.chat;
  const known = withKnown(book, { from: 0, to: upTo + 1 });
  const isWhole = known.knownFrom === 0;
  draft.chat = {
    ...draft.chat,
    draftQuote: draftQuote !== null && draftQuote.id <= upTo ? null : draftQuote,
    draftEdit: draftEdit !== null && draftEdit.id <= upTo ? null : draftEdit,
    book: {
      ...book,
      ...known,
      tipBase: isTrimmed ? null : book.tipBase,
      hidden: book.hidden.filter((id) => id > upTo),
      purged: book.purged.filter((purge) => purge.upTo > upTo),
    },
    window: isTrimmed && isWhole ? { ...window, hasOlder: false, older: "idle" } : window,
  };
  if (isTrimmed) renewTips(draft, 0);
  if (book.newest !== null && book.newest.position <= upTo) fallBack(draft);
  const { chat } = draft;
  const isEmpty = chat.book.newest === null && draft.messages.length === 0;
  if (isEmpty && chat.draft === "" && chat.draftQuote === null && !isOpen)
    draft.chat = { ...chat, isRemoved: true };
  draft.isTouched = true;
}

/** The newest row is gone: preview and time fall back to the one before it, once that is in memory. `rows` are the newest known, ascending. */
export function fallBack(
  draft: ChatDraft,
  rows: readonly ChatMessage[] = draft.chat.window.hasNewer ? [] : draft.messages.slice(0, draft.confirmed),
): void {
  const { book, window } = draft.chat;
  for (const message of rows.toReversed()) {
    const preview = previewOf(message);
    if (message.id === null || preview === null) continue;
    draft.chat = {
      ...draft.chat,
      book: { ...book, newest: newestOf(message, message.id, preview), isHollow: false },
    };
    return;
  }
  const isHollow = window.hasOlder || window.hasNewer;
  draft.chat = { ...draft.chat, book: { ...book, newest: isHollow ? book.newest : null, isHollow } };
}

export function removeWhere(draft: ChatDraft, isGone: (message: ChatMessage) => boolean): void {
  for (let i = draft.confirmed - 1; i >= 0; i--) {
    const message = draft.messages[i];
    if (message !== undefined && isGone(message)) removeAt(draft, i);
  }
}
