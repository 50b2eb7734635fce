import { expect, test } from "vitest";
import { UnreadAnswers } from "./unread-answers.ts";

const MEBI = 1_048_576;

test("a person has at most 16 Mi characters of answers that are not read, and one answer in any case", () => {
  const answers = new UnreadAnswers();
  const ends: (() => void)[] = [];
  const ask = (userId: number, length: number, isRepeatable = true) =>
    answers.add(userId, { answer: "x".repeat(length), isRepeatable }, (end) => void ends.push(end));
  for (let n = 0; n < 15; n++) ask(1, MEBI);
  // A call that has changed something is answered and counted.
  ask(1, MEBI, false);
  expect(() => ask(1, MEBI)).toThrow("request.tooMany");
  ask(1, MEBI, false);
  ends.pop()?.();
  // Short answers and other people do not wait.
  for (let n = 0; n < 100; n++) ask(1, 1_000);
  ask(2, 20 * MEBI);
  expect(() => ask(2, MEBI)).toThrow("request.tooMany");
  ends[0]?.();
  ask(1, MEBI);
  expect(() => ask(1, MEBI)).toThrow("request.tooMany");
});
