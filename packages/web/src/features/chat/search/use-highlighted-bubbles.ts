import { useEffect } from "react";
import { matchRanges } from "@parley/protocol/search-text";

const HIGHLIGHT_NAME = "parley-found";
/** Times, states and quotes in a bubble are not searched. */
const EXCLUDED_ELEMENTS = "time, [role='img'], [data-quote], span:has(time), button:not([data-searched])";

/** Highlights matches in the mounted messages without changing the DOM. Browsers without CSS highlights show none. */
export function useHighlightedBubbles(query: string): void {
  useEffect(() => {
    const log = document.querySelector('[role="log"]');
    if (log === null || query.trim() === "" || !("highlights" in CSS)) return;
    let frame = 0;
    const highlight = () => {
      frame = 0;
      const ranges = [...log.querySelectorAll("[data-bubble]")].flatMap((bubble) => rangesIn(bubble, query));
      CSS.highlights.set(HIGHLIGHT_NAME, new Highlight(...ranges));
    };
    const highlightSoon = () => {
      frame ||= requestAnimationFrame(highlight);
    };
    highlight();
    const observer = new MutationObserver(highlightSoon);
    observer.observe(log, { childList: true, characterData: true, subtree: true });
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
      CSS.highlights.delete(HIGHLIGHT_NAME);
    };
  }, [query]);
}

function rangesIn(bubble: Element, query: string): Range[] {
  const nodes: { node: Node; start: number; end: number }[] = [];
  let text = "";
  const walker = document.createTreeWalker(bubble, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node.parentElement?.closest(EXCLUDED_ELEMENTS)) continue;
    const nodeText = node.textContent ?? "";
    nodes.push({ node, start: text.length, end: text.length + nodeText.length });
    text += nodeText;
  }
  return matchRanges(text, query).flatMap(([from, to]) => {
    const first = nodes.find(({ end }) => from < end);
    const last = nodes.find(({ end }) => to <= end);
    if (first === undefined || last === undefined) return [];
    const range = new Range();
    range.setStart(first.node, from - first.start);
    range.setEnd(last.node, to - last.start);
    return [range];
  });
}
