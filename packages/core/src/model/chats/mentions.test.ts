import { describe, expect, test } from "vitest";
import { groupRow, ME } from "../../testing/builders.ts";
import { newChatSync } from "./new-chat.ts";
import { mentionOf, mentionedUserIds, nextMention, parseMentions, shiftMentions } from "./mentions.ts";
import { toChatMessage } from "./chat-rows.ts";

const row = (atUserIds: number[]) => toChatMessage(groupRow({ id: 5, atUserIds }), ME);
const ANN = { userId: 7, from: 3, to: 7 };
const BOB = { userId: 8, from: 12, to: 16 };
const TEXT = "hi @Ann and @Bob !";

describe("who is named", () => {
  test("G31 a message names me by my id, or everyone", () => {
    expect(mentionOf(row([3, ME]), ME)).toEqual({ id: 5, isAll: false });
    expect(mentionOf(row([-1]), ME)).toEqual({ id: 5, isAll: true });
    expect(mentionOf(row([-1, ME]), ME)).toEqual({ id: 5, isAll: false });
    expect(mentionOf(row([3]), ME)).toBeNull();
  });

  test("G32 a text names each person once", () => {
    expect(mentionedUserIds([ANN, BOB, { ...ANN, from: 20, to: 24 }])).toEqual([7, 8]);
  });
});

describe("mentions of a text that changes", () => {
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
  ])("G33 a change %s leaves those that are whole, in their places", (_where, after, left) => {
    const found = shiftMentions(TEXT, [ANN, BOB], after);
    expect(found).toEqual(left);
    for (const { userId, from, to } of found)
      expect(after.slice(from, to)).toBe(userId === 7 ? "@Ann" : "@Bob");
  });

  test("G33 a sign that the mention begins with moves it, when typed before it", () => {
    const first = { userId: 7, from: 0, to: 4 };
    expect(shiftMentions("@Ann", [first], "@@Ann")).toEqual([{ userId: 7, from: 1, to: 5 }]);
  });

  test("G33 no two mentions stand in one place", () => {
    const twice = [
      { userId: 7, from: 0, to: 4 },
      { userId: 7, from: 5, to: 9 },
    ];
    expect(shiftMentions("@Ann @Ann ", twice, "@Ann ")).toEqual([twice[0]]);
  });
});

describe("mentions that others wrote", () => {
  test("G33 are mentions only when each is one", () => {
    const whole = [ANN, BOB];
    expect(parseMentions(whole)).toBe(whole);
    expect(parseMentions([])).toEqual([]);
    for (const odd of [undefined, "x", { length: 0 }, [ANN, null], [5], [{ ...ANN, userId: "7" }]])
      expect(parseMentions(odd)).toBeNull();
    expect(parseMentions([{ ...ANN, from: null }])).toBeNull();
    expect(parseMentions([{ userId: 7, from: 3 }])).toBeNull();
  });

  test("G31 what is no row of a group names nobody", () => {
    const one = row([ME]);
    expect(mentionOf({ ...one, group: null }, ME)).toBeNull();
    expect(mentionOf({ ...one, id: null }, ME)).toBeNull();
  });

  test("G33 without mentions, or without a change, they stay the same value", () => {
    const none: never[] = [];
    expect(shiftMentions("a", none, "b")).toBe(none);
    const one = [ANN];
    expect(shiftMentions(TEXT, one, TEXT)).toBe(one);
  });

  test("G33 one that a change touches at either side stays", () => {
    const one = [{ userId: 7, from: 1, to: 5 }];
    expect(shiftMentions("x@Ann y", one, "x@Ann")).toEqual(one);
    expect(shiftMentions("x@Ann y", one, "@Ann y")).toEqual([{ userId: 7, from: 0, to: 4 }]);
  });

  test("G38 the oldest one that was not seen is the next", () => {
    expect(nextMention(undefined)).toBeNull();
    expect(nextMention({ sync: newChatSync(0) })).toBeNull();
    expect(nextMention({ sync: { ...newChatSync(0), mentions: [{ id: 0, isAll: true }] } })).toBe(0);
  });
});
