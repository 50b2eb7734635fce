import { describe, expect, test } from "vitest";
import { EMPTY_POLL, parsePoll, parseSignUp, type PollForm } from "./poll-form.ts";

const FORM: PollForm = { ...EMPTY_POLL, question: " Lunch? ", options: ["Noodles", " Rice ", " "] };

describe("PL1 a poll", () => {
  test("has a question, and the options that are not empty", () => {
    expect(parsePoll(FORM, 1_000)).toEqual({
      question: "Lunch?",
      poll: { options: ["Noodles", "Rice"], max: 1, secret: false, hidden: false },
    });
  });

  test("ends after the chosen time", () => {
    expect(parsePoll({ ...FORM, end: "day" }, 1_000)).toMatchObject({ poll: { closesAt: 86_401_000 } });
  });

  test("PL11 tells that others may add options", () => {
    expect(parsePoll({ ...FORM, addable: true }, 0)).toMatchObject({ poll: { addable: true } });
  });

  test("lets nobody choose more than its options", () => {
    expect(parsePoll({ ...FORM, max: 3 }, 0)).toMatchObject({ poll: { max: 2 } });
  });

  test.each([
    [{ question: " " }, ["question"]],
    [{ options: ["one", " "] }, ["options"]],
    [{ options: ["same", "same "] }, ["options"]],
    [{ question: "", options: ["", ""] }, ["question", "options"]],
  ])("says what is missing: %o", (part, errors) => {
    expect(parsePoll({ ...FORM, ...part }, 0)).toEqual({ errors });
  });
});

test("PL12 a sign-up list has a question, and the line of its author if there is one", () => {
  const list = { kind: "signUp", options: ["2 portions"], max: 1, secret: false, hidden: false };
  const parse = (question: string, line: string) => parseSignUp({ question, line, end: "hour" }, 1_000);
  expect(parse(" Cake ", " 2 portions ")).toEqual({
    question: "Cake",
    poll: { ...list, closesAt: 3_601_000 },
  });
  expect(parse("Cake", " ")).toMatchObject({ poll: { options: [] } });
  expect(parse(" ", "2 portions")).toBeNull();
});
