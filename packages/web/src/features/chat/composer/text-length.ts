import { TEXT_MAX } from "@parley/protocol/limits";
import { codePoints } from "@parley/protocol/text";

/** The counter shows from this part of the limit on. */
const COUNT_FROM = 0.8;

/** What the composer says about a text of this length. */
export interface Fit {
  readonly canSend: boolean;
  readonly isTooLong: boolean;
  /** Characters, when it is time to show them; else null. */
  readonly shown: number | null;
}

/** Blank text is never sent, nor is one over the limit; lengths count code points. */
export function fitOf(text: string): Fit {
  const length = codePoints(text.trim());
  const isTooLong = length > TEXT_MAX;
  return {
    canSend: length > 0 && !isTooLong,
    isTooLong,
    shown: length >= TEXT_MAX * COUNT_FROM ? length : null,
  };
}

export function isSameFit(a: Fit, b: Fit): boolean {
  return a.canSend === b.canSend && a.isTooLong === b.isTooLong && a.shown === b.shown;
}
