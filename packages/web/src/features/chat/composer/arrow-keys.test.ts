import { expect, test } from "vitest";
import { nextQuoted } from "./arrow-keys.ts";

test("moves up from the newest message to the oldest, and down again until nothing is quoted", () => {
  const messages = [{ id: 3 }, { id: 5 }];
  expect(nextQuoted(messages, null, -1)).toBe(5);
  expect(nextQuoted(messages, 5, -1)).toBe(3);
  expect(nextQuoted(messages, 3, -1)).toBe(3);
  expect(nextQuoted(messages, 3, 1)).toBe(5);
  expect(nextQuoted(messages, 5, 1)).toBeNull();
  expect(nextQuoted(messages, null, 1)).toBeNull();
  expect(nextQuoted([], null, -1)).toBeNull();
});
