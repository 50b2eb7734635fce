import { expect, test } from "vitest";
import { chat, FRIEND_CHAT, NOON, privateRow } from "../../testing/builders.ts";
import { createChatHarness } from "../../testing/chat-harness.ts";
import { newChatSync } from "./new-chat.ts";
import type { Chat, ChatKey } from "../state.ts";
import { isSavedEqual, restoreChat, saveChat } from "./saved-chat.ts";

const MINIMAL_RECORD = {
  key: FRIEND_CHAT,
  readId: 1,
  theirReadId: 2,
  unread: [5],
  knownFrom: 3,
  lastSendTime: 4,
  msgRemind: 1,
} as const;

const MINIMAL_CHAT: Chat = chat({
  key: FRIEND_CHAT,
  readId: 1,
  theirReadId: 2,
  unread: 1,
  lastSendTime: 4,
  window: { messages: [], hasOlder: true, hasNewer: false, older: "idle", newer: "idle" },
  sync: { ...newChatSync(3), unread: [5], unreadSenders: [0] },
});

const preview = { key: "content", text: "hi", tip: null, sendId: 2, sending: null } as const;
const newest = { id: 5, position: 5, sendNickName: "Friend", sendTime: 4, preview };

test("M32 fields that an older version did not save have their defaults", () => {
  expect(restoreChat(MINIMAL_RECORD)).toEqual(MINIMAL_CHAT);
});

test("M32 every saved field is restored", () => {
  const draftQuote = { id: 5, sendId: 2, sendNickName: "Friend", type: 0, content: "text 5" };
  const full = chat({
    ...MINIMAL_CHAT,
    preview,
    isTop: true,
    msgRemind: 0,
    atMe: true,
    draft: "half @Ann",
    draftMentions: [{ userId: 7, from: 5, to: 9 }],
    draftQuote,
    draftEdit: { id: 5, text: "bet" },
    isMarkedUnread: true,
    isRemoved: true,
    sync: {
      ...newChatSync(3),
      unread: [5],
      unreadSenders: [2],
      mentions: [{ id: 5, isAll: false }],
      newest,
      olderRanges: [{ from: 1, to: 2 }],
      events: [
        { id: 8, type: 10, targetId: 4, content: "", sendTime: 3, by: null },
        { id: 9, type: 10, targetId: 5, content: "", sendTime: 3, by: { id: 7, name: "Ann" } },
      ],
      deletedForMe: [1],
      removedByModerator: [{ userId: 7, upTo: 2 }],
      openedAt: 11,
      evictedAt: 12,
      timeTipBeforeWindow: 13,
    },
  });
  expect(restoreChat({ ...saveChat(full) })).toEqual(full);
  const all = { ...full, atMe: false, atAll: true };
  const mentions = [{ id: 5, isAll: true }];
  expect(restoreChat({ ...saveChat(full), mentions })).toMatchObject({
    atMe: all.atMe,
    atAll: all.atAll,
    sync: { mentions },
  });
});

test("M32 a chat that needs a preview is restored without one although its newest row is known", () => {
  const restored = restoreChat({ ...MINIMAL_RECORD, newest, isHollow: true });
  expect(restored).toEqual({ ...MINIMAL_CHAT, sync: { ...MINIMAL_CHAT.sync, newest, needsPreview: true } });
});

test.each(["readId", "theirReadId", "unread", "knownFrom", "lastSendTime", "msgRemind"])(
  "M32 a record without a valid %s is unreadable",
  (field) => {
    expect(restoreChat({ ...MINIMAL_RECORD, [field]: undefined })).toBeNull();
    expect(restoreChat({ ...MINIMAL_RECORD, [field]: "5" })).toBeNull();
  },
);

test("M32 a record with an invalid key is unreadable", () => {
  expect(restoreChat({ ...MINIMAL_RECORD, key: "PRIVATE:x" as ChatKey })).toBeNull();
});

test("M32 other invalid fields are left out", () => {
  const invalid = {
    mentions: "x",
    draft: 5,
    draftMentions: [null],
    senders: "x",
    purged: {},
    islands: [null, { from: 1 }, { to: 2 }, { from: "1", to: 2 }, { from: 1, to: "2" }],
    openedAt: "x",
    lastTip: "x",
  };
  expect(restoreChat({ ...MINIMAL_RECORD, ...invalid })).toEqual(MINIMAL_CHAT);
  expect(restoreChat({ ...MINIMAL_RECORD, islands: "x" })?.sync.olderRanges).toEqual([]);
  expect(
    restoreChat({ ...MINIMAL_RECORD, islands: [{ from: 1, to: 2, messages: ["x"] }, null] })?.sync
      .olderRanges,
  ).toEqual([{ from: 1, to: 2 }]);
});

test("M32 an event saved by an older version is restored without its author", () => {
  const event = { id: 8, type: 7, targetId: 4, content: "x", sendTime: 3 };
  expect(restoreChat({ ...MINIMAL_RECORD, events: [event] })?.sync.events).toEqual([{ ...event, by: null }]);
});

test("M32 the last time tip is saved: that of the window, or the recorded one while the window shows the past", () => {
  const harness = createChatHarness();
  harness.rows(privateRow({ id: 5 }), privateRow({ id: 6 }));
  const known = harness.chat();
  expect(saveChat(known).lastTip).toBe(NOON + 5_000);
  const window = { ...known.window, hasNewer: true };
  expect(saveChat({ ...known, window, sync: { ...known.sync, newestTimeTip: 7 } }).lastTip).toBe(7);
});

test.each<[keyof Chat, unknown]>([
  ["sync", { ...MINIMAL_CHAT.sync }],
  ["readId", 9],
  ["theirReadId", 9],
  ["draft", "x"],
  ["draftMentions", [{ userId: 7, from: 0, to: 4 }]],
  ["draftQuote", { id: 5, sendId: 2, sendNickName: "", type: 0, content: "" }],
  ["draftEdit", { id: 5, text: "x" }],
  ["isMarkedUnread", true],
  ["isRemoved", true],
  ["isTop", true],
  ["msgRemind", 0],
  ["lastSendTime", 9],
])("M32 a changed %s has to be saved", (field, value) => {
  expect(isSavedEqual(MINIMAL_CHAT, { ...MINIMAL_CHAT, [field]: value })).toBe(false);
});

test("M32 a changed window does not have to be saved", () => {
  expect(isSavedEqual(MINIMAL_CHAT, { ...MINIMAL_CHAT })).toBe(true);
  expect(
    isSavedEqual(MINIMAL_CHAT, { ...MINIMAL_CHAT, window: { ...MINIMAL_CHAT.window, hasOlder: false } }),
  ).toBe(true);
});
