import { MessageType } from "@parley/protocol/codes";
import { describe, expect, test } from "vitest";
import { chat, localEcho, FRIEND_CHAT, ME, NOON, ownRow, privateRow } from "../../testing/builders.ts";
import { createChatHarness } from "../../testing/chat-harness.ts";
import { toChatMessage } from "./chat-rows.ts";
import type { ChatMessage } from "../state.ts";
import { messagesOf, timeline, type TimelineRow } from "./timeline.ts";

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

const picture = (id: number, minutes: number, part: Partial<ChatMessage> = {}) =>
  theirs(id, minutes, { type: MessageType.IMAGE, content: "{}", ...part });
const pictures = (count: number) => Array.from({ length: count }, (_, index) => picture(index + 1, 0));

/** The ids of each row, and its position in the run. */
const gridsOf = (list: TimelineRow[]) =>
  list.map((row) => [messagesOf(row).map(({ id }) => id), "runPosition" in row ? row.runPosition : row.kind]);

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

describe("grids of pictures", () => {
  test("B1 consecutive pictures of a run are one row, whose key is that of its first picture", () => {
    const list = rows(pictures(3));
    expect(list).toHaveLength(1);
    expect(list[0]).toMatchObject({ kind: "pictures", key: picture(1, 0).key });
    expect(gridsOf(list)).toEqual([[[1, 2, 3], "single"]]);
    expect(rows(pictures(1))[0]).toMatchObject({ kind: "message" });
  });

  test("B1 a tenth picture begins another grid of the same run", () => {
    expect(gridsOf(rows(pictures(12)))).toEqual([
      [[1, 2, 3, 4, 5, 6, 7, 8, 9], "top"],
      [[10, 11, 12], "end"],
    ]);
  });

  test("B1 a text between ends the grid and not the run", () => {
    expect(gridsOf(rows([picture(1, 0), picture(2, 0), theirs(3, 0), picture(4, 0)]))).toEqual([
      [[1, 2], "top"],
      [[3], "mid"],
      [[4], "end"],
    ]);
  });

  test("B1 what ends a run ends a grid: time, divider, another sender, 10 minutes", () => {
    expect(gridsOf(rows([picture(1, 0), picture(2, 0, { hasTimeTip: true })]))).toEqual([
      [[1], "single"],
      [[], "time"],
      [[2], "single"],
    ]);
    expect(gridsOf(rows([picture(1, 0), picture(2, 0)], 1))).toEqual([
      [[1], "single"],
      [[], "unread"],
      [[2], "single"],
    ]);
    expect(gridsOf(rows([picture(1, 0), { ...mine(2, 0), type: MessageType.IMAGE }]))).toHaveLength(2);
    expect(gridsOf(rows([picture(1, 0), picture(2, 11)]))).toHaveLength(2);
  });

  test("B2 a picture with a quote, a failure or a receipt has a row of its own", () => {
    const quoteMessage = { id: 1, sendId: ME, content: "", type: 0, status: 0 };
    const group = { sendRole: 1, atUserIds: [], receiptOk: false, readedCount: 0 };
    const alone: Partial<ChatMessage>[] = [
      { quoteMessage },
      { sending: "failed" },
      { group: { ...group, receipt: true } },
    ];
    for (const part of alone)
      expect(rows([picture(1, 0), picture(2, 0, part), picture(3, 0)])).toHaveLength(3);
    expect(rows([picture(1, 0), picture(2, 0, { group: { ...group, receipt: false } })])).toHaveLength(1);
  });
});
