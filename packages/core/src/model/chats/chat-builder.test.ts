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

function draftOf(messages: readonly ChatMessage[], sync: Partial<ChatSync> = {}): ChatBuilder {
  const window = { messages, hasOlder: false, hasNewer: false, older: "idle", newer: "idle" } as const;
  return beginChat(chat({ key: FRIEND_CHAT, window, sync: { ...newChatSync(0), ...sync } }), ME);
}

const ids = (draft: ChatBuilder) => draft.messages.map(({ id }) => id);

describe("a chat builder", () => {
  test("M39 begins with the window and what is on its way behind it", () => {
    const draft = draftOf([theirs(5), theirs(6)], {
      pending: [localEcho("a")],
      unread: [5],
      unreadSenders: [2],
    });
    expect(draft).toMatchObject({
      confirmedCount: 2,
      unread: [5],
      unreadSenders: [2],
      ownSync: null,
      isChanged: false,
      me: ME,
    });
    expect(ids(draft)).toEqual([5, 6, null]);
    expect(draftOf([localEcho("a")]).confirmedCount).toBe(0);
    expect(beginChat(draft.chat).me).toBe(0);
  });

  test("M29 copies the sync state once, and again when it was replaced", () => {
    const draft = draftOf([]);
    const before = draft.chat.sync;
    const own = editableSync(draft);
    expect(own).toEqual(before);
    expect(own).not.toBe(before);
    expect(draft.chat.sync).toBe(own);
    expect(editableSync(draft)).toBe(own);
    draft.chat = { ...draft.chat, sync: { ...own, openedAt: 7 } };
    expect(editableSync(draft)).not.toBe(own);
    expect(editableSync(draft).openedAt).toBe(7);
  });
});

describe("positions in the message list", () => {
  test("M7 a place is the first whose id is not smaller, among those the server has", () => {
    const draft = draftOf([theirs(2), theirs(4), theirs(6), theirs(8), theirs(10), localEcho("a")]);
    const places = Array.from({ length: 12 }, (_, id) => confirmedIndexOf(draft, id));
    expect(places).toEqual([0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5]);
    expect(confirmedIndexOf(draft, Infinity)).toBe(5);
    expect(confirmedIndexOf(draftOf([localEcho("a")]), 3)).toBe(0);
  });

  test("M2 one's own message is found by its tmpId, whatever was done to it since", () => {
    const draft = draftOf([theirs(4, { tmpId: "x" }), mine(5)]);
    expect(findOwn(draft, "x")).toBeUndefined();
    expect(findOwn(draft, "tmp-5")?.id).toBe(5);
    insertAt(draft, 2, localEcho("a"));
    insertAt(draft, 2, mine(6));
    expect(ids(draft)).toEqual([4, 5, 6, null]);
    expect(draft.confirmedCount).toBe(3);
    expect(findOwn(draft, "a")?.key).toBe("a");
    expect(findOwn(draft, "tmp-6")).toBe(draft.messages[2]);
    replaceAt(draft, 1, { ...mine(5), content: "better" });
    expect(findOwn(draft, "tmp-5")?.content).toBe("better");
    replaceAt(draft, 0, theirs(4, { tmpId: "tmp-5" }));
    expect(findOwn(draft, "tmp-5")?.content).toBe("better");
    removeAt(draft, 3);
    expect(draft.confirmedCount).toBe(3);
    removeAt(draft, 2);
    expect(draft.confirmedCount).toBe(2);
    expect([findOwn(draft, "a"), findOwn(draft, "tmp-6")]).toEqual([undefined, undefined]);
    expect(findOwn(draft, "tmp-5")?.id).toBe(5);
  });

  test("M5 a row of another user does not take my tmpId", () => {
    const draft = draftOf([mine(5)]);
    findOwn(draft, "tmp-5");
    insertAt(draft, 1, theirs(6, { tmpId: "tmp-5" }));
    insertAt(draft, 2, theirs(7));
    expect(findOwn(draft, "tmp-5")?.id).toBe(5);
  });

  test("M2 messages change also before anybody has asked for a tmpId", () => {
    const draft = draftOf([mine(5)]);
    replaceAt(draft, 0, { ...mine(5), content: "better" });
    insertAt(draft, 1, mine(6));
    removeAt(draft, 0);
    expect(ids(draft)).toEqual([6]);
    expect(draft).toMatchObject({ byTmpId: null, isChanged: true });
    expect(findOwn(draft, "tmp-5")).toBeUndefined();
  });

  test("M29 removing a missing message changes nothing", () => {
    const draft = draftOf([theirs(5)]);
    removeAt(draft, 1);
    expect(draft).toMatchObject({ confirmedCount: 1, isChanged: false, lastTimeTip: undefined });
  });

  test.each<[string, (draft: ChatBuilder) => void]>([
    ["inserted", (draft) => insertAt(draft, 1, theirs(6))],
    ["replaced", (draft) => replaceAt(draft, 0, theirs(5))],
    ["removed", (draft) => removeAt(draft, 0)],
    ["counted", (draft) => addUnread(draft, theirs(6))],
    ["not counted any more", (draft) => removeUnread(draft, () => true)],
  ])("M29 a chat is changed by what is %s", (_what, work) => {
    const draft = draftOf([theirs(5)], { unread: [5], unreadSenders: [2] });
    work(draft);
    expect(draft.isChanged).toBe(true);
  });
});

