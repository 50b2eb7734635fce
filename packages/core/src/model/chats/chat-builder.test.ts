import { describe, expect, test } from "vitest";
import {
  chat,
  localEcho,
  FRIEND_CHAT,
  groupRow,
  ME,
  NOON,
  ownRow,
  privateRow,
} from "../../testing/builders.ts";
import {
  addUnread,
  type ChatBuilder,
  findOwn,
  insertAt,
  isTimeTipDue,
  lastTimeTipBefore,
  beginChat,
  editableSync,
  confirmedIndexOf,
  removeAt,
  removeUnread,
  recomputeTimeTips,
  replaceAt,
} from "./chat-builder.ts";
import { newChatSync } from "./new-chat.ts";
import { toChatMessage } from "./chat-rows.ts";
import type { ChatSync, ChatMessage } from "../state.ts";

const MINUTE = 60_000;
const theirs = (id: number, part: Partial<ChatMessage> = {}): ChatMessage => ({
  ...toChatMessage(privateRow({ id }), ME),
  ...part,
});
const mine = (id: number): ChatMessage => toChatMessage(ownRow({ id }), ME);

function builderOf(messages: readonly ChatMessage[], sync: Partial<ChatSync> = {}): ChatBuilder {
  const window = { messages, hasOlder: false, hasNewer: false, older: "idle", newer: "idle" } as const;
  return beginChat(chat({ key: FRIEND_CHAT, window, sync: { ...newChatSync(0), ...sync } }), ME);
}

const ids = (builder: ChatBuilder) => builder.messages.map(({ id }) => id);

describe("a chat builder", () => {
  test("M39 a builder begins with the window and the unsent messages behind it", () => {
    const builder = builderOf([theirs(5), theirs(6)], {
      pending: [localEcho("a")],
      unread: [5],
      unreadSenders: [2],
    });
    expect(builder).toMatchObject({
      confirmedCount: 2,
      unread: [5],
      unreadSenders: [2],
      ownSync: null,
      isChanged: false,
      me: ME,
    });
    expect(ids(builder)).toEqual([5, 6, null]);
    expect(builderOf([localEcho("a")]).confirmedCount).toBe(0);
    expect(beginChat(builder.chat).me).toBe(0);
  });

  test("M29 the sync state is copied once, and again after it was replaced", () => {
    const builder = builderOf([]);
    const before = builder.chat.sync;
    const own = editableSync(builder);
    expect(own).toEqual(before);
    expect(own).not.toBe(before);
    expect(builder.chat.sync).toBe(own);
    expect(editableSync(builder)).toBe(own);
    builder.chat = { ...builder.chat, sync: { ...own, openedAt: 7 } };
    expect(editableSync(builder)).not.toBe(own);
    expect(editableSync(builder).openedAt).toBe(7);
  });
});

