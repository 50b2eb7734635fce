import * as z from "zod/mini";
import { POLL_OPTION_MAX, POLL_OPTIONS_MAX, POLL_OPTIONS_MIN, POLL_QUESTION_MAX } from "./limits.ts";
import { id, time, visibleText } from "./text.ts";

/** A poll is a text (type 0) that people vote on. Clients that do not know polls show the text. */

/** An option of a poll. */
export const pollOption = () => visibleText(POLL_OPTION_MAX);

const settings = {
  options: z.array(pollOption()).check(
    z.minLength(POLL_OPTIONS_MIN, { error: `fewer than ${POLL_OPTIONS_MIN}` }),
    z.maxLength(POLL_OPTIONS_MAX, { error: `more than ${POLL_OPTIONS_MAX}` }),
    z.refine((options) => new Set(options).size === options.length, { error: "contains an option twice" }),
  ),
  /** How many options a person may choose. */
  max: id().check(z.minimum(1, { error: "less than 1" })),
  /** Whether nobody sees who chose what. */
  secret: z.boolean(),
  /** Whether nobody sees how many chose what before it is closed. */
  hidden: z.boolean(),
  /** Whether everybody who may vote may add options. */
  addable: z.optional(z.boolean()),
  /** Epoch ms. */
  closesAt: z.optional(time()),
};

/** What its author sends; the question is the content of the message. */
export const newPoll = z
  .object(settings)
  .check(
    z.refine(({ max, options }) => max <= options.length, { error: "more than its options", path: ["max"] }),
  );
export type NewPoll = z.output<typeof newPoll>;

/** The question of a poll. */
export const pollQuestion = () => visibleText(POLL_QUESTION_MAX);

/** A poll as everybody sees it. How many chose an option is a tally with its index. */
export const poll = z.object({
  ...settings,
  question: z.string(),
  /** How many people have voted. */
  voters: id(),
  /** Since when nobody can vote any more (epoch ms). */
  closedAt: z.optional(time()),
});
export type Poll = z.output<typeof poll>;

/** Whether an option can still be added to what is no closed poll. */
export function canAddOption({ addable, options }: Pick<Poll, "addable" | "options">): boolean {
  return addable === true && options.length < POLL_OPTIONS_MAX;
}

/** The first line of the text of a poll. */
export const pollTitle = (question: string): string => `📊 ${question}`;

/** What clients show that do not know polls. */
export function pollText(question: string, options: readonly string[]): string {
  return [pollTitle(question), ...options.map((option, index) => `${index + 1}. ${option}`)].join("\n");
}

/** Whether nobody can vote any more at this time (epoch ms). */
export function isPollClosed(
  { closedAt, closesAt }: Pick<Poll, "closedAt" | "closesAt">,
  now: number,
): boolean {
  return closedAt !== undefined || (closesAt !== undefined && closesAt <= now);
}