describe("unread positions", () => {
  test("M9 stand in order with their senders, each once", () => {
    const draft = draftOf([]);
    for (const id of [5, 9, 7, 9, 7, 5, 3]) addUnread(draft, theirs(id, { sendId: id * 10 }));
    expect(draft.unread).toEqual([3, 5, 7, 9]);
    expect(draft.unreadSenders).toEqual([30, 50, 70, 90]);
  });

  test("M9 one that is known already changes nothing", () => {
    const draft = draftOf([], { unread: [5], unreadSenders: [2] });
    addUnread(draft, theirs(5));
    expect(draft).toMatchObject({ unread: [5], isChanged: false });
  });

  test("G38 mentions of me are kept in order and removed with their unread positions", () => {
    const draft = draftOf([]);
    const named = (id: number, atUserIds: number[]) => toChatMessage(groupRow({ id, atUserIds }), ME);
    for (const row of [named(9, [ME]), named(8, [4]), named(7, [-1])]) addUnread(draft, row);
    expect(draft.mentions).toEqual([
      { id: 7, isAll: true },
      { id: 9, isAll: false },
    ]);
    removeUnread(draft, (position) => position === 7);
    expect(draft.mentions).toEqual([{ id: 9, isAll: false }]);
  });

  test("G39 are taken away by position and sender, which is 0 when not known", () => {
    const draft = draftOf([], { unread: [3, 5, 7], unreadSenders: [2, 4] });
    const asked: [number, number][] = [];
    removeUnread(draft, (position, sendId) => asked.push([position, sendId]) > 0 && sendId === 4);
    expect(asked).toEqual([
      [3, 2],
      [5, 4],
      [7, 0],
    ]);
    expect(draft.unread).toEqual([3, 7]);
    expect(draft.unreadSenders).toEqual([2, undefined].slice(0, 1));
  });

  test("M29 removing no unread position changes nothing", () => {
    const draft = draftOf([], { unread: [3], unreadSenders: [2] });
    const { unread, unreadSenders } = draft;
    removeUnread(draft, () => false);
    expect(draft.isChanged).toBe(false);
    expect(draft.unread).toBe(unread);
    expect(draft.unreadSenders).toBe(unreadSenders);
  });
});

describe("time tips", () => {
  const at = (id: number, minutes: number, hasTimeTip = false) =>
    theirs(id, { sendTime: NOON + minutes * MINUTE, hasTimeTip });
  const tips = (draft: ChatBuilder) => draft.messages.map(({ hasTimeTip }) => hasTimeTip);

  test("M16 are due more than 10 minutes after the last one, or when there is none", () => {
    expect(isTimeTipDue(null, 0)).toBe(true);
    expect(isTimeTipDue(NOON, NOON + 600_000)).toBe(false);
    expect(isTimeTipDue(NOON, NOON + 600_001)).toBe(true);
  });

  test("M16 the last one before a place is that of a message, else the one above the window", () => {
    const draft = draftOf([at(1, 0, true), at(2, 5), at(3, 20, true)], { timeTipBeforeWindow: 7 });
    expect([0, 1, 2, 3].map((place) => lastTimeTipBefore(draft, place))).toEqual([
      7,
      NOON,
      NOON,
      NOON + 20 * MINUTE,
    ]);
  });

  test("M16 a message behind all others gets or loses its tip, and counts for the next", () => {
    const draft = draftOf([at(1, 0, true)]);
    insertAt(draft, 1, at(2, 10, true));
    insertAt(draft, 2, at(3, 11));
    insertAt(draft, 3, at(4, 12, true));
    expect(tips(draft)).toEqual([true, false, true, false]);
    const shown = at(5, 30, true);
    insertAt(draft, 4, shown);
    expect(draft.messages[4]).toBe(shown);
    expect(draft.lastTimeTip).toBe(NOON + 30 * MINUTE);
  });

  test("M17 from a place on they are placed anew, and what stands before stays", () => {
    const draft = draftOf([at(1, 0), at(2, 1, true), at(3, 5, true), at(4, 12)]);
    recomputeTimeTips(draft, 2);
    expect(tips(draft)).toEqual([false, true, false, true]);
    expect(draft.lastTimeTip).toBe(NOON + 12 * MINUTE);
    recomputeTimeTips(draft, 0);
    expect(tips(draft)).toEqual([true, false, false, true]);
  });

  test("M17 where one goes the next message may need a tip, and the one after it none", () => {
    const draft = draftOf([at(1, 0, true), at(2, 5), at(3, 12, true)]);
    removeAt(draft, 0);
    expect(tips(draft)).toEqual([true, false]);
    insertAt(draft, 0, at(1, 0));
    expect(tips(draft)).toEqual([true, false, true]);
  });

  test("M29 what has its tip already stays the same message", () => {
    const draft = draftOf([at(1, 0, true), at(2, 5)]);
    const before = [...draft.messages];
    recomputeTimeTips(draft, 0);
    expect(draft.messages.every((message, i) => message === before[i])).toBe(true);
    expect(draft.isChanged).toBe(false);
  });
});
