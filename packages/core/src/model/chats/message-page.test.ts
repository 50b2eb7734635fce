import { expect, test } from "vitest";
import { FRIEND_CHAT, privateRow } from "../../testing/builders.ts";
import { privateInput } from "../../testing/chat-harness.ts";
import type { ChatMessage } from "../state.ts";
import {
  isEnd,
  joinPages,
  type MessagePage,
  rangeAround,
  rangeOfRows,
  withKnownEnd,
} from "./message-page.ts";

const rowsOf = (...ids: number[]) => ids.map((id) => ({ id, sendTime: id * 10 }));

function messagesOf(...ids: number[]): ChatMessage[] {
  return ids.flatMap((id) => {
    const input = privateInput(privateRow({ id }));
    return input.kind === "row" && input.key === FRIEND_CHAT ? [input.message] : [];
  });
}

const pageOf = (from: number, to: number, ids: number[], isFromServer = false): MessagePage => ({
  messages: messagesOf(...ids),
  from,
  to,
  isFromServer,
});

test.each([
  ["a full answer ends with its oldest row", "older", [5, 7], 0, { from: 5, to: 9 }],
  ["a shorter answer reaches the end", "older", [7], 0, { from: 0, to: 9 }],
  ["an answer without rows reaches the end", "older", [], 3, { from: 3, to: 9 }],
  ["a full answer ends with its newest row", "newer", [9, 12], Infinity, { from: 9, to: 13 }],
  ["a shorter answer reaches the end", "newer", [9], Infinity, { from: 9, to: Infinity }],
] as const)("M35 %s: %s", (_, side, ids, end, range) => {
  expect(rangeOfRows(rowsOf(...ids), { side, edge: 9, size: 2 }, end)).toEqual(range);
});

test("M35 rows around an id reach an end of the chat where their half is not full", () => {
  const size = 4;
  expect(rangeAround(rowsOf(1, 3, 5, 7), { id: 5 }, size)).toEqual({ from: 1, to: 8 });
  expect(rangeAround(rowsOf(3, 5, 7), { id: 5 }, size)).toEqual({ from: 0, to: 8 });
  expect(rangeAround(rowsOf(1, 3, 5), { id: 5 }, size)).toEqual({ from: 1, to: Infinity });
  expect(rangeAround([], { id: 5 }, size)).toBeNull();
});

test("M35 rows around a time reach an end of the chat only where their half is empty", () => {
  const size = 4;
  expect(rangeAround(rowsOf(3, 5, 7), { time: 50 }, size)).toEqual({ from: 3, to: 8 });
  expect(rangeAround(rowsOf(5, 7), { time: 50 }, size)).toEqual({ from: 0, to: 8 });
  expect(rangeAround(rowsOf(1, 3), { time: 50 }, size)).toEqual({ from: 1, to: Infinity });
});

test("M38 two adjacent pages are joined in the order of ids", () => {
  const loaded = pageOf(5, 9, [5, 7]);
  const older = joinPages(loaded, pageOf(0, 5, [2], true));
  expect(older).toMatchObject({ from: 0, to: 9, isFromServer: true });
  expect(older.messages.map(({ id }) => id)).toEqual([2, 5, 7]);
  expect(isEnd(older, "older")).toBe(true);
  const newer = joinPages(loaded, pageOf(9, 12, [9, 11]));
  expect(newer).toMatchObject({ from: 5, to: 12, isFromServer: false });
  expect(newer.messages.map(({ id }) => id)).toEqual([5, 7, 9, 11]);
  expect(isEnd(newer, "newer")).toBe(false);
});

test("M35 a page of the server during which rows were left out ends at its last message", () => {
  expect(withKnownEnd(pageOf(5, Infinity, [5, 7], true))).toMatchObject({ from: 5, to: 8 });
  expect(withKnownEnd(pageOf(5, Infinity, [], true))).toMatchObject({ from: 5, to: 5 });
  expect(withKnownEnd(pageOf(5, 9, [5], true)).to).toBe(9);
  expect(withKnownEnd(pageOf(5, Infinity, [5])).to).toBe(Infinity);
});
