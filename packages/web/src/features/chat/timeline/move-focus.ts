import type { KeyboardEvent } from "react";

/** The arrow keys move the focus one message up or down; from the list itself to its last visible message. */
export function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : null;
  if (step === null || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const scroller = event.currentTarget;
  const rows = [...scroller.querySelectorAll<HTMLElement>('[role="article"]')].toSorted(
    (a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top,
  );
  const current = rows.findIndex((row) => row.contains(document.activeElement));
  const bottom = scroller.getBoundingClientRect().bottom;
  const next =
    current < 0
      ? rows.findLast((row) => row.getBoundingClientRect().bottom <= bottom + 1)
      : rows[current + step];
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: "nearest" });
}
