import type { Range } from "./pinyin.ts";
import styles from "./highlighted-text.module.css";

/** A text with the found parts highlighted. */
export function HighlightedText({ text, ranges }: { text: string; ranges: readonly Range[] }) {
  const parts = ranges.flatMap(([start, end], index) => [
    text.slice(ranges[index - 1]?.[1] ?? 0, start),
    <mark key={start} className={styles.mark}>
      {text.slice(start, end)}
    </mark>,
  ]);
  return (
    <bdi>
      {parts}
      {text.slice(ranges.at(-1)?.[1] ?? 0)}
    </bdi>
  );
}
