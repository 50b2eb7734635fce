import { POLL_OPTIONS_MIN } from "@parley/protocol/limits";
import type { NewPoll } from "@parley/protocol/poll";
import { isVisible } from "@parley/protocol/text";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** When a poll can end, and after how many ms; null: when its author ends it. */
export const POLL_ENDS = { never: null, hour: HOUR_MS, day: DAY_MS, threeDays: 3 * DAY_MS, week: 7 * DAY_MS };
export type PollEnd = keyof typeof POLL_ENDS;

/** What somebody has filled in. */
export interface PollForm {
  readonly question: string;
  readonly options: readonly string[];
  readonly max: number;
  readonly secret: boolean;
  readonly hidden: boolean;
  readonly addable: boolean;
  readonly end: PollEnd;
}

export const EMPTY_POLL: PollForm = {
  question: "",
  options: ["", ""],
  max: 1,
  secret: false,
  hidden: false,
  addable: false,
  end: "never",
};

/** What is wrong with a form. */
export type PollFormError = "question" | "options";

/** The poll to send, or what is wrong. Options that show nothing are left out. `now` is by the server's clock (epoch ms). */
export function parsePoll(
  { question, options, max, secret, hidden, addable, end }: PollForm,
  now: number,
): { question: string; poll: NewPoll } | { errors: readonly PollFormError[] } {
  const texts = options.map((option) => option.trim()).filter(isVisible);
  const errors: PollFormError[] = [];
  if (!isVisible(question)) errors.push("question");
  if (texts.length < POLL_OPTIONS_MIN || new Set(texts).size < texts.length) errors.push("options");
  if (errors.length > 0) return { errors };
  return {
    question: question.trim(),
    poll: {
      options: texts,
      max: Math.min(max, texts.length),
      secret,
      hidden,
      ...(addable && { addable }),
      ...endOf(end, now),
    },
  };
}

/** The sign-up list to send; null without a question. `now` is as above. */
export function parseSignUp(
  { question, line, end }: { question: string; line: string; end: PollEnd },
  now: number,
): { question: string; poll: NewPoll } | null {
  if (!isVisible(question)) return null;
  const options = [line.trim()].filter(isVisible);
  const poll: NewPoll = { kind: "signUp", options, max: 1, secret: false, hidden: false, ...endOf(end, now) };
  return { question: question.trim(), poll };
}

function endOf(end: PollEnd, now: number): Pick<NewPoll, "closesAt"> {
  const length = POLL_ENDS[end];
  return length === null ? {} : { closesAt: now + length };
}
