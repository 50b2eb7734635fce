import { describe, expect, test } from "vitest";
import { groupRow, ME } from "../../testing/builders.ts";
import { newChatSync } from "./new-chat.ts";
import { mentionOf, mentionedUserIds, nextMention, shiftMentions } from "./mentions.ts";
import { toChatMessage } from "./chat-rows.ts";

const row = (atUserIds: number[]) => toChatMessage(groupRow({ id: 5, atUserIds }), ME);
const ANN = { userId: 7, from: 3, to: 7 };
const BOB = { userId: 8, from: 12, to: 16 };
const TEXT = "hi @Ann and @Bob !";

describe("mentioned users", () => {
  test("G31 a message mentions me by my id or as everyone", () => {
    expect(mentionOf(row([3, ME]), ME)).toEqual({ id: 5, isAll: false });
    expect(mentionOf(row([-1]), ME)).toEqual({ id: 5, isAll: true });
    expect(mentionOf(row([-1, ME]), ME)).toEqual({ id: 5, isAll: false });
    expect(mentionOf(row([3]), ME)).toBeNull();
  });

  test("G31 a message without group fields or without an id mentions nobody", () => {
    const groupMessage = row([ME]);
    expect(mentionOf({ ...groupMessage, group: null }, ME)).toBeNull();
    expect(mentionOf({ ...groupMessage, id: null }, ME)).toBeNull();
  });

  test("G32 each mentioned person is listed once", () => {
    expect(mentionedUserIds([ANN, BOB, { ...ANN, from: 20, to: 24 }])).toEqual([7, 8]);
  });
});

describe("mentions in a changed text", () => {
  test.each([
    [
      "before them",
      "oh hi @Ann and @Bob !",
      [
        { ...ANN, from: 6, to: 10 },
        { ...BOB, from: 15, to: 19 },
      ],
    ],
    ["between them", "hi @Ann or @Bob !", [ANN, { ...BOB, from: 11, to: 15 }]],
    ["behind them", "hi @Ann and @Bob !!", [ANN, BOB]],
    ["within one", "hi @An and @Bob !", [{ ...BOB, from: 11, to: 15 }]],
    ["all of it", "", []],
    ["nothing", TEXT, [ANN, BOB]],
  ])("G33 a change %s keeps unchanged mentions at their new positions", (_where, after, kept) => {
    const found = shiftMentions(TEXT, [ANN, BOB], after);
    expect(found).toEqual(kept);
    for (const { userId, from, to } of found)
      expect(after.slice(from, to)).toBe(userId === 7 ? "@Ann" : "@Bob");
  });

  test("G33 an @ that is typed before a mention moves it", () => {
    const first = { userId: 7, from: 0, to: 4 };
    expect(shiftMentions("@Ann", [first], "@@Ann")).toEqual([{ userId: 7, from: 1, to: 5 }]);
  });

  test("G33 two mentions never overlap", () => {
    const twice = [
      { userId: 7, from: 0, to: 4 },
      { userId: 7, from: 5, to: 9 },
    ];
    expect(shiftMentions("@Ann @Ann ", twice, "@Ann ")).toEqual([twice[0]]);
  });

  test("G33 without mentions or without a change, the list keeps its identity", () => {
    const noMentions: never[] = [];
    expect(shiftMentions("a", noMentions, "b")).toBe(noMentions);
    const mentions = [ANN];
    expect(shiftMentions(TEXT, mentions, TEXT)).toBe(mentions);
  });

  test("G33 a mention stays when a change touches it at either side", () => {
    const mentions = [{ userId: 7, from: 1, to: 5 }];
    expect(shiftMentions("x@Ann y", mentions, "x@Ann")).toEqual(mentions);
    expect(shiftMentions("x@Ann y", mentions, "@Ann y")).toEqual([{ userId: 7, from: 0, to: 4 }]);
  });

  test("G38 the next mention is the oldest unread one", () => {
    expect(nextMention(undefined)).toBeNull();
    expect(nextMention({ sync: newChatSync(0) })).toBeNull();
    expect(nextMention({ sync: { ...newChatSync(0), mentions: [{ id: 0, isAll: true }] } })).toBe(0);
  });
});
