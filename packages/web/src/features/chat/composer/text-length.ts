import { TEXT_MAX } from "@parley/protocol/limits";
import { countCodePoints } from "@parley/protocol/text";

/** The counter shows from this part of the limit on. */
const COUNT_FROM = 0.8;

/** What the composer says about a text of this length. */
export interface TextLength {
  readonly canSend: boolean;
  readonly isTooLong: boolean;
  /** Characters, when it is time to show them; else null. */
  readonly shown: number | null;
}

/** Blank text is never sent, nor is one over the limit; lengths count code points. */
export function textLength(text: string): TextLength {
  const length = countCodePoints(text.trim());
  const isTooLong = length > TEXT_MAX;
  return {
    canSend: length > 0 && !isTooLong,
    isTooLong,
    shown: length >= TEXT_MAX * COUNT_FROM ? length : null,
  };
}

export function isSameLength(a: TextLength, b: TextLength): boolean {
  return a.canSend === b.canSend && a.isTooLong === b.isTooLong && a.shown === b.shown;
}
