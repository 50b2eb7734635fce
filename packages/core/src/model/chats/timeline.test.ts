import { MessageType } from "@parley/protocol/codes";
import { describe, expect, test } from "vitest";
import { chat, localEcho, FRIEND_CHAT, ME, NOON, ownRow, privateRow } from "../../testing/builders.ts";
import { createChatHarness } from "../../testing/chat-harness.ts";
import { toChatMessage } from "./chat-rows.ts";
import type { ChatMessage } from "../state.ts";
import { timeline, type TimelineRow } from "./timeline.ts";

const MINUTE = 60_000;
const theirs = (id: number, minutes: number, part: Partial<ChatMessage> = {}): ChatMessage => ({
  ...toChatMessage(privateRow({ id, sendTime: NOON + minutes * MINUTE }), ME),
  ...part,
});
const mine = (id: number, minutes: number): ChatMessage =>
  toChatMessage(ownRow({ id, sendTime: NOON + minutes * MINUTE }), ME);

function rows(messages: ChatMessage[], unreadAfter: number | null = null, offset = 0): TimelineRow[] {
  const window = {
    messages,
    hasOlder: false,
    hasNewer: false,
    older: "idle" as const,
    newer: "idle" as const,
  };
  return timeline(chat({ key: FRIEND_CHAT, window }), unreadAfter, offset);
}

const layoutOf = (list: TimelineRow[]) =>
  list.map((row) => (row.kind === "message" ? row.runPosition : row.kind));

describe("rows", () => {
  test("T1 a message with a time tip has a time row above it", () => {
    const list = rows([theirs(1, 0, { hasTimeTip: true }), theirs(2, 1)]);
    expect(layoutOf(list)).toEqual(["time", "top", "end"]);
    expect(list[0]).toEqual({ kind: "time", key: "time:1", time: NOON });
  });

  test("T2 there is one divider, above the first message of others after the position", () => {
    expect(layoutOf(rows([theirs(1, 0), mine(2, 0), theirs(3, 0), theirs(4, 0)], 1))).toEqual([
      "single",
      "single",
      "unread",
      "top",
      "end",
    ]);
    expect(layoutOf(rows([theirs(1, 0)], 1))).toEqual(["single"]);
    expect(layoutOf(rows([theirs(1, 0)], -1))).toEqual(["unread", "single"]);
  });

  test("T3 consecutive messages of one sender form a group", () => {
    expect(layoutOf(rows([theirs(1, 0), theirs(2, 1), theirs(3, 2), mine(4, 3), theirs(5, 4)]))).toEqual([
      "top",
      "mid",
      "end",
      "single",
      "single",
    ]);
  });

  test("T3 messages more than 10 minutes apart are in different groups", () => {
    expect(layoutOf(rows([theirs(1, 0), theirs(2, 10), theirs(3, 20.1)]))).toEqual(["top", "end", "single"]);
  });

  test("T4 a time, a divider or a tip ends the group", () => {
    expect(layoutOf(rows([theirs(1, 0), theirs(2, 1, { hasTimeTip: true })]))).toEqual([
      "single",
      "time",
      "single",
    ]);
    expect(layoutOf(rows([theirs(1, 0), theirs(2, 1)], 1))).toEqual(["single", "unread", "single"]);
    const tip = theirs(2, 1, { type: MessageType.TIP_TEXT });
    expect(layoutOf(rows([theirs(1, 0), tip, theirs(3, 1)]))).toEqual(["single", "tip", "single"]);
  });

  test("T5 a stored tip becomes a tip row, a stored time tip a time row", () => {
    const list = rows([
      theirs(1, 0, { type: MessageType.TIP_TEXT }),
      theirs(2, 1, { type: MessageType.TIP_TIME }),
    ]);
    expect(list).toMatchObject([
      { kind: "tip", key: "1" },
      { kind: "time", key: "2", time: NOON + MINUTE },
    ]);
  });

  test("T6 a row keeps its key when its message is confirmed", () => {
    const harness = createChatHarness();
    harness.dispatch({ kind: "localEcho", key: FRIEND_CHAT, message: localEcho("tmp-8") });
    const before = timeline(harness.chat(), null, 0).map((row) => row.key);
    harness.rows(ownRow({ id: 8 }));
    expect(timeline(harness.chat(), null, 0).map((row) => row.key)).toEqual(before);
    expect(new Set(before).size).toBe(before.length);
  });

  test("T7 a group ends at midnight of the reader's time zone", () => {
    const late = 11 * 60 + 58;
    const list = [theirs(1, late), theirs(2, late + 4)];
    expect(layoutOf(rows(list, null, 0))).toEqual(["single", "single"]);
    expect(layoutOf(rows(list, null, 480))).toEqual(["top", "end"]);
  });
});
