import { parseDraftFiles } from "../uploads/draft-files.ts";
import { parseMentions } from "./mentions.ts";
import { newChatSync } from "./new-chat.ts";
import { lastTimeTipBefore, beginChat } from "./chat-builder.ts";
import { parseChatKey } from "./chat-rows.ts";
import type { Chat, ChatKey, Mention, NewestRow, ModeratorRemoval, RowEvent, IdRange } from "../state.ts";

/** A chat as the local database stores it, without its messages. Other versions of the client read the same records. */
export type SavedChat = Omit<Chat, "window" | "unread" | "atMe" | "atAll" | "preview" | "sync"> & {
  readonly unread: readonly number[];
  readonly senders: readonly number[];
  readonly mentions: readonly Mention[];
  readonly newest: NewestRow | null;
  readonly knownFrom: number;
  readonly events: readonly RowEvent[];
  readonly hidden: readonly number[];
  readonly purged: readonly ModeratorRemoval[];
  readonly isHollow: boolean;
  readonly islands: readonly IdRange[];
  readonly openedAt: number;
  readonly trimmedAt: number;
  /** Time of the newest time tip. */
  readonly lastTip: number | null;
};

/** The record of a chat for the local database. */
export function saveChat(chat: Chat): SavedChat {
  const { window: _window, preview: _preview, unread: _unread, atMe: _me, atAll: _all, sync, ...rest } = chat;
  const builder = beginChat(chat);
  return {
    ...rest,
    unread: sync.unread,
    senders: sync.unreadSenders,
    mentions: sync.mentions,
    newest: sync.newest,
    knownFrom: sync.knownFrom,
    events: sync.events,
    hidden: sync.deletedForMe,
    purged: sync.removedByModerator,
    isHollow: sync.needsPreview,
    islands: sync.olderRanges,
    openedAt: sync.openedAt,
    trimmedAt: sync.evictedAt,
    lastTip: chat.window.hasNewer ? sync.newestTimeTip : lastTimeTipBefore(builder, builder.confirmedCount),
  };
}

/** Whether two states of a chat have the same record. It may say no for equal ones. */
export function isSavedEqual(a: Chat, b: Chat): boolean {
  return (
    a.sync === b.sync &&
    a.readId === b.readId &&
    a.theirReadId === b.theirReadId &&
    a.draft === b.draft &&
    a.draftMentions === b.draftMentions &&
    a.draftQuote === b.draftQuote &&
    a.draftEdit === b.draftEdit &&
    a.draftFiles === b.draftFiles &&
    a.isMarkedUnread === b.isMarkedUnread &&
    a.isRemoved === b.isRemoved &&
    a.isTop === b.isTop &&
    a.msgRemind === b.msgRemind &&
    a.lastSendTime === b.lastSendTime
  );
}

/** A chat from its record, with an empty window; null if an older version or a defect left an unreadable record. */
export function restoreChat(
  value: Readonly<Record<string, unknown>> & { readonly key: ChatKey },
): Chat | null {
  const parsed = parseChatKey(value.key);
  const { readId, theirReadId, unread, knownFrom, lastTip, lastSendTime, msgRemind } = value;
  const isComplete =
    parsed !== null &&
    [readId, theirReadId, knownFrom, lastSendTime, msgRemind].every((field) => typeof field === "number") &&
    Array.isArray(unread);
  if (!isComplete) return null;
  const saved = value as SavedChat;
  const mentions = Array.isArray(saved.mentions) ? saved.mentions : [];
  return {
    key: parsed.key,
    type: parsed.type,
    targetId: parsed.targetId,
    preview: saved.isHollow ? null : (saved.newest?.preview ?? null),
    lastSendTime: saved.lastSendTime,
    unread: saved.unread.length,
    isTop: saved.isTop ?? false,
    msgRemind: saved.msgRemind,
    readId: saved.readId,
    theirReadId: saved.theirReadId,
    atMe: mentions.some((mention) => !mention.isAll),
    atAll: mentions.some((mention) => mention.isAll),
    draft: typeof saved.draft === "string" ? saved.draft : "",
    draftMentions: parseMentions(saved.draftMentions) ?? [],
    draftQuote: saved.draftQuote ?? null,
    draftEdit: saved.draftEdit ?? null,
    draftFiles: parseDraftFiles(saved.draftFiles) ?? [],
    isMarkedUnread: saved.isMarkedUnread ?? false,
    isRemoved: saved.isRemoved ?? false,
    window: {
      messages: [],
      hasOlder: true,
      hasNewer: false,
      older: "idle",
      newer: "idle",
    },
    sync: {
      ...newChatSync(saved.knownFrom),
      unread: saved.unread,
      // Older versions did not store senders.
      unreadSenders: Array.isArray(saved.senders) ? saved.senders : saved.unread.map(() => 0),
      mentions,
      newest: saved.newest ?? null,
      events: (saved.events ?? []).map((event) => ({ ...event, by: event.by ?? null })),
      deletedForMe: saved.hidden ?? [],
      removedByModerator: Array.isArray(saved.purged) ? saved.purged : [],
      needsPreview: saved.isHollow ?? false,
      olderRanges: Array.isArray(saved.islands) ? saved.islands.filter(isIdRange).map(toIdRange) : [],
      openedAt: typeof saved.openedAt === "number" ? saved.openedAt : 0,
      evictedAt: saved.trimmedAt ?? 0,
      timeTipBeforeWindow: typeof lastTip === "number" ? lastTip : null,
    },
  };
}

function isIdRange(value: IdRange): boolean {
  return typeof value?.from === "number" && typeof value.to === "number";
}

/** Only the ends: an older version stored whole pages, with texts of messages that may be deleted by now. */
function toIdRange({ from, to }: IdRange): IdRange {
  return { from, to };
}
