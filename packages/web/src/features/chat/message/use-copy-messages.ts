import { useEffect } from "react";
import type { ChatMessage } from "@parley/core/model/state";
import { currentLocale } from "../../../kit/i18n/i18n.ts";
import { clockTime } from "../../../kit/i18n/time-text.ts";

/**
 * Formats copied text: a selection across messages is copied as "name time" and the text of each message, a selection inside one message
 * as plain text. Emoticons and code are copied as their source text.
 */
export function useCopyMessages(
  messages: readonly ChatMessage[],
  nameOf: (message: ChatMessage) => string,
): void {
  useEffect(() => {
    const handleCopy = (event: ClipboardEvent) => {
      const selected = selectedParts();
      const [only] = selected;
      if (only === undefined || event.defaultPrevented) return;
      const lines = selected.flatMap(({ key, text }) => {
        const message = messages.find((one) => one.key === key);
        return message === undefined
          ? []
          : [`${nameOf(message)} ${clockTime(message.sendTime, currentLocale())}\n${text}`];
      });
      event.clipboardData?.setData("text/plain", selected.length === 1 ? only.text : lines.join("\n"));
      event.preventDefault();
    };
    document.addEventListener("copy", handleCopy);
    return () => document.removeEventListener("copy", handleCopy);
  }, [messages, nameOf]);
}

interface SelectedPart {
  readonly key: string;
  readonly text: string;
}

/** The selected text of each mounted message, from top to bottom. */
function selectedParts(): readonly SelectedPart[] {
  const selection = window.getSelection();
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return [];
  const range = selection.getRangeAt(0);
  const rows = [...document.querySelectorAll<HTMLElement>('[role="log"] [role="article"][data-key]')];
  return rows
    .flatMap((row) => {
      const bubble = row.querySelector("[data-bubble]");
      if (bubble === null || !range.intersectsNode(bubble)) return [];
      const text = selectedText(range, bubble);
      const key = row.dataset["key"];
      return text.trim() === "" || key === undefined
        ? []
        : [{ key, text, top: row.getBoundingClientRect().top }];
    })
    .toSorted((a, b) => a.top - b.top);
}

/** The selected text of one bubble, without its quote, time and state. */
function selectedText(range: Range, bubble: Element): string {
  const part = document.createRange();
  part.selectNodeContents(bubble);
  if (range.compareBoundaryPoints(Range.START_TO_START, part) > 0)
    part.setStart(range.startContainer, range.startOffset);
  if (range.compareBoundaryPoints(Range.END_TO_END, part) < 0)
    part.setEnd(range.endContainer, range.endOffset);
  const copy = part.cloneContents();
  for (const extra of copy.querySelectorAll("[data-meta], [data-quote], button")) extra.remove();
  const shown = [...bubble.querySelectorAll("[data-token]")].filter((one) => part.intersectsNode(one));
  copy.querySelectorAll<HTMLElement>("[data-token]").forEach((one, index) => {
    const original = shown[index];
    // Code that is only partly selected is copied without its markup.
    if (original !== undefined && isWithin(original, part)) one.replaceWith(one.dataset["token"] ?? "");
  });
  return copy.textContent ?? "";
}

function isWithin(node: Node, range: Range): boolean {
  const nodeRange = document.createRange();
  nodeRange.selectNode(node);
  const includesStart = range.compareBoundaryPoints(Range.START_TO_START, nodeRange) <= 0;
  return includesStart && range.compareBoundaryPoints(Range.END_TO_END, nodeRange) >= 0;
}
