import type { ChatMessage } from "@parley/core/model/state";
import type { TimelineRow } from "@parley/core/model/timeline";
import { describe, expect, it } from "vitest";
import { countNew, timeAt } from "./above-rows.ts";

/** Only what is looked at here. */
const row = (key: string, sendTime: number, selfSend = false) =>
  ({
    kind: "message",
    key,
    place: "single",
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

describe("what lies above", () => {
  it("takes the time of the row, or of the next one that has one", () => {
    expect([0, 1, 2, 4].map((index) => timeAt(ROWS, index))).toEqual([10, 20, 20, 21]);
    expect(timeAt(ROWS, -1)).toBe(10);
    expect(timeAt(ROWS, 6)).toBe(null);
  });

  it("counts messages of others below the divider", () => {
    expect(countNew(ROWS, 1)).toBe(2);
  });
});
