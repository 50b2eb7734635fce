import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { VirtualizerHandle } from "virtua";
import type { TimelineRow } from "@parley/core/model/timeline";
import { findAnchor, movedBy } from "./anchor.ts";
import type { Anchor } from "./anchor.ts";
import { useShownRows } from "./use-shown-rows.ts";

/** Height of the line above the first row, which says whether older messages are coming. */
export const HEAD_PX = 48;
/** Within this distance a person counts as being at the bottom and is taken along by new messages. */
const BOTTOM_PX = 48;
/** The down button shows from here on. */
const FAR_PX = 240;
/** A longer way is jumped, not animated. */
const ANIMATE_WITHIN_PX = 1_500;
/** Where the unread divider is placed when a chat opens, as a part of the height. */
const DIVIDER_AT = 0.25;

/**
 * Holds a conversation still (interface §6, §7): older rows above leave the top visible row where it is, newer ones below take the
 * person along only at the bottom, and a chat opens at its unread divider or at the bottom. `onMove` hears how far the top is and how
 * high the view, whenever that may have changed.
 */
export function useTimelineScroll(
  rows: readonly TimelineRow[],
  follows: { current: boolean },
  onMove: (fromTop: number, height: number) => void,
) {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const lastTop = useRef(0);
  const anchor = useRef<Anchor | null>(null);
  const [isFar, setFar] = useState(false);

  const shown = useShownRows(rows);

  const toBottom = useCallback(
    (isAnimated = false) => {
      const element = scroller.current;
      if (element === null) return;
      const way = element.scrollHeight - element.clientHeight - element.scrollTop;
      const isCalm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
      follows.current = true;
      element.scrollTo({
        top: element.scrollHeight,
        behavior: isAnimated && way < ANIMATE_WITHIN_PX && !isCalm ? "smooth" : "instant",
      });
    },
    [follows],
  );

  const toRow = useCallback(
    (index: number) => {
      const height = scroller.current?.clientHeight ?? 0;
      follows.current = false;
      list.current?.scrollToIndex(index, { align: "start", offset: -Math.round(height * DIVIDER_AT) });
    },
    [follows],
  );

  /** Whether this row's end is above the lower edge of the view. */
  const isAboveBottom = useCallback((index: number) => {
    const [element, handle] = [scroller.current, list.current];
    if (element === null || handle === null) return false;
    const end = HEAD_PX + handle.getItemOffset(index) + handle.getItemSize(index);
    return end <= element.scrollTop + element.clientHeight + 1;
  }, []);

  const placed = useRef(false);
  const move = useCallback(() => {
    const element = scroller.current;
    if (element === null) return;
    const top = element.scrollTop;
    const left = element.scrollHeight - element.clientHeight - top;
    if (placed.current) {
      if (left <= BOTTOM_PX) follows.current = true;
      else if (top < lastTop.current - 1) follows.current = false;
      setFar(left > FAR_PX);
      onMove(top, element.clientHeight);
    }
    lastTop.current = top;
    anchor.current = findAnchor(element);
  }, [follows, onMove]);

  /** Sizes changed: at the bottom the person stays there. */
  const settle = useCallback(() => {
    const element = scroller.current;
    if (element !== null && follows.current) element.scrollTop = element.scrollHeight;
    move();
  }, [follows, move]);

  const hasRows = shown.rows.length > 0;
  const openAt = useRef(-1);
  useLayoutEffect(() => {
    if (!placed.current) openAt.current = shown.rows.findIndex((row) => row.kind === "unread");
  }, [shown]);

  useLayoutEffect(() => {
    if (!hasRows || placed.current) return;
    if (openAt.current >= 0) toRow(openAt.current);
    else toBottom();
    // The list measures its first rows before the next paint; only then everything is where it belongs.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        placed.current = true;
        // Not React's business: shows the rows without another render.
        scroller.current?.setAttribute("data-placed", "");
        settle();
      });
    });
    return () => cancelAnimationFrame(frame);
  }, [hasRows, toBottom, toRow, settle]);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || shown.rows.length === 0 || !placed.current) return;
    if (follows.current) element.scrollTop = element.scrollHeight;
    // A change at the start is held by the list itself.
    else if (!shown.isShift) element.scrollTop += movedBy(element, anchor.current);
    move();
  }, [shown, follows, move]);

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    element.addEventListener("scroll", move, { passive: true });
    const resize = new ResizeObserver(settle);
    resize.observe(element);
    return () => {
      element.removeEventListener("scroll", move);
      resize.disconnect();
    };
  }, [move, settle]);

  return { scroller, list, shown, isFar, toBottom, toRow, isAboveBottom, settle };
}
