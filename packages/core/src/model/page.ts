import { type ChatDraft, placeOf, replaceAt } from "./draft.ts";
import { mergeMessages } from "./merge.ts";
import { withReadStatus } from "./insert.ts";
import { TIME_TIP_GAP_MS } from "@parley/protocol/limits";
import type { ChatMessage } from "./state.ts";

/** Older messages for the top of a window, ascending and without gaps up to it. */
export interface Page {
  readonly messages: readonly ChatMessage[];
  /** From the server: without time tips yet, and new to the disk. */
  readonly isFresh: boolean;
  readonly knownFrom: number;
  readonly hasOlder: boolean;
}

/** Puts a page above the window; what the window has already is merged. Answers the rows that are new to the disk. */
export function addPage(draft: ChatDraft, page: Page): ChatMessage[] {
  const first = draft.confirmed > 0 ? (draft.messages[0]?.id ?? Infinity) : Infinity;
  const fresh: ChatMessage[] = [];
  const above: ChatMessage[] = [];
  for (const message of page.isFresh ? withTips(page.messages) : page.messages) {
    if ((message.id ?? Infinity) < first) above.push(message);
    else mergeKnown(draft, message);
    if (page.isFresh) fresh.push(message);
  }
  draft.messages = [...above.map((message) => withReadStatus(message, draft.chat)), ...draft.messages];
  draft.confirmed += above.length;
  draft.byTmpId = null;
  draft.lastTip = undefined;
  draft.isTouched = true;
  const { book, window } = draft.chat;
  draft.chat = {
    ...draft.chat,
    // A tip within the page stands nearer than the one noted; what stood above the page is not known then.
    book: {
      ...book,
      knownFrom: page.knownFrom,
      tipBase: above.some((m) => m.hasTimeTip) ? null : book.tipBase,
    },
    window: { ...window, hasOlder: page.hasOlder, older: "idle" },
  };
  return fresh;
}

function mergeKnown(draft: ChatDraft, message: ChatMessage): void {
  const index = placeOf(draft, message.id ?? Infinity);
  const known = draft.messages[index];
  if (known === undefined || known.id !== message.id) return;
  const merged = mergeMessages(known, message);
  if (merged !== known) replaceAt(draft, index, merged);
}

function withTips(messages: readonly ChatMessage[]): ChatMessage[] {
  let last: number | null = null;
  return messages.map((message) => {
    const hasTimeTip = last === null || message.sendTime - last > TIME_TIP_GAP_MS;
    if (hasTimeTip) last = message.sendTime;
    return { ...message, hasTimeTip };
  });
}
