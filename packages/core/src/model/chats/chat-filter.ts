import { ChatType } from "@parley/protocol/codes";
import type { Chat, ChatKey, State } from "../state.ts";
import { hasUnread, isArchived, isMuted, type PrefState } from "./chat-prefs.ts";
import { chatTypeOf } from "./chat-rows.ts";
import { listedChat } from "./first-chats.ts";

/** The filters above the chat list, in their order. */
export const CHAT_FILTERS = ["all", "unread", "mentions", "groups", "people"] as const;

/** A filter above the chat list. */
export type ChatFilter = (typeof CHAT_FILTERS)[number];

/** The parts of the chat list that may be folded into one row each at its top, in the order of these rows. */
export const CHAT_FOLDS = ["archived", "mutedGroups"] as const;

/** A folded part of the chat list. */
export type ChatFold = (typeof CHAT_FOLDS)[number];

/** What is folded for everybody. */
const ALWAYS_FOLDED: readonly ChatFold[] = ["archived"];

/** Which chats the list shows: those of a filter, or those of a folded part. */
export type ChatView = ChatFilter | ChatFold;

/** What the row of a folded part says. */
export interface FoldSummary {
  readonly fold: ChatFold;
  readonly count: number;
  readonly hasUnread: boolean;
  /** An unread message in it mentions the person, or everyone. */
  readonly mention: "atMe" | "atAll" | null;
}

/** The chat list without a filter. */
export interface FoldedList {
  /** The chats that are in no folded part; the same array if these are all. */
  readonly keys: readonly ChatKey[];
  /** The folded parts that have chats. */
  readonly folds: readonly FoldSummary[];
}

/** The parts of the state that say what a filter shows. */
type FilterState = Pick<State, "chats" | "firstChats"> & PrefState;

/** Whether the list shows a folded part. */
export function isFold(view: ChatView): view is ChatFold {
  return CHAT_FOLDS.some((fold) => fold === view);
}

/**
 * The chats of a view, in the order of `keys`; the same array if it shows all. What is folded is in no "all", and archived chats are in no
 * other filter either. `kept` stays although a filter does not match it, such as an open chat that was unread a moment ago.
 */
export function filterChats(
  keys: readonly ChatKey[],
  view: ChatView,
  state: FilterState,
  kept: ChatKey | null = null,
  folds = ALWAYS_FOLDED,
): readonly ChatKey[] {
  const shown = keys.filter((key) => {
    if (isFold(view)) return foldOf(key, state, folds) === view;
    if (view === "all") return foldOf(key, state, folds) === null;
    return foldOf(key, state, ALWAYS_FOLDED) === null && (key === kept || MATCHES[view](key, state));
  });
  return shown.length === keys.length ? keys : shown;
}

/** The list without a filter: one pass over all chats, because every change of a chat asks for it. */
export function foldList(
  keys: readonly ChatKey[],
  state: FilterState,
  folds: readonly ChatFold[],
): FoldedList {
  const summaries = new Map<ChatFold, FoldSummary>();
  const shown = keys.filter((key) => {
    const fold = foldOf(key, state, folds);
    const chat = chatOf(key, state);
    if (fold === null || chat === undefined) return true;
    const { count = 0, hasUnread: isUnread = false, mention = null } = summaries.get(fold) ?? {};
    summaries.set(fold, {
      fold,
      count: count + 1,
      hasUnread: isUnread || hasUnread(state, chat),
      mention: chat.atMe ? "atMe" : (mention ?? (chat.atAll ? "atAll" : null)),
    });
    return false;
  });
  return {
    keys: summaries.size === 0 ? keys : shown,
    folds: folds.flatMap((fold) => summaries.get(fold) ?? []),
  };
}

/** The first of these folded parts that a chat is in. */
function foldOf(key: ChatKey, state: FilterState, folds: readonly ChatFold[]): ChatFold | null {
  const chat = chatOf(key, state);
  return chat === undefined ? null : (folds.find((fold) => IS_IN_FOLD[fold](chat, state)) ?? null);
}

const IS_IN_FOLD: Record<ChatFold, (chat: Chat, state: PrefState) => boolean> = {
  archived: (chat, state) => isArchived(state, chat),
  mutedGroups: (chat) => chat.type === ChatType.GROUP && isMuted(chat),
};

const MATCHES: Record<Exclude<ChatFilter, "all">, (key: ChatKey, state: FilterState) => boolean> = {
  unread: (key, state) => {
    const chat = chatOf(key, state);
    return chat !== undefined && hasUnread(state, chat);
  },
  // A mention of everyone is one of me too.
  mentions: (key, state) => {
    const chat = chatOf(key, state);
    return chat !== undefined && (chat.atMe || chat.atAll);
  },
  groups: (key) => chatTypeOf(key) === ChatType.GROUP,
  people: (key) => chatTypeOf(key) === ChatType.PRIVATE,
};

function chatOf(key: ChatKey, { chats, firstChats }: Pick<State, "chats" | "firstChats">): Chat | undefined {
  return listedChat(firstChats?.byKey[key]?.chat, chats.byKey[key]);
}
