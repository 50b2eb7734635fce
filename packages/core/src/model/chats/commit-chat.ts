import { ChatType } from "@parley/protocol/codes";
import type { ChatBuilder } from "./chat-builder.ts";
import { withReadStatus } from "./insert-row.ts";
import { showNewest, trimOldest } from "./add-page.ts";
import { previewOf } from "./preview.ts";
import type { Chat, ChatMessage, Preview } from "../state.ts";

/** Messages that a chat which is not open keeps in memory. */
export const CLOSED_WINDOW_MAX_MESSAGES = 60;
/** So many an open one holds before what came first goes, and so many stay then: far more than a screen, and seldom cut. */
const OPEN_WINDOW_LIMIT = 1_200;
const OPEN_WINDOW_TARGET = 600;

const NOTHING_PENDING: readonly ChatMessage[] = [];

/** The chat after a batch: what follows from messages and positions is worked out once, here. Answers the old value when nothing changed. */
export function commitChat(
  builder: ChatBuilder,
  options: { isOpen: boolean; hasLocalDatabase: boolean; closedWindow: number },
): Chat {
  if (!builder.isChanged)
    return builder.chat === builder.base ? builder.base : withPreview(builder, builder.chat);
  // Nothing but the disk could bring messages of the system chat back one by one.
  if (options.hasLocalDatabase || builder.chat.type !== ChatType.SYSTEM) trimWindow(builder, options);
  const { chat } = builder;
  for (let i = 0; i < builder.messages.length; i++) {
    const message = builder.messages[i];
    if (message !== undefined) builder.messages[i] = withReadStatus(message, chat);
  }
  const { hasNewer } = chat.window;
  return withPreview(builder, {
    ...chat,
    unread: builder.unread.length,
    atMe: builder.mentions.some((mention) => !mention.isAll),
    atAll: builder.mentions.some((mention) => mention.isAll),
    sync: {
      ...chat.sync,
      unread: builder.unread,
      unreadSenders: builder.unreadSenders,
      mentions: builder.mentions,
      pending: hasNewer ? builder.messages.slice(builder.confirmedCount) : NOTHING_PENDING,
    },
    window: {
      ...chat.window,
      messages: hasNewer ? builder.messages.slice(0, builder.confirmedCount) : builder.messages,
    },
  });
}

function trimWindow(
  builder: ChatBuilder,
  { isOpen, closedWindow }: { isOpen: boolean; closedWindow: number },
): void {
  // Deleted to the last one: nothing tells any more where in the past the window stood.
  if (builder.chat.window.hasNewer && builder.confirmedCount === 0) showNewest(builder);
  if (isOpen) {
    if (builder.confirmedCount > OPEN_WINDOW_LIMIT)
      trimOldest(builder, builder.confirmedCount - OPEN_WINDOW_TARGET);
    return;
  }
  if (builder.chat.window.hasNewer) showNewest(builder);
  trimOldest(builder, Math.min(builder.messages.length - closedWindow, builder.confirmedCount));
}

/** Preview and time: of the last message that is on its way if it is the later one, else of the newest row. */
function withPreview(builder: ChatBuilder, chat: Chat): Chat {
  const { newest } = chat.sync;
  const last = builder.messages.at(-1);
  const pending = last !== undefined && last.id === null ? last : undefined;
  const isPending = pending !== undefined && pending.sendTime >= (newest?.sendTime ?? 0);
  const known = chat.sync.needsPreview ? null : (newest?.preview ?? null);
  const preview: Preview | null = isPending ? previewOf(pending) : known;
  const lastSendTime = isPending ? pending.sendTime : (newest?.sendTime ?? builder.chat.lastSendTime);
  return { ...chat, preview, lastSendTime };
}
