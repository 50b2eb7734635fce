import { usualLevel } from "@parley/protocol/alert-level";
import { ChatType } from "@parley/protocol/codes";
import type { ChatContext } from "./chat-input.ts";
import { parseChatKey } from "./chat-rows.ts";
import type { Chat, ChatSync, ChatKey } from "../state.ts";

/** The sync state of a chat without messages whose history is known from this id on. */
export function newChatSync(knownFrom: number): ChatSync {
  return {
    unread: [],
    unreadSenders: [],
    mentions: [],
    newest: null,
    knownFrom,
    olderRanges: [],
    timeTipBeforeWindow: null,
    newestTimeTip: null,
    pending: [],
    openedAt: 0,
    evictedAt: 0,
    events: [],
    receipts: [],
    extras: [],
    deletedForMe: [],
    removedByModerator: [],
    needsPreview: false,
  };
}

/** An empty chat with the settings of its friend or group. */
export function newChat(
  key: ChatKey,
  { historyStart, friends, groups }: Pick<ChatContext, "historyStart" | "friends" | "groups">,
): Chat {
  const parsed = parseChatKey(key);
  const type = parsed?.type ?? ChatType.PRIVATE;
  const targetId = parsed?.targetId ?? 0;
  const settings =
    type === ChatType.PRIVATE ? friends[targetId] : type === ChatType.GROUP ? groups[targetId] : undefined;
  const knownFrom = historyStart[type];
  return {
    key,
    type,
    targetId,
    preview: null,
    lastSendTime: 0,
    unread: 0,
    isTop: settings?.isTop ?? false,
    msgRemind: settings?.msgRemind ?? usualLevel(type),
    readId: -1,
    theirReadId: -1,
    atMe: false,
    atAll: false,
    draft: "",
    draftMentions: [],
    draftQuote: null,
    draftEdit: null,
    draftFiles: [],
    isRemoved: false,
    window: { messages: [], hasOlder: knownFrom > 0, hasNewer: false, older: "idle", newer: "idle" },
    sync: newChatSync(knownFrom),
  };
}
