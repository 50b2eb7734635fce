import { matchRanges } from "@parley/protocol/search-text";
import type { Range } from "./pinyin.ts";
import { Text } from "../../ui/layout.tsx";

/** A text with the found parts highlighted. */
export function HighlightedText({ text, ranges }: { text: string; ranges: readonly Range[] }) {
  const parts = ranges.flatMap(([start, end], index) => [
    text.slice(ranges[index - 1]?.[1] ?? 0, start),
    <Text as="mark" key={start} tone="accent" weight="title">
      {text.slice(start, end)}
    </Text>,
  ]);
  return (
    <bdi>
      {parts}
      {text.slice(ranges.at(-1)?.[1] ?? 0)}
    </bdi>
  );
}

/** Characters kept before the first match, few enough that the match is visible on the narrowest screen. */
const CONTEXT_BEFORE = 10;
/** Fewer characters are not cut off, because the ellipsis would take as much space. */
const CUT_MIN = 2;
/** Characters in a line of the widest window. */
const LENGTH_MAX = 120;

/** A part of a message with highlighted ranges. */
export interface Snippet {
  readonly text: string;
  /** What to mark in the text. */
  readonly ranges: readonly Range[];
}

/** One line of a message in which the first match is visible. */
export function snippet(content: string, query: string): Snippet {
  // Each white space stays one unit long, so that the ranges stay correct.
  const line = content.replaceAll(/\s/gu, " ");
  const ranges = matchRanges(content, query);
  const first = ranges[0]?.[0] ?? 0;
  const isCut = first > CONTEXT_BEFORE + CUT_MIN;
  let start = isCut ? first - CONTEXT_BEFORE : 0;
  // Do not cut within a surrogate pair.
  if (/^[\uDC00-\uDFFF]/.test(line.slice(start))) start -= 1;
  const ellipsis = isCut ? "…" : "";
  const text = ellipsis + line.slice(start, start + LENGTH_MAX);
  const shift = ellipsis.length - start;
  return {
    text,
    ranges: ranges
      .map(([from, to]) => [from + shift, Math.min(to + shift, text.length)] as const)
      .filter(([from, to]) => from < to),
  };
}
