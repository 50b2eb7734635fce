import { expect, test } from "vitest";
import { MessageType } from "@parley/protocol/codes";
import type { NewPoll } from "@parley/protocol/poll";
import type { Extra, UnsentAct } from "./extras.ts";
import { copiedContent, isEditable, newPollExtra, shownPoll, shownSignUp, votesAfter } from "./polls.ts";

const POLL: NewPoll = { options: ["Noodles", "Rice", "Soup"], max: 1, secret: false, hidden: false };
const NOW = 1_000;

function extra(poll: Partial<NonNullable<Extra["poll"]>> = {}, rest: Partial<Extra> = {}): Extra {
  return { v: 5, ownV: 5, mine: {}, poll: { ...POLL, question: "Lunch?", voters: 0, ...poll }, ...rest };
}
const votesFor = (...keys: string[]): UnsentAct => ({ kind: "votes", key: "", on: keys.length > 0, keys });
const tally = (key: string, count: number) => ({ key, count, first: [] });

function show(one: Extra, unsent?: readonly UnsentAct[]) {
  const shown = shownPoll({ extra: one }, NOW, unsent);
  if (shown === null) throw new Error("no poll");
  return shown;
}
const countsOf = (one: Extra, unsent?: readonly UnsentAct[]) =>
  show(one, unsent).options.map(({ count }) => count);

test("PL5 shows how many chose each option, and which of them are mine", () => {
  const one = extra({ voters: 3, max: 2 }, { votes: [tally("2", 3), tally("0", 1)], mine: { votes: ["2"] } });
  expect(show(one).options).toEqual([
    { key: "0", text: "Noodles", count: 1, isMine: false },
    { key: "1", text: "Rice", count: 0, isMine: false },
    { key: "2", text: "Soup", count: 3, isMine: true },
  ]);
  expect(show(one)).toMatchObject({ voters: 3, isClosed: false, isUnsent: false });
  expect(shownPoll({ extra: undefined }, NOW)).toBeNull();
  expect(shownPoll({ extra: { v: 1, ownV: 1, mine: {} } }, NOW)).toBeNull();
});

test("PL4 a vote shows at once, the last one of several, and goes when it is refused", () => {
  const one = extra({ voters: 2 }, { votes: [tally("0", 2)], mine: { votes: ["0"] } });
  expect(countsOf(one, [votesFor("1"), votesFor("2")])).toEqual([1, 0, 1]);
  expect(show(one, [votesFor("2")])).toMatchObject({ voters: 2, isUnsent: true });
  expect(countsOf(one, [votesFor()])).toEqual([1, 0, 0]);
  expect(show(one, [votesFor()])).toMatchObject({ voters: 1, isUnsent: true });
  // A reaction to the poll that waits is no vote.
  expect(show(one, [{ kind: "reactions", key: "👍", on: true }])).toMatchObject({
    voters: 2,
    isUnsent: false,
  });
  expect(show(one, [votesFor("0")]).isUnsent).toBe(false);
});

test("PL11 an option that I add shows until the server has it, without a place for votes", () => {
  const soup: UnsentAct = { kind: "option", key: "Soup", on: true };
  const salad: UnsentAct = { kind: "option", key: "Salad", on: true };
  expect(show(extra({ addable: true }), [soup, salad])).toMatchObject({
    options: [{ text: "Noodles" }, { text: "Rice" }, { text: "Soup" }],
    unsentOptions: ["Salad"],
    isUnsent: false,
  });
  expect(show(extra(), [votesFor("1")]).unsentOptions).toEqual([]);
});

test("PL7 of a hidden poll no count is shown until the server tells the result", () => {
  expect(countsOf(extra({ hidden: true, voters: 2 }), [votesFor("1")])).toEqual([null, null, null]);
  const due = extra({ hidden: true, voters: 2, closesAt: NOW });
  expect(show(due).isClosed).toBe(true);
  expect(countsOf(due)).toEqual([null, null, null]);
  const closed = extra({ hidden: true, voters: 2, closedAt: NOW }, { votes: [tally("1", 2)] });
  expect(countsOf(closed)).toEqual([0, 2, 0]);
});

