import * as z from "zod/mini";
import { POLL_OPTION_MAX, POLL_OPTIONS_MAX, POLL_OPTIONS_MIN, POLL_QUESTION_MAX } from "./limits.ts";
import { id, time, visibleText } from "./text.ts";

/** A poll is a text (type 0) that people vote on. Clients that do not know polls show the text. */

/** An option of a poll. */
export const pollOption = () => visibleText(POLL_OPTION_MAX);

/** How a list is marked in which people sign up: a poll in which each has at most one line of their own instead of votes. */
const SIGN_UP = "signUp";

const settings = {
  options: z.array(pollOption()).check(
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

/** What its author sends; the question is the content of the message. The one option of a sign-up list is the line of its author. */
export const newPoll = z.object({ ...settings, kind: z.optional(z.enum([SIGN_UP])) }).check(
  z.refine(({ kind, options }) => kind === SIGN_UP || options.length >= POLL_OPTIONS_MIN, {
    error: `fewer than ${POLL_OPTIONS_MIN}`,
    path: ["options"],
  }),
  z.refine(({ kind, options }) => kind !== SIGN_UP || options.length <= 1, {
    error: "more than the line of the author",
    path: ["options"],
  }),
  z.refine(({ kind, max, options }) => max <= (kind === SIGN_UP ? 1 : options.length), {
    error: "more than its options",
    path: ["max"],
  }),
  z.refine(({ kind, secret, hidden, addable }) => kind !== SIGN_UP || !(secret || hidden || addable), {
    error: "is not secret, hidden or addable",
    path: ["kind"],
  }),
);
export type NewPoll = z.output<typeof newPoll>;

/** The question of a poll. */
export const pollQuestion = () => visibleText(POLL_QUESTION_MAX);

/** A poll as everybody sees it. How many chose an option is a tally with its index. */
export const poll = z.object({
  ...settings,
  /** Of a sign-up list, the lines. */
  options: z.array(z.string()),
  /** Kinds that a client does not know are shown as polls. */
  kind: z.optional(z.string()),
  /** Of a sign-up list, whose line each option is. */
  addedBy: z.optional(z.array(id())),
  question: z.string(),
  /** How many people have voted, or signed up. */
  voters: id(),
  /** Since when nobody can vote any more (epoch ms). */
  closedAt: z.optional(time()),
});
export type Poll = z.output<typeof poll>;

/** A poll as it is when its author, `by`, sends it. */
export function startedPoll(question: string, sent: NewPoll, by: number): Poll {
  const started = { ...sent, question, voters: 0 };
  return isSignUp(sent)
    ? withLines(
        started,
        sent.options.map((text) => ({ by, text })),
      )
    : started;
}

/** Whether it is a list in which people sign up. */
export function isSignUp({ kind }: Pick<Poll, "kind">): boolean {
  return kind === SIGN_UP;
}

/** What a person has written into a sign-up list. */
export interface SignUpLine {
  readonly by: number;
  readonly text: string;
}

/** The lines of a sign-up list, in the order in which people signed up. */
export function signUpLines({ options, addedBy = [] }: Pick<Poll, "addedBy" | "options">): SignUpLine[] {
  return options.map((text, index) => ({ by: addedBy[index] ?? 0, text }));
}

/** The sign-up list after a person has set their line, which keeps its place, or with an empty text has taken it back. */
export function withLine(list: Poll, by: number, text: string): Poll {
  const lines = signUpLines(list);
  const index = lines.findIndex((line) => line.by === by);
  const at = index < 0 ? lines.length : index;
  return withLines(list, lines.toSpliced(at, 1, ...(text === "" ? [] : [{ by, text }])));
}

function withLines(list: Poll, lines: readonly SignUpLine[]): Poll {
  const [options, addedBy] = [lines.map(({ text }) => text), lines.map(({ by }) => by)];
  return { ...list, options, addedBy, voters: lines.length };
}

/** Whether an option can still be added to what is no closed poll. */
export function canAddOption({ addable, options }: Pick<Poll, "addable" | "options">): boolean {
  return addable === true && options.length < POLL_OPTIONS_MAX;
}

/** The first line of the text of a poll. */
export function pollTitle({ kind, question }: Pick<Poll, "kind" | "question">): string {
  return `${isSignUp({ kind }) ? "📝" : "📊"} ${question}`;
}

/** What clients show that do not know polls. */
export function pollText(shown: Pick<Poll, "kind" | "options" | "question">): string {
  return [pollTitle(shown), ...shown.options.map((option, index) => `${index + 1}. ${option}`)].join("\n");
}

/** Whether nobody can vote any more at this time (epoch ms). */
export function isPollClosed(
  { closedAt, closesAt }: Pick<Poll, "closedAt" | "closesAt">,
  now: number,
): boolean {
  return closedAt !== undefined || (closesAt !== undefined && closesAt <= now);
}
