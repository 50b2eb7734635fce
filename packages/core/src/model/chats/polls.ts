import { kindOf } from "@parley/protocol/message";
import type { Tally } from "@parley/protocol/message-extra";
import {
  type NewPoll,
  type Poll,
  type SignUpLine,
  isPollClosed,
  isSignUp,
  pollText,
  signUpLines,
  startedPoll,
  withLine,
} from "@parley/protocol/poll";
import type { ChatMessage } from "../state.ts";
import type { Extra, UnsentAct } from "./extras.ts";

/** Polls: extras that say what can be chosen, with a tally for each option. */

/** The extra of a poll of mine that the server does not have yet. */
export function newPollExtra(question: string, poll: NewPoll, me: number): Extra {
  return { v: 0, mine: {}, ownV: 0, poll: startedPoll(question, poll, me) };
}

/** An option as it is shown. */
export interface ShownOption {
  /** Its index, as the key of a tally. */
  readonly key: string;
  readonly text: string;
  /** How many have chosen it; null while nobody may see that. */
  readonly count: number | null;
  /** Whether I have chosen it. */
  readonly isMine: boolean;
}

/** A poll as it is shown, with my vote that the server may not have confirmed. */
export interface ShownPoll {
  readonly poll: Poll;
  readonly options: readonly ShownOption[];
  /** Options that I add and the server has not confirmed. */
  readonly unsentOptions: readonly string[];
  /** How many people have voted. */
  readonly voters: number;
  readonly isClosed: boolean;
  /** The server has not confirmed my vote. */
  readonly isUnsent: boolean;
}

/**
 * What a copy of a message says: of a poll its question and options, without the line for clients that only show the text. `lineText`: what it
 * says of a line of a sign-up list.
 */
export function copiedContent(
  { content, extra }: Pick<ChatMessage, "content" | "extra">,
  lineText: (line: SignUpLine) => string = ({ text }) => text,
): string {
  const poll = extra?.poll;
  if (poll === undefined) return content;
  return pollText(isSignUp(poll) ? { ...poll, options: signUpLines(poll).map(lineText) } : poll);
}

/** Whether its author may change the text of a message: what people vote on stays as it was. */
export function isEditable({ type, extra }: Pick<ChatMessage, "type" | "extra">): boolean {
  return kindOf(type)?.isEditable === true && extra?.poll === undefined;
}

const NO_ACTS: readonly UnsentAct[] = [];

/** The poll of a message; null if it is none. `now` is in epoch ms. */
export function shownPoll(
  { extra }: Pick<ChatMessage, "extra">,
  now: number,
  unsent: readonly UnsentAct[] = NO_ACTS,
): ShownPoll | null {
  const poll = extra?.poll;
  if (extra === undefined || poll === undefined) return null;
  const confirmed = extra.mine.votes ?? [];
  const mine = unsent.findLast(({ kind }) => kind === "votes")?.keys ?? confirmed;
  const isUnsent = mine.length !== confirmed.length || mine.some((key) => !confirmed.includes(key));
  const isClosed = isPollClosed(poll, now);
  // The server tells the result of a hidden poll when it closes it, which is a moment after its time.
  const isResultKnown = !poll.hidden || poll.closedAt !== undefined;
  return {
    poll,
    options: poll.options.map((text, index) => {
      const key = String(index);
      const isMine = mine.includes(key);
      const change = Number(isMine) - Number(confirmed.includes(key));
      return { key, text, count: isResultKnown ? countOf(extra.votes, key) + change : null, isMine };
    }),
    unsentOptions: unsent
      .filter(({ kind, key }) => kind === "option" && !poll.options.includes(key))
      .map(({ key }) => key),
    voters: poll.voters + Number(mine.length > 0) - Number(confirmed.length > 0),
    isClosed,
    isUnsent,
  };
}

function countOf(votes: readonly Tally[] = [], key: string): number {
  return votes.find((tally) => tally.key === key)?.count ?? 0;
}

/** What I choose when I press an option: another one in the place of mine if I may choose one, else one more or one less. */
export function votesAfter({ poll, options }: ShownPoll, pressed: string): readonly string[] {
  const mine = options.filter(({ isMine }) => isMine).map(({ key }) => key);
  if (mine.includes(pressed)) return mine.filter((key) => key !== pressed);
  return poll.max === 1 ? [pressed] : [...mine, pressed].slice(0, poll.max);
}

/** A sign-up list as it is shown, with my line that the server may not have confirmed. */
export interface ShownSignUp {
  readonly poll: Poll;
  readonly lines: readonly SignUpLine[];
  /** What I have written; empty if I have not signed up. */
  readonly myLine: string;
  readonly isClosed: boolean;
  /** The server has not confirmed my line. */
  readonly isUnsent: boolean;
}

/** The sign-up list of a message; null if it is none. `now` is in epoch ms. */
export function shownSignUp(
  { extra }: Pick<ChatMessage, "extra">,
  me: number,
  now: number,
  unsent: readonly UnsentAct[] = NO_ACTS,
): ShownSignUp | null {
  const poll = extra?.poll;
  if (poll === undefined || !isSignUp(poll)) return null;
  const confirmed = lineOf(poll, me);
  const myLine = unsent.findLast(({ kind }) => kind === "line")?.text ?? confirmed;
  const isUnsent = myLine !== confirmed;
  const lines = signUpLines(isUnsent ? withLine(poll, me, myLine) : poll);
  return { poll, lines, myLine, isClosed: isPollClosed(poll, now), isUnsent };
}

function lineOf(poll: Poll, userId: number): string {
  return signUpLines(poll).find(({ by }) => by === userId)?.text ?? "";
}
