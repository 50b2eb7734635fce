import type { DraftMention } from "@parley/core/model/state";

/** A part of a text, in UTF-16 units. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/**
 * What one Backspace takes away before the caret: the whole mention that ends there, with the blank that was put behind it. null: the
 * browser's usual letter.
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

/** Likewise of Delete: the mention that begins at the caret. */
export function mentionAfter(caret: number, mentions: readonly DraftMention[]): TextRange | null {
  const found = mentions.find(({ from }) => from === caret);
  return found === undefined ? null : { from: caret, to: found.to };
}

/** Where an arrow takes the caret: over a mention, never into it. null: where the browser takes it. */
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
