import { ChatType } from "@parley/protocol/codes";
import type { ChatContext } from "./chat-input.ts";
import { parseChatKey } from "./rows.ts";
import type { Chat, ChatBook, ChatKey } from "./state.ts";

/** What is noted of a chat of which every message from this id on is known. */
export function newBook(knownFrom: number): ChatBook {
  return {
    unread: [],
    senders: [],
    mentions: [],
    newest: null,
    knownFrom,
    islands: [],
    tipBase: null,
    headTip: null,
    pending: [],
    openedAt: 0,
    trimmedAt: 0,
    events: [],
    receipts: [],
    hidden: [],
    purged: [],
    isHollow: false,
  };
}

/** A chat as it begins: pinned and silent as its friend or group is. */
export function newChat(
  key: ChatKey,
  { floors, friends, groups }: Pick<ChatContext, "floors" | "friends" | "groups">,
): Chat {
  const parsed = parseChatKey(key);
  const type = parsed?.type ?? ChatType.PRIVATE;
  const targetId = parsed?.targetId ?? 0;
  const set =
    type === ChatType.PRIVATE ? friends[targetId] : type === ChatType.GROUP ? groups[targetId] : undefined;
  const knownFrom = floors[type];
  return {
    key,
    type,
    targetId,
    preview: null,
    lastSendTime: 0,
    unread: 0,
    isTop: set?.isTop ?? false,
    msgRemind: set?.msgRemind ?? (type === ChatType.GROUP ? 0 : 1),
    readId: -1,
    theirReadId: -1,
    atMe: false,
    atAll: false,
    draft: "",
    draftMentions: [],
    draftQuote: null,
    draftEdit: null,
    isMarkedUnread: false,
    isRemoved: false,
    window: { messages: [], hasOlder: knownFrom > 0, hasNewer: false, older: "idle", newer: "idle" },
    book: newBook(knownFrom),
  };
}
