import { expect, test } from "vitest";
import { friendVO, userInfo } from "../../testing/builders.ts";
import { EMPTY_CONTACTS } from "../signed-out-state.ts";
import type { State } from "../state.ts";
import { asksLastSeen, lastSeenAge } from "./last-seen.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

test.each([
  ["a time that is ahead of the clock", -5 * MINUTE_MS, { kind: "now" }],
  ["just now", 0, { kind: "now" }],
  ["up to two minutes", 2 * MINUTE_MS - 1, { kind: "now" }],
  ["two minutes", 2 * MINUTE_MS, { kind: "minutes", count: 2 }],
  ["up to an hour", HOUR_MS - 1, { kind: "minutes", count: 59 }],
  ["an hour", HOUR_MS, { kind: "today" }],
  ["the beginning of the day", 12 * HOUR_MS, { kind: "today" }],
  ["the evening before", 12 * HOUR_MS + 1, { kind: "yesterday" }],
  ["two days", 2 * DAY_MS, { kind: "date" }],
  ["29 days", 29 * DAY_MS, { kind: "date" }],
  ["30 days", 30 * DAY_MS, { kind: "longAgo" }],
])("LS4 the age of %s", (_what, age, expected) => {
  expect(lastSeenAge(NOON - age, NOON, 0)).toEqual(expected);
});

test("LS4 days are those of the reader", () => {
  const age = (utcOffsetMinutes: number) => lastSeenAge(NOON - 13 * HOUR_MS, NOON, utcOffsetMinutes).kind;
  expect([age(0), age(8 * 60), age(-5 * 60)]).toEqual(["yesterday", "today", "yesterday"]);
});

test("LS3 LS4 it is asked of friends who are offline, online, unless I have switched it off or the server is of a version before", () => {
  const { lastSeenShown: _, ...ofOlderServer } = userInfo();
  const state = (
    part: Partial<Pick<State, "connection" | "me">> = {},
    isDeleted = false,
    terminals: number[] = [],
  ) => ({
    connection: { kind: "online" } as const,
    me: userInfo(),
    ...part,
    contacts: {
      ...EMPTY_CONTACTS,
      friends: { 2: friendVO({ id: 2, isDeleted }) },
      online: { 2: terminals },
    },
  });
  expect(asksLastSeen(state(), 2)).toBe(true);
  expect(asksLastSeen(state(), 3)).toBe(false);
  expect(asksLastSeen(state({}, true), 2)).toBe(false);
  expect(asksLastSeen(state({}, false, [1]), 2)).toBe(false);
  expect(asksLastSeen(state({ connection: { kind: "offline", retryAt: null } }), 2)).toBe(false);
  expect(asksLastSeen(state({ me: userInfo({ lastSeenShown: false }) }), 2)).toBe(false);
  expect(asksLastSeen(state({ me: ofOlderServer }), 2)).toBe(false);
  expect(asksLastSeen(state({ me: null }), 2)).toBe(false);
});
