import { groupPermission } from "@parley/core/model/selectors";
import type { DraftMention, State } from "@parley/core/model/state";

/** An `@` before the caret, and the text between them that members are searched for. */
export interface MentionQuery {
  /** The position of the `@`. */
  readonly from: number;
  /** The position of the caret. */
  readonly to: number;
  readonly text: string;
}

/** A longer text after an `@` is no query. */
const QUERY_MAX = 24;

/** An `@` after one of these is part of an e-mail address, except in scripts that have no blanks between words. */
const WORD = /^[\p{L}\p{N}_]$/u;
const UNSPACED =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]$/u;

/** Whether an `@` at this position of a text may begin a mention. */
export function canMention(text: string, at: number): boolean {
  const before = /.$/su.exec(text.slice(Math.max(0, at - 2), at))?.[0] ?? "";
  return !WORD.test(before) || UNSPACED.test(before);
}

/** The mention query at the caret, or null. The `@` may be full-width, as some input methods write it. */
export function mentionQueryAt(
  text: string,
  caret: number,
  mentions: readonly DraftMention[],
): MentionQuery | null {
  const textBefore = text.slice(Math.max(0, caret - QUERY_MAX - 1), caret);
  const query = /[@＠]([^\s@＠]*)$/u.exec(textBefore)?.[1];
  if (query === undefined) return null;
  const from = caret - query.length - 1;
  const isInMention = mentions.some((one) => one.from <= from && from < one.to);
  return isInMention || !canMention(text, from) ? null : { from, to: caret, text: query };
}

/** A range of a text, in UTF-16 units. */
interface TextRange {
  readonly from: number;
  readonly to: number;
}

/**
 * What one Backspace deletes before the caret: the whole mention that ends there, with the blank that was inserted after it. null: one
 * character, as usual.
 */
export function mentionBefore(
  text: string,
  caret: number,
  mentions: readonly DraftMention[],
): TextRange | null {
  const isBlank = text[caret - 1] === " ";
  const found = mentions.find(({ to }) => to === caret || (isBlank && to === caret - 1));
  return found === undefined ? null : { from: found.from, to: caret };
}

/** What one Delete deletes after the caret: the mention that begins there. null: one character, as usual. */
export function mentionAfter(caret: number, mentions: readonly DraftMention[]): TextRange | null {
  const found = mentions.find(({ from }) => from === caret);
  return found === undefined ? null : { from: caret, to: found.to };
}

/** Where an arrow key moves the caret if that is over a mention. null: the browser moves it. */
export function stepOverMention(
  caret: number,
  step: -1 | 1,
  mentions: readonly DraftMention[],
): number | null {
  for (const { from, to } of mentions) {
    if (step < 0 && caret === to) return from;
    if (step > 0 && caret === from) return to;
  }
  return null;
}

/**
 * The mentions of the trimmed text. Members who have left are dropped, and so is everyone if I may no longer mention everyone: they stay
 * in the text, and the server does not have to reject the message.
 */
export function mentionsToSend(
  state: Pick<State, "groups">,
  groupId: number,
  text: string,
  mentions: readonly DraftMention[],
): readonly DraftMention[] {
  const leadingBlanks = text.length - text.trimStart().length;
  const { length } = text.trim();
  const members = state.groups.members[groupId]?.byId;
  return mentions.flatMap(({ userId, from, to }) => {
    const isRefused =
      userId < 0 ? groupPermission(state, groupId, "mentionAll") !== "ok" : members?.[userId]?.quit === true;
    return isRefused || from < leadingBlanks || to - leadingBlanks > length
      ? []
      : [{ userId, from: from - leadingBlanks, to: to - leadingBlanks }];
  });
}
