import { expect, test } from "vitest";
import { firstDifference } from "./first-difference.ts";

const EXPECTED = { order: ["a", "b"], chats: { a: { unread: 1, messages: ["1 by 2", "2 by 2"] } } };
const withChat = (part: object) => ({ ...EXPECTED, chats: { a: { ...EXPECTED.chats.a, ...part } } });

test.each([
  ["nothing for equal values", structuredClone(EXPECTED), undefined],
  ["a value", withChat({ unread: 2 }), "chats.a.unread is 2, not 1"],
  ["an item", withChat({ messages: ["1 by 2", "3 by 2"] }), 'chats.a.messages.1 is "3 by 2", not "2 by 2"'],
  ["a missing item", withChat({ messages: ["1 by 2"] }), 'chats.a.messages.1 is missing, not "2 by 2"'],
  ["an extra field", { ...EXPECTED, more: [] }, "more is [], not missing"],
  ["a value of another kind", { ...EXPECTED, order: {} }, 'order is {}, not ["a","b"]'],
  ["the first of several differences", { order: ["b", "a"], chats: {} }, 'order.0 is "b", not "a"'],
])("finds %s and names its path", (_, found, difference) => {
  expect(firstDifference(EXPECTED, found)).toBe(difference);
});

test("names simple values as a whole and shortens long ones", () => {
  expect(firstDifference(1, 2)).toBe("all is 2, not 1");
  expect(firstDifference({ text: "x".repeat(1_000) }, { text: "" })?.length).toBeLessThan(300);
});
