import { ChatType } from "@parley/protocol/codes";
import type { ChatDraft } from "./draft.ts";
import { withReadStatus } from "./insert.ts";
import { backToHead, cutTop } from "./page.ts";
import { previewOf } from "./preview.ts";
import type { Chat, ChatMessage, Preview } from "./state.ts";

/** Messages that a chat which is not open keeps in memory. */
export const CLOSED_WINDOW_MAX = 60;
/** So many an open one holds before what came first goes, and so many stay then: far more than a screen, and seldom cut. */
const LIVE_WINDOW_MAX = 1_200;
const LIVE_WINDOW_LEFT = 600;

const NOTHING_PENDING: readonly ChatMessage[] = [];

/** The chat after a batch: what follows from messages and positions is worked out once, here. Answers the old value when nothing changed. */
export function finishDraft(
  draft: ChatDraft,
  options: { isOpen: boolean; hasDisk: boolean; closedWindow: number },
): Chat {
  if (!draft.isTouched) return draft.chat === draft.base ? draft.base : withLastLine(draft, draft.chat);
  // Nothing but the disk could bring messages of the system chat back one by one.
  if (options.hasDisk || draft.chat.type !== ChatType.SYSTEM) cut(draft, options);
  const { chat } = draft;
  for (let i = 0; i < draft.messages.length; i++) {
    const message = draft.messages[i];
    if (message !== undefined) draft.messages[i] = withReadStatus(message, chat);
  }
  const { hasNewer } = chat.window;
  return withLastLine(draft, {
    ...chat,
    unread: draft.unread.length,
    atMe: draft.mentions.some((mention) => !mention.isAll),
    atAll: draft.mentions.some((mention) => mention.isAll),
    book: {
      ...chat.book,
      unread: draft.unread,
      senders: draft.senders,
      mentions: draft.mentions,
      pending: hasNewer ? draft.messages.slice(draft.confirmed) : NOTHING_PENDING,
    },
    window: {
      ...chat.window,
      messages: hasNewer ? draft.messages.slice(0, draft.confirmed) : draft.messages,
    },
  });
}

function cut(draft: ChatDraft, { isOpen, closedWindow }: { isOpen: boolean; closedWindow: number }): void {
  // Deleted to the last one: nothing tells any more where in the past the window stood.
  if (draft.chat.window.hasNewer && draft.confirmed === 0) backToHead(draft);
  if (isOpen) {
    if (draft.confirmed > LIVE_WINDOW_MAX) cutTop(draft, draft.confirmed - LIVE_WINDOW_LEFT);
    return;
  }
  if (draft.chat.window.hasNewer) backToHead(draft);
  cutTop(draft, Math.min(draft.messages.length - closedWindow, draft.confirmed));
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
