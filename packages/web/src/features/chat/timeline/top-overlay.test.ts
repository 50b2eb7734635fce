import { describe, expect, test } from "vitest";
import type { TimelineRow } from "@parley/core/model/chats/timeline";
import type { ChatMessage } from "@parley/core/model/state";
import { countNewMessages, hasTimeNearTop, rowTime } from "./top-overlay.tsx";

/** A message row with only the fields that these tests need. */
const row = (key: string, sendTime: number, selfSend = false) =>
  ({
    kind: "message",
    key,
    runPosition: "single",
    message: { key, sendTime, selfSend } as ChatMessage,
  }) satisfies TimelineRow;

const ROWS: readonly TimelineRow[] = [
  row("1", 10),
  { kind: "unread", key: "unread" },
  { kind: "time", key: "time 2", time: 20 },
  row("2", 20),
  row("3", 21, true),
  row("4", 22),
];

describe("row times and counts for the top overlay", () => {
  test("finds a time tip that the pill with the day would cover", () => {
    const topOf = (first: number) => (index: number) => (index - first) * 30 - 10;
    expect(hasTimeNearTop(ROWS, 0, topOf(0), 40)).toBe(false);
    expect(hasTimeNearTop(ROWS, 1, topOf(1), 40)).toBe(true);
    expect(hasTimeNearTop(ROWS, 2, topOf(2), 40)).toBe(true);
    expect(hasTimeNearTop(ROWS, 3, topOf(3), 40)).toBe(false);
  });

  test("returns the time of the row or of the next row with a time", () => {
    expect([0, 1, 2, 4].map((index) => rowTime(ROWS, index))).toEqual([10, 20, 20, 21]);
    expect(rowTime(ROWS, -1)).toBe(10);
    expect(rowTime(ROWS, 6)).toBe(null);
  });

  test("counts messages of others below the unread divider", () => {
    expect(countNewMessages(ROWS, 1)).toBe(2);
  });
});
