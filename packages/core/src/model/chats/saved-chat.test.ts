import { describe, expect, test } from "vitest";
import { chat, FRIEND_CHAT, NOON, privateRow } from "../../testing/builders.ts";
import { createChatHarness } from "../../testing/chat-harness.ts";
import { newChatSync } from "./new-chat.ts";
import type { Chat } from "../state.ts";
import { isSavedEqual, restoreChat, saveChat } from "./saved-chat.ts";

/** A chat as it is after a restart: without messages. */
const MINIMAL: Chat = chat({
  key: FRIEND_CHAT,
  unread: 1,
  window: { messages: [], hasOlder: true, hasNewer: false, older: "idle", newer: "idle" },
  sync: { ...newChatSync(3), unread: [5], unreadSenders: [0] },
});

const preview = { key: "content", text: "hi", tip: null, sendId: 2, sending: null } as const;
const newest = { id: 5, position: 5, sendNickName: "Friend", sendTime: 4, preview };

test("M32 a chat in which nothing is known is restored", () => {
  const empty: Chat = { ...MINIMAL, unread: 0, sync: newChatSync(Infinity) };
  expect(restoreChat(saveChat(empty))).toEqual(empty);
});

test("M32 every saved field is restored", () => {
  const draftQuote = { id: 5, sendId: 2, sendNickName: "Friend", type: 0, content: "text 5" };
  const full = chat({
    ...MINIMAL,
    preview,
    isTop: true,
    msgRemind: 0,
    atMe: true,
    draft: "half @Ann",
    draftMentions: [{ userId: 7, from: 5, to: 9 }],
    draftQuote,
    draftEdit: { id: 5, text: "bet" },
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
  expect(restoreChat(saveChat(full))).toEqual(full);
  const mentions = [{ id: 5, isAll: true }];
  expect(restoreChat(saveChat({ ...full, sync: { ...full.sync, mentions } }))).toMatchObject({
    atMe: false,
    atAll: true,
    sync: { mentions },
  });
});

test("M32 a chat that needs a preview is restored without one although its newest row is known", () => {
  const sync = { ...MINIMAL.sync, newest, needsPreview: true };
  expect(restoreChat(saveChat({ ...MINIMAL, preview, sync }))).toEqual({ ...MINIMAL, sync });
});

describe("M32 a record is unreadable", () => {
  const record = saveChat(MINIMAL);
  const { key: _, sync, ...others } = record;

  test.each(Object.keys(others))("without a valid %s", (field) => {
    expect(restoreChat({ ...record, [field]: undefined })).toBeNull();
    expect(restoreChat({ ...record, [field]: [null] })).toBeNull();
  });

  test.each(Object.keys(sync))("without a valid %s", (field) => {
    expect(restoreChat({ ...record, sync: { ...sync, [field]: undefined } })).toBeNull();
    expect(restoreChat({ ...record, sync: { ...sync, [field]: [null] } })).toBeNull();
  });

  test("with an invalid key, or if it is none", () => {
    expect(restoreChat({ ...record, key: "PRIVATE:x" })).toBeNull();
    expect(restoreChat({ key: FRIEND_CHAT })).toBeNull();
  });
});

test("M32 the last time tip is saved: that of the window, or the recorded one while the window shows the past", () => {
  const harness = createChatHarness();
  harness.rows(privateRow({ id: 5 }), privateRow({ id: 6 }));
  const known = harness.chat();
  expect(saveChat(known).sync.newestTimeTip).toBe(NOON + 5_000);
  const window = { ...known.window, hasNewer: true };
  expect(saveChat({ ...known, window, sync: { ...known.sync, newestTimeTip: 7 } }).sync.newestTimeTip).toBe(
    7,
  );
});

test.each<[keyof Chat, unknown]>([
  ["sync", { ...MINIMAL.sync }],
  ["readId", 9],
  ["theirReadId", 9],
  ["draft", "x"],
  ["draftMentions", [{ userId: 7, from: 0, to: 4 }]],
  ["draftQuote", { id: 5, sendId: 2, sendNickName: "", type: 0, content: "" }],
  ["draftEdit", { id: 5, text: "x" }],
  ["isRemoved", true],
  ["isTop", true],
  ["msgRemind", 0],
  ["lastSendTime", 9],
])("M32 a changed %s has to be saved", (field, value) => {
  expect(isSavedEqual(MINIMAL, { ...MINIMAL, [field]: value })).toBe(false);
});

test("M32 a changed window does not have to be saved", () => {
  expect(isSavedEqual(MINIMAL, { ...MINIMAL })).toBe(true);
  expect(isSavedEqual(MINIMAL, { ...MINIMAL, window: { ...MINIMAL.window, hasOlder: false } })).toBe(true);
});
