import { readMentions } from "./mentions.ts";
import { newBook } from "./new-chat.ts";
import { lastTipBefore, openDraft } from "./draft.ts";
import { parseChatKey } from "./rows.ts";
import type { Chat, ChatKey, Mention, NewestRow, Purge, RowEvent, Span } from "./state.ts";

/** A chat as it lies on disk, without its messages. */
export type SavedChat = Omit<Chat, "window" | "unread" | "atMe" | "atAll" | "preview" | "book"> & {
  readonly unread: readonly number[];
  readonly senders: readonly number[];
  readonly mentions: readonly Mention[];
  readonly newest: NewestRow | null;
  readonly knownFrom: number;
  readonly events: readonly RowEvent[];
  readonly hidden: readonly number[];
  readonly purged: readonly Purge[];
  readonly isHollow: boolean;
  readonly islands: readonly Span[];
  readonly openedAt: number;
  readonly trimmedAt: number;
  /** Time of the newest time tip. */
  readonly lastTip: number | null;
};

export function saveChat(chat: Chat): SavedChat {
  const { window: _window, preview: _preview, unread: _unread, atMe: _me, atAll: _all, book, ...rest } = chat;
  const draft = openDraft(chat);
  return {
    ...rest,
    unread: book.unread,
    senders: book.senders,
    mentions: book.mentions,
    newest: book.newest,
    knownFrom: book.knownFrom,
    events: book.events,
    hidden: book.hidden,
    purged: book.purged,
    isHollow: book.isHollow,
    islands: book.islands,
    openedAt: book.openedAt,
    trimmedAt: book.trimmedAt,
    lastTip: chat.window.hasNewer ? book.headTip : lastTipBefore(draft, draft.confirmed),
  };
}

/** Whether two states of a chat differ in something that lies on disk. */
export function isSavedAlike(a: Chat, b: Chat): boolean {
  return (
    a.book === b.book &&
    a.readId === b.readId &&
    a.theirReadId === b.theirReadId &&
    a.draft === b.draft &&
    a.draftMentions === b.draftMentions &&
    a.draftQuote === b.draftQuote &&
    a.draftEdit === b.draftEdit &&
    a.isMarkedUnread === b.isMarkedUnread &&
    a.isRemoved === b.isRemoved &&
    a.isTop === b.isTop &&
    a.msgRemind === b.msgRemind &&
    a.lastSendTime === b.lastSendTime
  );
}

/** A chat from disk, its window still there; null for what an older version or a broken disk left. */
export function restoreChat(
  value: Readonly<Record<string, unknown>> & { readonly key: ChatKey },
): Chat | null {
  const parsed = parseChatKey(value.key);
  const { readId, theirReadId, unread, knownFrom, lastTip, lastSendTime, msgRemind } = value;
  const isWhole =
    parsed !== null &&
    [readId, theirReadId, knownFrom, lastSendTime, msgRemind].every((field) => typeof field === "number") &&
    Array.isArray(unread);
  if (!isWhole) return null;
  const saved = value as unknown as SavedChat;
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
    draftMentions: readMentions(saved.draftMentions) ?? [],
    draftQuote: saved.draftQuote ?? null,
    draftEdit: saved.draftEdit ?? null,
    isMarkedUnread: saved.isMarkedUnread ?? false,
    isRemoved: saved.isRemoved ?? false,
    window: {
      messages: [],
      hasOlder: true,
      hasNewer: false,
      older: "idle",
      newer: "idle",
    },
    book: {
      ...newBook(saved.knownFrom),
      unread: saved.unread,
      // An older version did not note them.
      senders: Array.isArray(saved.senders) ? saved.senders : saved.unread.map(() => 0),
      mentions,
      newest: saved.newest ?? null,
      events: (saved.events ?? []).map((event) => ({ ...event, by: event.by ?? null })),
      hidden: saved.hidden ?? [],
      purged: Array.isArray(saved.purged) ? saved.purged : [],
      isHollow: saved.isHollow ?? false,
      islands: Array.isArray(saved.islands) ? saved.islands.filter(isSpan).map(endsOf) : [],
      openedAt: typeof saved.openedAt === "number" ? saved.openedAt : 0,
      trimmedAt: saved.trimmedAt ?? 0,
      tipBase: typeof lastTip === "number" ? lastTip : null,
    },
  };
}

function isSpan(value: Span): boolean {
  return typeof value?.from === "number" && typeof value.to === "number";
}

/** An older version noted whole pages, with the text of messages that have gone since. */
function endsOf({ from, to }: Span): Span {
  return { from, to };
}
