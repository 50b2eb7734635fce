import type { DraftMention } from "@parley/core/model/state";

/** A range of a text, in UTF-16 units. */
export interface TextRange {
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
