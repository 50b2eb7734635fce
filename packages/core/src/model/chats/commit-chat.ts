import { ChatType } from "@parley/protocol/codes";
import type { ChatBuilder } from "./chat-builder.ts";
import { withReadStatus } from "./insert-row.ts";
import { showNewest, trimOldest } from "./add-page.ts";
import { previewOf } from "./preview.ts";
import type { Chat, ChatMessage, Preview } from "../state.ts";

/** How many messages a chat keeps in memory while it is not open. */
export const CLOSED_WINDOW_MAX_MESSAGES = 60;
/** An open chat is cut to the target when it exceeds the limit: both far more than a screen, and far enough apart to cut seldom. */
const OPEN_WINDOW_LIMIT = 1_200;
const OPEN_WINDOW_TARGET = 600;

const NOTHING_PENDING: readonly ChatMessage[] = [];

/** The chat after a batch. Derived values are computed here, once per batch. Returns the old chat if nothing changed. */
export function commitChat(
  builder: ChatBuilder,
  options: { isOpen: boolean; hasLocalDatabase: boolean; closedWindow: number },
): Chat {
  if (!builder.isChanged)
    return builder.chat === builder.base ? builder.base : withPreview(builder, builder.chat);
  // The server has no pages of the system chat: without a local database its messages could not be loaded again.
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
  // All messages of a window in the past were deleted: its position is unknown now.
  if (builder.chat.window.hasNewer && builder.confirmedCount === 0) showNewest(builder);
  if (isOpen) {
    if (builder.confirmedCount > OPEN_WINDOW_LIMIT)
      trimOldest(builder, builder.confirmedCount - OPEN_WINDOW_TARGET);
    return;
  }
  if (builder.chat.window.hasNewer) showNewest(builder);
  trimOldest(builder, Math.min(builder.messages.length - closedWindow, builder.confirmedCount));
}

/** Preview and time come from the last unsent message if it is the later one, else from the newest row. */
function withPreview(builder: ChatBuilder, chat: Chat): Chat {
  const { newest } = chat.sync;
  const last = builder.messages.at(-1);
  const pending = last !== undefined && last.id === null ? last : undefined;
  const isPending = pending !== undefined && pending.sendTime >= (newest?.sendTime ?? 0);
  const newestPreview = chat.sync.needsPreview ? null : (newest?.preview ?? null);
  const preview: Preview | null = isPending ? previewOf(pending) : newestPreview;
  const lastSendTime = isPending ? pending.sendTime : (newest?.sendTime ?? builder.chat.lastSendTime);
  return { ...chat, preview, lastSendTime };
}
