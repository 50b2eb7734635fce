import { ChatType } from "@parley/protocol/codes";
import { type ChatDraft, lastTipBefore } from "./draft.ts";
import { withReadStatus } from "./insert.ts";
import { previewOf } from "./preview.ts";
import type { Chat, ChatBook, ChatWindow, Preview } from "./state.ts";

/** Messages that a chat which is not open keeps in memory. */
const CLOSED_WINDOW_MAX = 60;

/** The chat after a batch: what follows from messages and positions is worked out once, here. Answers the old value when nothing changed. */
export function finishDraft(draft: ChatDraft, options: { isOpen: boolean; hasDisk: boolean }): Chat {
  if (!draft.isTouched) return draft.chat === draft.base ? draft.base : withLastLine(draft, draft.chat);
  const { chat } = draft;
  for (let i = 0; i < draft.messages.length; i++) {
    const message = draft.messages[i];
    if (message !== undefined) draft.messages[i] = withReadStatus(message, chat);
  }
  const cut = options.isOpen ? 0 : countToCut(draft, options.hasDisk);
  const book: ChatBook = { ...chat.book, unread: draft.unread };
  const window: ChatWindow = { ...chat.window, messages: draft.messages };
  return withLastLine(draft, {
    ...chat,
    unread: draft.unread.length,
    ...(cut > 0 ? cutTop(draft, book, window, cut, options.hasDisk) : { book, window }),
  });
}

function countToCut(draft: ChatDraft, hasDisk: boolean): number {
  // Nothing but the disk could bring messages of the system chat back one by one.
  if (!hasDisk && draft.chat.type === ChatType.SYSTEM) return 0;
  return Math.min(draft.messages.length - CLOSED_WINDOW_MAX, draft.confirmed);
}

function cutTop(
  draft: ChatDraft,
  book: ChatBook,
  window: ChatWindow,
  cut: number,
  hasDisk: boolean,
): Pick<Chat, "book" | "window"> {
  const tipBase = lastTipBefore(draft, cut);
  const messages = draft.messages.slice(cut);
  // Without a disk what is cut is known to the server only.
  const knownFrom = hasDisk ? book.knownFrom : (messages[0]?.id ?? book.knownFrom);
  return { book: { ...book, tipBase, knownFrom }, window: { ...window, messages, hasOlder: true } };
}

/** Preview and time: of the last message that is on its way if it is the later one, else of the newest row. */
function withLastLine(draft: ChatDraft, chat: Chat): Chat {
  const { newest } = chat.book;
  const last = draft.messages.at(-1);
  const pending = last !== undefined && last.id === null ? last : undefined;
  const isPending = pending !== undefined && pending.sendTime >= (newest?.sendTime ?? 0);
  const known = chat.book.isHollow ? null : (newest?.preview ?? null);
  const preview: Preview | null = isPending ? previewOf(pending) : known;
  const lastSendTime = isPending ? pending.sendTime : (newest?.sendTime ?? draft.chat.lastSendTime);
  return { ...chat, preview, lastSendTime };
}
