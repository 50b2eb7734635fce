import * as z from "zod/mini";
import { MessageType } from "@parley/protocol/codes";
import { type PreviewKey, tip } from "@parley/protocol/message";
import { lastTimeTipBefore, beginChat } from "./chat-builder.ts";
import { parseChatKey } from "./chat-rows.ts";
import { newChatSync } from "./new-chat.ts";
import { chatKey, draftEdit, draftFiles, draftMentions, draftQuote, idOrInfinity } from "../schemas.ts";
import type { Chat, ChatSync } from "../state.ts";

/** What the key, the messages or other fields of a chat say, and what is not worth keeping. */
type Unsaved = "type" | "targetId" | "window" | "preview" | "unread" | "atMe" | "atAll" | "sync";
type UnsavedSync = "timeTipBeforeWindow" | "receipts" | "extras" | "pending";

/** A chat as the local database stores it, without its messages. */
export type SavedChat = Omit<Chat, Unsaved> & {
  readonly sync: Omit<ChatSync, UnsavedSync>;
  /**
   * Version 0.1.0 kept the unread mark here, on this device only. It takes a record without it for a damaged one, so that it is written as
   * false as long as tabs of that version may read it.
   */
  readonly isMarkedUnread: boolean;
};

const positions = z.array(z.number());

const savedChat: z.ZodMiniType<SavedChat> = z.object({
  key: chatKey,
  lastSendTime: z.number(),
  isTop: z.boolean(),
  msgRemind: z.number(),
  readId: z.number(),
  theirReadId: z.number(),
  draft: z.string(),
  draftMentions,
  draftQuote: z.nullable(draftQuote),
  draftEdit: z.nullable(draftEdit),
  draftFiles,
  isMarkedUnread: z.boolean(),
  isRemoved: z.boolean(),
  sync: z.object({
    unread: positions,
    unreadSenders: positions,
    mentions: z.array(z.object({ id: z.number(), isAll: z.boolean() })),
    newest: z.nullable(
      z.object({
        id: z.number(),
        position: z.number(),
        sendNickName: z.string(),
        sendTime: z.number(),
        preview: z.object({
          key: z.custom<PreviewKey>((value) => typeof value === "string"),
          text: z.string(),
          tip: z.nullable(tip),
          sendId: z.number(),
          sending: z.literal(["waiting", "sending", "failed", null]),
        }),
      }),
    ),
    knownFrom: idOrInfinity,
    olderRanges: z.array(z.object({ from: z.number(), to: z.number() })),
    events: z.array(
      z.object({
        id: z.number(),
        type: z.literal([MessageType.EDIT, MessageType.RECALL]),
        targetId: z.number(),
        content: z.string(),
        sendTime: z.number(),
        by: z.nullable(z.object({ id: z.number(), name: z.string() })),
      }),
    ),
    deletedForMe: positions,
    removedByModerator: z.array(z.object({ userId: z.number(), upTo: z.number() })),
    needsPreview: z.boolean(),
    newestTimeTip: z.nullable(z.number()),
    openedAt: z.number(),
    evictedAt: z.number(),
  }),
});

/** The record of a chat for the local database. */
export function saveChat(chat: Chat): SavedChat {
  const { type: _type, targetId: _targetId, preview: _preview, ...withoutDerived } = chat;
  const { unread: _unread, atMe: _atMe, atAll: _atAll, window, sync, ...rest } = withoutDerived;
  const {
    timeTipBeforeWindow: _tip,
    receipts: _receipts,
    extras: _extras,
    pending: _pending,
    ...savedSync
  } = sync;
  const builder = beginChat(chat);
  const newestTimeTip = window.hasNewer
    ? sync.newestTimeTip
    : lastTimeTipBefore(builder, builder.confirmedCount);
  return { ...rest, isMarkedUnread: false, sync: { ...savedSync, newestTimeTip } };
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
    a.isRemoved === b.isRemoved &&
    a.isTop === b.isTop &&
    a.msgRemind === b.msgRemind &&
    a.lastSendTime === b.lastSendTime
  );
}

/** Whether version 0.1.0 has stored that the chat is marked as unread. */
export function hasOldMark(record: Readonly<Record<string, unknown>>): boolean {
  return record["isMarkedUnread"] === true;
}

/** A chat from its record, with an empty window; null if the record is damaged. */
export function restoreChat(record: unknown): Chat | null {
  const { data: saved } = savedChat.safeParse(record);
  const parsed = saved === undefined ? null : parseChatKey(saved.key);
  if (saved === undefined || parsed === null) return null;
  const { sync, isMarkedUnread: _isMarked, ...rest } = saved;
  return {
    ...rest,
    ...parsed,
    preview: sync.needsPreview ? null : (sync.newest?.preview ?? null),
    unread: sync.unread.length,
    atMe: sync.mentions.some(({ isAll }) => !isAll),
    atAll: sync.mentions.some(({ isAll }) => isAll),
    window: { messages: [], hasOlder: true, hasNewer: false, older: "idle", newer: "idle" },
    sync: {
      ...newChatSync(sync.knownFrom),
      ...sync,
      // The window is empty, and ends with the newest message.
      timeTipBeforeWindow: sync.newestTimeTip,
      newestTimeTip: null,
    },
  };
}
