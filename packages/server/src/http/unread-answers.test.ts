import { expect, test } from "vitest";
import { UnreadAnswers } from "./unread-answers.ts";

const MEBIBYTE = 1_048_576;

test("a person has at most 16 MiB of answers that are not read, and one answer in any case", () => {
  const answers = new UnreadAnswers();
  const ends: (() => void)[] = [];
  const ask = (userId: number, length: number) =>
    answers.add(userId, "x".repeat(length), (end) => void ends.push(end));
  for (let n = 0; n < 16; n++) ask(1, MEBIBYTE);
  expect(() => ask(1, MEBIBYTE)).toThrow("request.tooMany");
  // Short answers and other people do not wait.
  for (let n = 0; n < 100; n++) ask(1, 1_000);
  ask(2, 20 * MEBIBYTE);
  expect(() => ask(2, MEBIBYTE)).toThrow("request.tooMany");
  ends[0]?.();
  ask(1, MEBIBYTE);
  expect(() => ask(1, MEBIBYTE)).toThrow("request.tooMany");
});
