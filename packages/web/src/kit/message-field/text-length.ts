import { countCodePoints, isVisible } from "@parley/protocol/text";

/** The counter is shown from this fraction of the limit on. */
const COUNT_FROM = 0.8;

/** Whether a text can be sent, and what its counter shows. */
export interface TextLength {
  readonly canSend: boolean;
  readonly isTooLong: boolean;
  /** The number of code points; null while the counter is hidden. */
  readonly shown: number | null;
  /** The limit. */
  readonly max: number;
}

/** Texts that show nothing and texts over the limit cannot be sent. Lengths count code points. */
export function textLength(text: string, max: number): TextLength {
  const length = countCodePoints(text.trim());
  const isTooLong = length > max;
  return {
    canSend: !isTooLong && isVisible(text),
    isTooLong,
    shown: length >= max * COUNT_FROM ? length : null,
    max,
  };
}

/** Whether two results are equal, so that a render can be skipped. */
export function isSameLength(a: TextLength, b: TextLength): boolean {
  return a.canSend === b.canSend && a.isTooLong === b.isTooLong && a.shown === b.shown && a.max === b.max;
}
