import { matchRanges } from "@parley/protocol/search-text";
import type { Range } from "./pinyin.ts";

/** Characters kept in front of the first match: on the narrowest screen it still stands in sight behind them. */
const CONTEXT_BEFORE = 10;
/** No fewer are cut off: the sign of it would take their room. */
const CUT_MIN = 2;
/** A line of the widest window. */
const LENGTH_MAX = 120;

export interface Snippet {
  readonly text: string;
  /** What to mark in the text. */
  readonly ranges: readonly Range[];
}

/** One line of a message with its first match in sight. */
export function snippet(content: string, query: string): Snippet {
  // Each white space stays one unit long, so that places stay true.
  const line = content.replaceAll(/\s/gu, " ");
  const ranges = matchRanges(content, query);
  const first = ranges[0]?.[0] ?? 0;
  const isCut = first > CONTEXT_BEFORE + CUT_MIN;
  let start = isCut ? first - CONTEXT_BEFORE : 0;
  // Not within a pair of surrogates.
  if (/^[\uDC00-\uDFFF]/.test(line.slice(start))) start -= 1;
  const lead = isCut ? "…" : "";
  const text = lead + line.slice(start, start + LENGTH_MAX);
  const shift = lead.length - start;
  return {
    text,
    ranges: ranges
      .map(([from, to]) => [from + shift, Math.min(to + shift, text.length)] as const)
      .filter(([from, to]) => from < to),
  };
}
