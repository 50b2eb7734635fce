import { expect, test } from "vitest";
import { chat, FRIEND_CHAT, NOON, privateRow } from "../../testing/builders.ts";
import { createChatHarness } from "../../testing/chat-harness.ts";
import { newChatSync } from "./new-chat.ts";
import type { Chat, ChatKey } from "../state.ts";
import { isSavedEqual, restoreChat, saveChat } from "./saved-chat.ts";

const LEAST = {
  key: FRIEND_CHAT,
  readId: 1,
  theirReadId: 2,
  unread: [5],
  knownFrom: 3,
  lastSendTime: 4,
  msgRemind: 1,
} as const;

const BARE: Chat = chat({
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

test("M32 of what an older version left the missing fields have their first values", () => {
  expect(restoreChat(LEAST)).toEqual(BARE);
});

test("M32 every field comes back", () => {
  const draftQuote = { id: 5, sendId: 2, sendNickName: "Friend", type: 0, content: "text 5" };
  const full = chat({
    ...BARE,
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

test("M32 a chat whose newest message went has no preview, though the row is known", () => {
  const restored = restoreChat({ ...LEAST, newest, isHollow: true });
  expect(restored).toEqual({ ...BARE, sync: { ...BARE.sync, newest, needsPreview: true } });
});

test.each(["readId", "theirReadId", "unread", "knownFrom", "lastSendTime", "msgRemind"])(
  "M32 without %s it is broken",
  (field) => {
    expect(restoreChat({ ...LEAST, [field]: undefined })).toBeNull();
    expect(restoreChat({ ...LEAST, [field]: "5" })).toBeNull();
  },
);

test("M32 so it is with a key that is none", () => {
  expect(restoreChat({ ...LEAST, key: "PRIVATE:x" as ChatKey })).toBeNull();
});

test("M32 what makes no sense of the other fields is left out", () => {
  const odd = {
    mentions: "x",
    draft: 5,
    draftMentions: [null],
    senders: "x",
    purged: {},
    islands: [null, { from: 1 }, { to: 2 }, { from: "1", to: 2 }, { from: 1, to: "2" }],
    openedAt: "x",
    lastTip: "x",
  };
  expect(restoreChat({ ...LEAST, ...odd })).toEqual(BARE);
  expect(restoreChat({ ...LEAST, islands: "x" })?.sync.olderRanges).toEqual([]);
  expect(
    restoreChat({ ...LEAST, islands: [{ from: 1, to: 2, messages: ["x"] }, null] })?.sync.olderRanges,
  ).toEqual([{ from: 1, to: 2 }]);
});

test("M32 an event of an older version says nothing of who did it", () => {
  const event = { id: 8, type: 7, targetId: 4, content: "x", sendTime: 3 };
  expect(restoreChat({ ...LEAST, events: [event] })?.sync.events).toEqual([{ ...event, by: null }]);
});

test("M32 the last tip lies on disk: that of the window, or the one noted while the window shows the past", () => {
  const harness = createChatHarness();
  harness.rows(privateRow({ id: 5 }), privateRow({ id: 6 }));
  const known = harness.chat();
  expect(saveChat(known).lastTip).toBe(NOON + 5_000);
  const window = { ...known.window, hasNewer: true };
  expect(saveChat({ ...known, window, sync: { ...known.sync, newestTimeTip: 7 } }).lastTip).toBe(7);
});

test.each<[keyof Chat, unknown]>([
  ["sync", { ...BARE.sync }],
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
])("M32 another %s is to be stored", (field, value) => {
  expect(isSavedEqual(BARE, { ...BARE, [field]: value })).toBe(false);
});

test("M32 another window is not", () => {
  expect(isSavedEqual(BARE, { ...BARE })).toBe(true);
  expect(isSavedEqual(BARE, { ...BARE, window: { ...BARE.window, hasOlder: false } })).toBe(true);
});