describe("positions in the message list", () => {
  test("M7 the index of an id is that of the first confirmed message whose id is not smaller", () => {
    const builder = builderOf([theirs(2), theirs(4), theirs(6), theirs(8), theirs(10), localEcho("a")]);
    const indexes = Array.from({ length: 12 }, (_, id) => confirmedIndexOf(builder, id));
    expect(indexes).toEqual([0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5]);
    expect(confirmedIndexOf(builder, Infinity)).toBe(5);
    expect(confirmedIndexOf(builderOf([localEcho("a")]), 3)).toBe(0);
  });

  test("M2 one's own message is found by its tmpId after inserts, replacements and removals", () => {
    const builder = builderOf([theirs(4, { tmpId: "x" }), mine(5)]);
    expect(findOwn(builder, "x")).toBeUndefined();
    expect(findOwn(builder, "tmp-5")?.id).toBe(5);
    insertAt(builder, 2, localEcho("a"));
    insertAt(builder, 2, mine(6));
    expect(ids(builder)).toEqual([4, 5, 6, null]);
    expect(builder.confirmedCount).toBe(3);
    expect(findOwn(builder, "a")?.key).toBe("a");
    expect(findOwn(builder, "tmp-6")).toBe(builder.messages[2]);
    replaceAt(builder, 1, { ...mine(5), content: "better" });
    expect(findOwn(builder, "tmp-5")?.content).toBe("better");
    replaceAt(builder, 0, theirs(4, { tmpId: "tmp-5" }));
    expect(findOwn(builder, "tmp-5")?.content).toBe("better");
    removeAt(builder, 3);
    expect(builder.confirmedCount).toBe(3);
    removeAt(builder, 2);
    expect(builder.confirmedCount).toBe(2);
    expect([findOwn(builder, "a"), findOwn(builder, "tmp-6")]).toEqual([undefined, undefined]);
    expect(findOwn(builder, "tmp-5")?.id).toBe(5);
  });

  test("M5 a row of another user does not take my tmpId", () => {
    const builder = builderOf([mine(5)]);
    findOwn(builder, "tmp-5");
    insertAt(builder, 1, theirs(6, { tmpId: "tmp-5" }));
    insertAt(builder, 2, theirs(7));
    expect(findOwn(builder, "tmp-5")?.id).toBe(5);
  });

  test("M2 messages can change before the first search for a tmpId", () => {
    const builder = builderOf([mine(5)]);
    replaceAt(builder, 0, { ...mine(5), content: "better" });
    insertAt(builder, 1, mine(6));
    removeAt(builder, 0);
    expect(ids(builder)).toEqual([6]);
    expect(builder).toMatchObject({ byTmpId: null, isChanged: true });
    expect(findOwn(builder, "tmp-5")).toBeUndefined();
  });

  test("M29 removing a missing message changes nothing", () => {
    const builder = builderOf([theirs(5)]);
    removeAt(builder, 1);
    expect(builder).toMatchObject({ confirmedCount: 1, isChanged: false, lastTimeTip: undefined });
  });

  test.each<[string, (builder: ChatBuilder) => void]>([
    ["inserting a message", (builder) => insertAt(builder, 1, theirs(6))],
    ["replacing a message", (builder) => replaceAt(builder, 0, theirs(5))],
    ["removing a message", (builder) => removeAt(builder, 0)],
    ["adding an unread position", (builder) => addUnread(builder, theirs(6))],
    ["removing an unread position", (builder) => removeUnread(builder, () => true)],
  ])("M29 %s marks the chat as changed", (_what, change) => {
    const builder = builderOf([theirs(5)], { unread: [5], unreadSenders: [2] });
    change(builder);
    expect(builder.isChanged).toBe(true);
  });
});

describe("unread positions", () => {
  test("M9 unread positions are kept once each, in order and with their senders", () => {
    const builder = builderOf([]);
    for (const id of [5, 9, 7, 9, 7, 5, 3]) addUnread(builder, theirs(id, { sendId: id * 10 }));
    expect(builder.unread).toEqual([3, 5, 7, 9]);
    expect(builder.unreadSenders).toEqual([30, 50, 70, 90]);
  });

  test("M9 a known unread position changes nothing", () => {
    const builder = builderOf([], { unread: [5], unreadSenders: [2] });
    addUnread(builder, theirs(5));
    expect(builder).toMatchObject({ unread: [5], isChanged: false });
  });

  test("G38 mentions of me are kept in order and removed with their unread positions", () => {
    const builder = builderOf([]);
    const mentioning = (id: number, atUserIds: number[]) => toChatMessage(groupRow({ id, atUserIds }), ME);
    for (const row of [mentioning(9, [ME]), mentioning(8, [4]), mentioning(7, [-1])]) addUnread(builder, row);
    expect(builder.mentions).toEqual([
      { id: 7, isAll: true },
      { id: 9, isAll: false },
    ]);
    removeUnread(builder, (position) => position === 7);
    expect(builder.mentions).toEqual([{ id: 9, isAll: false }]);
  });

  test("G39 unread positions are removed by position and sender, which is 0 when unknown", () => {
    const builder = builderOf([], { unread: [3, 5, 7], unreadSenders: [2, 4] });
    const calls: [number, number][] = [];
    removeUnread(builder, (position, sendId) => calls.push([position, sendId]) > 0 && sendId === 4);
    expect(calls).toEqual([
      [3, 2],
      [5, 4],
      [7, 0],
    ]);
    expect(builder.unread).toEqual([3, 7]);
    expect(builder.unreadSenders).toEqual([2, undefined].slice(0, 1));
  });

  test("M29 removing no unread position changes nothing", () => {
    const builder = builderOf([], { unread: [3], unreadSenders: [2] });
    const { unread, unreadSenders } = builder;
    removeUnread(builder, () => false);
    expect(builder.isChanged).toBe(false);
    expect(builder.unread).toBe(unread);
    expect(builder.unreadSenders).toBe(unreadSenders);
  });
});

