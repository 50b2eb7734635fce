import { type ChatDraft, removeUnread, renewTips } from "./draft.ts";
import { backToHead } from "./page.ts";

/** Nothing is known here any more of what stands up to an id; what is on its way, unsent or hidden stays. */
export function forgetMessages(draft: ChatDraft, upTo: number): void {
  backToHead(draft);
  removeUnread(draft, () => true);
  const { book } = draft.chat;
  const known = { knownFrom: Math.max(book.knownFrom, upTo + 1), islands: [] };
  draft.chat = {
    ...draft.chat,
    book: { ...book, ...known, tipBase: null, headTip: null, isHollow: book.newest !== null },
  };
  renewTips(draft, 0);
  draft.isTouched = true;
}
