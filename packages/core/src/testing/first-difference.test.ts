import { expect, test } from "vitest";
import { firstDifference } from "./first-difference.ts";

const WORLD = { order: ["a", "b"], chats: { a: { unread: 1, messages: ["1 by 2", "2 by 2"] } } };
const withChat = (part: object) => ({ ...WORLD, chats: { a: { ...WORLD.chats.a, ...part } } });

test.each([
  ["nothing, when all is alike", structuredClone(WORLD), undefined],
  ["a value", withChat({ unread: 2 }), "chats.a.unread is 2, not 1"],
  ["an item", withChat({ messages: ["1 by 2", "3 by 2"] }), 'chats.a.messages.1 is "3 by 2", not "2 by 2"'],
  ["what is missing", withChat({ messages: ["1 by 2"] }), 'chats.a.messages.1 is missing, not "2 by 2"'],
  ["what is too many", { ...WORLD, more: [] }, "more is [], not missing"],
  ["another shape", { ...WORLD, order: {} }, 'order is {}, not ["a","b"]'],
  ["the first of several", { order: ["b", "a"], chats: {} }, 'order.0 is "b", not "a"'],
])("tells %s with its path", (_, found, told) => {
  expect(firstDifference(WORLD, found)).toBe(told);
});

test("tells a value by itself, and long ones by their beginning", () => {
  expect(firstDifference(1, 2)).toBe("all is 2, not 1");
  expect(firstDifference({ text: "x".repeat(1_000) }, { text: "" })?.length).toBeLessThan(300);
});
