import { useCallback, useEffect, useRef } from "react";
import type { RefObject } from "react";
import { ReadTracker } from "./read-tracker.ts";

/** This attribute has the read position of a message of others. */
const SEEN_ATTRIBUTE = "data-seen-id";

/**
 * Marks messages as read that were in view long enough, on a visible and focused page with recent input (interface §7). Returns a
 * function to call whenever the visible messages may have changed.
 */
export function useReadTracking(
  scroller: RefObject<HTMLElement | null>,
  firstUnread: number,
  markRead: (upTo: number) => void,
): () => void {
  const latest = useRef({ firstUnread, markRead });
  useEffect(() => {
    latest.current = { firstUnread, markRead };
  });
  const tracker = useRef(new ReadTracker());
  const timer = useRef(0);
  const frame = useRef(0);

  const report = useCallback(() => {
    const now = performance.now();
    const readUpTo = tracker.current.readUpTo(now, {
      isVisible: document.visibilityState === "visible",
      isFocused: document.hasFocus(),
      lastInput: lastInputTime(),
    });
    if (readUpTo !== null && readUpTo >= latest.current.firstUnread) latest.current.markRead(readUpTo);
    window.clearTimeout(timer.current);
    const wait = tracker.current.msUntilNext(now);
    if (wait !== null) timer.current = window.setTimeout(report, wait + 1);
  }, []);

  const updateVisible = useCallback(() => {
    if (frame.current !== 0) return;
    frame.current = requestAnimationFrame(() => {
      frame.current = 0;
      if (scroller.current === null) return;
      tracker.current.setVisible(visibleMessageIds(scroller.current), performance.now());
      report();
    });
  }, [scroller, report]);

  useEffect(() => {
    const stopInput = onInput(report);
    window.addEventListener("focus", report);
    document.addEventListener("visibilitychange", report);
    updateVisible();
    return () => {
      stopInput();
      window.removeEventListener("focus", report);
      document.removeEventListener("visibilitychange", report);
      window.clearTimeout(timer.current);
      cancelAnimationFrame(frame.current);
      frame.current = 0;
    };
  }, [updateVisible, report]);

  return updateVisible;
}

/** Ids of others' messages whose end is inside the viewport. */
function visibleMessageIds(scroller: HTMLElement): number[] {
  const view = scroller.getBoundingClientRect();
  const ids: number[] = [];
  for (const row of scroller.querySelectorAll(`[${SEEN_ATTRIBUTE}]`)) {
    const end = row.getBoundingClientRect().bottom;
    if (end > view.top && end <= view.bottom + 1) ids.push(Number(row.getAttribute(SEEN_ATTRIBUTE)));
  }
  return ids;
}

/** When the person last did something on this page. */
let lastInput = -Infinity;
const listeners = new Set<() => void>();

/** Counts as input from now on. For what a person does outside the page: a click on a notification is no event of the page. */
export function recordInput(): void {
  lastInput = performance.now();
  for (const listener of listeners) listener();
}

const EVENTS = ["pointerdown", "pointermove", "keydown", "touchstart", "wheel"] as const;
for (const name of EVENTS) window.addEventListener(name, recordInput, { capture: true, passive: true });
// The click that caused this file to be loaded happened before the listeners existed.
if (navigator.userActivation?.isActive) recordInput();

/** The time of the person's last input, by `performance.now()`. */
function lastInputTime(): number {
  return lastInput;
}

/** Calls the listener after each input. Returns a function that stops it. */
function onInput(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