describe("time tips", () => {
  const at = (id: number, minutes: number, hasTimeTip = false) =>
    theirs(id, { sendTime: NOON + minutes * MINUTE, hasTimeTip });
  const tips = (builder: ChatBuilder) => builder.messages.map(({ hasTimeTip }) => hasTimeTip);

  test("M16 a time tip is due more than 10 minutes after the last one, or if there is none", () => {
    expect(isTimeTipDue(null, 0)).toBe(true);
    expect(isTimeTipDue(NOON, NOON + 600_000)).toBe(false);
    expect(isTimeTipDue(NOON, NOON + 600_001)).toBe(true);
  });

  test("M16 the last tip before an index is that of a message, else the one above the window", () => {
    const builder = builderOf([at(1, 0, true), at(2, 5), at(3, 20, true)], { timeTipBeforeWindow: 7 });
    expect([0, 1, 2, 3].map((index) => lastTimeTipBefore(builder, index))).toEqual([
      7,
      NOON,
      NOON,
      NOON + 20 * MINUTE,
    ]);
  });

  test("M16 an appended message gets or loses its time tip, which then counts for the next", () => {
    const builder = builderOf([at(1, 0, true)]);
    insertAt(builder, 1, at(2, 10, true));
    insertAt(builder, 2, at(3, 11));
    insertAt(builder, 3, at(4, 12, true));
    expect(tips(builder)).toEqual([true, false, true, false]);
    const shown = at(5, 30, true);
    insertAt(builder, 4, shown);
    expect(builder.messages[4]).toBe(shown);
    expect(builder.lastTimeTip).toBe(NOON + 30 * MINUTE);
  });

  test("M17 time tips are computed again from an index on, and earlier ones stay", () => {
    const builder = builderOf([at(1, 0), at(2, 1, true), at(3, 5, true), at(4, 12)]);
    recomputeTimeTips(builder, 2);
    expect(tips(builder)).toEqual([false, true, false, true]);
    expect(builder.lastTimeTip).toBe(NOON + 12 * MINUTE);
    recomputeTimeTips(builder, 0);
    expect(tips(builder)).toEqual([true, false, false, true]);
  });

  test("M17 when the first message is removed the next one gets a tip, and the one after it loses its tip", () => {
    const builder = builderOf([at(1, 0, true), at(2, 5), at(3, 12, true)]);
    removeAt(builder, 0);
    expect(tips(builder)).toEqual([true, false]);
    insertAt(builder, 0, at(1, 0));
    expect(tips(builder)).toEqual([true, false, true]);
  });

  test("M29 a message whose time tip is correct keeps its identity", () => {
    const builder = builderOf([at(1, 0, true), at(2, 5)]);
    const before = [...builder.messages];
    recomputeTimeTips(builder, 0);
    expect(builder.messages.every((message, i) => message === before[i])).toBe(true);
    expect(builder.isChanged).toBe(false);
  });
});
