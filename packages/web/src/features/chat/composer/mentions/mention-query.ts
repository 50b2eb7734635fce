import type { DraftMention } from "@parley/core/model/state";

/** An `@` being written, and what follows it up to the caret: who is looked for. */
export interface MentionQuery {
  /** Where the `@` stands. */
  readonly from: number;
  /** The caret. */
  readonly to: number;
  readonly text: string;
}

/** No name is looked for with more letters than this. */
const WORDS_MAX = 24;

/** An `@` behind one of these belongs to an address. Who writes without blanks between words has none before an `@` either. */
const WORD = /^[\p{L}\p{N}_]$/u;
const UNSPACED =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]$/u;

/** Whether an `@` at this place of a text may name somebody. */
export function canMention(text: string, at: number): boolean {
  const before = /.$/su.exec(text.slice(Math.max(0, at - 2), at))?.[0] ?? "";
  return !WORD.test(before) || UNSPACED.test(before);
}

/** Who is looked for at the caret; null for nobody. An input method may write the `@` in full width. */
export function mentionQueryAt(
  text: string,
  caret: number,
  mentions: readonly DraftMention[],
): MentionQuery | null {
  const back = text.slice(Math.max(0, caret - WORDS_MAX - 1), caret);
  const query = /[@＠]([^\s@＠]*)$/u.exec(back)?.[1];
  if (query === undefined) return null;
  const from = caret - query.length - 1;
  const isNamed = mentions.some((one) => one.from <= from && from < one.to);
  return isNamed || !canMention(text, from) ? null : { from, to: caret, text: query };
}