test("PL8 a poll ends at its time, or when it is closed", () => {
  expect(show(extra({ closesAt: NOW + 1 })).isClosed).toBe(false);
  expect(show(extra({ closesAt: NOW })).isClosed).toBe(true);
  expect(show(extra({ closedAt: 1 })).isClosed).toBe(true);
});

test.each([
  ["one answer: another takes its place", 1, ["0"], "1", ["1"]],
  ["one answer: pressed again it is taken back", 1, ["0"], "0", []],
  ["several answers are added", 2, ["0"], "1", ["0", "1"]],
  ["several answers: one is taken back", 3, ["0", "1"], "0", ["1"]],
  ["no more than allowed", 2, ["0", "1"], "2", ["0", "1"]],
] as const)("PL3 %s", (_, max, mine, pressed, after) => {
  expect(votesAfter(show(extra({ max }, { mine: { votes: [...mine] } })), pressed)).toEqual(after);
});

test("PL2 a copy of a poll is its question and options, of another message its content", () => {
  const content = "📊 Lunch?\n1. Noodles\n2. Rice\n3. Soup";
  expect(copiedContent({ content: `${content}\nVote in a newer client`, extra: extra() })).toBe(content);
  expect(copiedContent({ content: "hello", extra: undefined })).toBe("hello");
});

test("PL10 a text can be edited, a poll not", () => {
  expect(isEditable({ type: MessageType.TEXT, extra: undefined })).toBe(true);
  expect(isEditable({ type: MessageType.TEXT, extra: newPollExtra("Lunch?", POLL, 1) })).toBe(false);
  expect(isEditable({ type: MessageType.IMAGE, extra: undefined })).toBe(false);
});

test("PL13 PL14 my line of a sign-up list shows at once: in its place, at the end, or gone", () => {
  const list = {
    ...POLL,
    kind: "signUp",
    question: "Cake?",
    options: ["1 portion", "2 portions"],
    addedBy: [1, 2],
    voters: 2,
  };
  const one = { extra: { v: 5, ownV: 5, mine: {}, poll: list } };
  const line = (text: string): UnsentAct => ({ kind: "line", key: "", on: text !== "", text });
  const shown = (me: number, ...unsent: UnsentAct[]) => {
    const found = shownSignUp(one, me, NOW, unsent);
    return [found?.lines.map(({ by, text }) => `${by} ${text}`), found?.myLine, found?.isUnsent];
  };
  expect(shown(1)).toEqual([["1 1 portion", "2 2 portions"], "1 portion", false]);
  expect(shown(1, line("3 portions"))).toEqual([["1 3 portions", "2 2 portions"], "3 portions", true]);
  expect(shown(3, line("4 portions"))).toEqual([
    ["1 1 portion", "2 2 portions", "3 4 portions"],
    "4 portions",
    true,
  ]);
  expect(shown(1, line(""))).toEqual([["2 2 portions"], "", true]);
  expect(shown(1, line("1 portion"))).toEqual([["1 1 portion", "2 2 portions"], "1 portion", false]);
  expect(shownSignUp({ extra: extra() }, 1, NOW)).toBeNull();
  expect(copiedContent({ content: "", ...one })).toBe("📝 Cake?\n1. 1 portion\n2. 2 portions");
  const named = copiedContent({ content: "", ...one }, ({ by, text }) => `P${by}: ${text}`);
  expect(named).toBe("📝 Cake?\n1. P1: 1 portion\n2. P2: 2 portions");
});

test("PL12 a sign-up list that is being sent has the line of its author", () => {
  const list: NewPoll = { ...POLL, kind: "signUp", options: ["1 portion"] };
  expect(shownSignUp({ extra: newPollExtra("Cake?", list, 7) }, 7, NOW)).toMatchObject({
    lines: [{ by: 7, text: "1 portion" }],
    myLine: "1 portion",
    isUnsent: false,
    isClosed: false,
  });
});
