import { useLayoutEffect, useReducer } from "react";
import { flushSync } from "react-dom";
import type { TimelineRow } from "@parley/core/model/chats/timeline";
import { coversView, type RowEdges, type RowRange } from "../../../ui/row-range.ts";
import type { RowHeights } from "./row-heights.ts";
import {
  DIVIDER_POSITION,
  findAnchors,
  offsetInView,
  OVERSCAN_PX,
  ROWS_MAX,
  ScrollPosition,
  type TimelineContent,
  type VisiblePart,
} from "./scroll-position.ts";

/** A longer distance is jumped, not animated. */
const ANIMATE_MAX_PX = 1_500;

/** The position of the view. */
export interface TimelineView {
  /** Pixels above and below the view. */
  readonly above: number;
  readonly below: number;
  readonly height: number;
}

/**
 * Mounts the visible rows of a conversation and keeps them in place (interface §6, §7). A scroll position decides where the view is. After
 * each change (rows are added or removed, heights differ from estimates, the window is resized) this measures the rows and scrolls there
 * before the next paint.
 */
export class VirtualTimeline {
  /** Renders again before the next paint. Set by the component. */
  rerender: () => void = () => {};
  /** Called when the view has moved or the space around it has changed. Set by the component. */
  onViewChange: (view: TimelineView) => void = () => {};
  /** The key of the focused row, which must stay mounted. */
  focusKey: string | null = null;

  #scroller: HTMLElement | null = null;
  #list: HTMLElement | null = null;
  readonly #mountedRows = new Map<string, HTMLElement>();
  readonly #resizeObserver = new ResizeObserver((entries) => this.#handleResize(entries));
  readonly #position = new ScrollPosition();
  #range: RowRange = { first: 0, end: 0 };
  /** Added to the padding above the mounted rows. While a person scrolls, wrong estimates are corrected here. */
  #topCorrection = 0;
  /** Rows or target are new. Otherwise scrolling is not disturbed. */
  #canJump = false;
  #programmaticTop = -1;
  /** The scroll position when it was last read or set. */
  #lastTop = 0;
  #isAnimating = false;

  /** Sets the rows and returns the range to render. Call it while rendering. */
  update(next: TimelineContent): RowRange {
    if (this.#position.setRows(next, () => this.#visiblePart())) this.#targetChanged();
    this.#range = this.#rangeToMount();
    return this.#range;
  }

  readonly setScroller = (scroller: HTMLElement | null) => {
    if (scroller === null) return;
    this.#scroller = scroller;
    this.#resizeObserver.observe(scroller);
    const stopAnimation = () => this.#stopAnimation();
    const userScrollEvents = ["wheel", "touchstart", "pointerdown", "keydown"] as const;
    for (const name of userScrollEvents) scroller.addEventListener(name, stopAnimation, { passive: true });
    scroller.addEventListener("scroll", this.#handleScroll, { passive: true });
    scroller.addEventListener("scrollend", stopAnimation);
    return () => {
      for (const name of userScrollEvents) scroller.removeEventListener(name, stopAnimation);
      scroller.removeEventListener("scroll", this.#handleScroll);
      scroller.removeEventListener("scrollend", stopAnimation);
      this.#resizeObserver.disconnect();
      this.#scroller = null;
    };
  };

  readonly setList = (list: HTMLElement | null) => {
    this.#list = list;
  };

  readonly observeRow = (row: HTMLElement | null) => {
    const key = row?.dataset["row"];
    if (row === null || key === undefined) return;
    this.#mountedRows.set(key, row);
    this.#resizeObserver.observe(row);
    return () => {
      if (this.#mountedRows.get(key) === row) this.#mountedRows.delete(key);
      this.#resizeObserver.unobserve(row);
    };
  };

  /** Measures all mounted rows and scrolls to the target. Call it after each commit, before the paint. */
  measure(): void {
    const [scroller, list] = [this.#scroller, this.#list];
    if (scroller === null || list === null || this.heights.count === 0) return;
    // First of all, so that the padding replaces rows that were unmounted before the browser computes the layout.
    this.#updatePadding(list);
    const maxTop = scroller.scrollHeight - scroller.clientHeight;
    this.#position.adoptScroll(this.#lastTop, scroller.scrollTop, maxTop);
    this.heights.setWidth(list.clientWidth);
    for (const [key, row] of this.#mountedRows)
      this.heights.setHeight(key, row.getBoundingClientRect().height);
    this.#updatePadding(list);
    this.#applyTarget(scroller, list);
    this.#lastTop = scroller.scrollTop;
    if (this.#isCovered(scroller, OVERSCAN_PX / 2)) this.#replaceReachedTarget(scroller);
    else if (!isSameRange(this.#rangeToMount(), this.#range)) return this.rerender();
    this.onViewChange(this.view());
  }

  /** Scrolls to the end of the chat and follows it. */
  scrollToEnd(isAnimated = false): void {
    this.#stopScrolling();
    if (this.#scroller === null || !this.#position.targetEnd()) return;
    const prefersReducedMotion = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.#isAnimating = isAnimated && !prefersReducedMotion && this.view().below < ANIMATE_MAX_PX;
    this.rerender();
  }

  /** Scrolls to a row and places it at this fraction of the view's height. */
  scrollToRow(key: string, fraction = DIVIDER_POSITION): void {
    this.#stopScrolling();
    this.#position.targetRow(key, fraction);
    this.#targetChanged();
    this.rerender();
  }

  /** Scrolls to the first matching row, now or as soon as there is one. */
  scrollToFirst(matches: (row: TimelineRow) => boolean, fraction: number): void {
    this.#stopScrolling();
    this.#position.targetFirst(matches, fraction);
    this.#targetChanged();
    this.rerender();
  }

  /** Cancels a scroll that waits for its row. */
  cancelPendingScroll(): void {
    this.#position.cancelPending();
  }

  get isFollowing(): boolean {
    return this.#position.isFollowing;
  }

  /** The heights of the rows, by which their positions are known, mounted or not. */
  get heights(): RowHeights {
    return this.#position.heights;
  }

  view(): TimelineView {
    const scroller = this.#scroller;
    if (scroller === null) return { above: 0, below: 0, height: 0 };
    const { scrollTop, scrollHeight, clientHeight } = scroller;
    return { above: scrollTop, below: scrollHeight - clientHeight - scrollTop, height: clientHeight };
  }

  /** The distances of a row's top and bottom from the top of the view, mounted or not. */
  rowBox(index: number): { top: number; bottom: number } {
    const top = this.#viewTop();
    return { top: this.heights.edge(index) - top, bottom: this.heights.edge(index + 1) - top };
  }

  /** The index of the row at the top of the view. */
  firstVisibleIndex(): number {
    return this.heights.indexAt(this.#viewTop());
  }

  /** Call it when rows or target are new. A row that is targeted ends a smooth scroll to the end. */
  #targetChanged(): void {
    this.#canJump = true;
    if (this.#position.targetKind === "row") this.#isAnimating = false;
  }

  #rangeToMount(): RowRange {
    return this.#isAnimating
      ? this.#position.rangeToEnd(this.#viewTop())
      : this.#position.rangeAtTarget(this.#viewHeight());
  }

  /** Sets the padding that replaces the rows that are not mounted. */
  #updatePadding(list: HTMLElement): void {
    const { first, end } = this.#range;
    const above = this.heights.edge(first);
    const isEndTargeted = this.#position.targetKind === "end";
    if (this.#canJump || isEndTargeted || first === 0 || above + this.#topCorrection < 0)
      this.#topCorrection = 0;
    list.style.paddingBlockStart = `${above + this.#topCorrection}px`;
    list.style.paddingBlockEnd = `${this.heights.edge(this.heights.count) - this.heights.edge(end)}px`;
  }

  #applyTarget(scroller: HTMLElement, list: HTMLElement): void {
    this.#position.preferEnd(this.#range, { top: this.#viewTop(), below: this.view().below });
    const anchor = this.#position.anchor(this.#viewHeight());
    if (anchor === undefined) {
      const bottom = scroller.scrollHeight - scroller.clientHeight;
      if (!this.#isAnimating) this.#scrollTo(scroller, bottom);
      else if (bottom - scroller.scrollTop > 1) scroller.scrollTo({ top: bottom, behavior: "smooth" });
      else this.#isAnimating = false;
    } else {
      const row = this.#mountedRows.get(anchor.key);
      const y = row === undefined ? this.rowBox(anchor.index).top : offsetInView(scroller, row);
      const moved = y - anchor.y;
      if (Math.abs(moved) >= 0.5) {
        const { first } = this.#range;
        const padding = this.heights.edge(first) + this.#topCorrection - moved;
        // Do not disturb scrolling: correct a wrong estimate in the padding above instead of the scroll position.
        if (!this.#canJump && row !== undefined && first > 0 && padding >= 0) {
          this.#topCorrection -= moved;
          list.style.paddingBlockStart = `${padding}px`;
        } else this.#scrollTo(scroller, scroller.scrollTop + moved);
      }
    }
    this.#canJump = false;
  }

  #scrollTo(scroller: HTMLElement, top: number): void {
    if (Math.abs(scroller.scrollTop - top) >= 0.5) scroller.scrollTop = top;
    this.#programmaticTop = scroller.scrollTop;
  }

  /** Replaces the target by the visible rows once it is reached, or if it cannot be reached because the rows end before it. */
  #replaceReachedTarget(scroller: HTMLElement): void {
    const anchor = this.#position.anchor(this.#viewHeight());
    if (anchor === undefined) return;
    const row = this.#mountedRows.get(anchor.key);
    const isReached = row !== undefined && Math.abs(offsetInView(scroller, row) - anchor.y) < 1;
    if (this.#position.targetKind === "row" || !isReached) this.#position.keepVisible(this.#visiblePart());
  }

  readonly #handleScroll = () => {
    const scroller = this.#scroller;
    if (scroller === null) return;
    if (this.#isAnimating) {
      if (this.view().below <= 1) this.#stopAnimation();
    } else if (Math.abs(scroller.scrollTop - this.#programmaticTop) >= 1) {
      this.#programmaticTop = -1;
      this.#position.userScrolled(this.#visiblePart());
    }
    if (!this.#isCovered(scroller, 0)) flushSync(this.rerender);
    else if (!this.#isCovered(scroller, OVERSCAN_PX / 2)) this.rerender();
    this.onViewChange(this.view());
  };

  /** Stops the scrolling that a key or the wheel has begun. Chromium would continue it after `scrollTop` is set, away from the target. */
  #stopScrolling(): void {
    const scroller = this.#scroller;
    scroller?.scrollTo({ top: scroller.scrollTop, behavior: "smooth" });
  }

  #stopAnimation(): void {
    if (!this.#isAnimating) return;
    this.#isAnimating = false;
    this.#position.keepVisible(this.#visiblePart());
  }

  /** Reads what is visible now. */
  #visiblePart(): VisiblePart {
    const scroller = this.#scroller;
    if (scroller === null) return { anchors: [], top: 0, below: 0 };
    const { above, below } = this.view();
    this.#lastTop = above;
    return { anchors: findAnchors(scroller, this.#mountedRows), top: this.#viewTop(), below };
  }

  #isCovered(scroller: HTMLElement, reserve: number): boolean {
    return coversView(this.heights, this.#range, this.#viewTop(), scroller.clientHeight, reserve, ROWS_MAX);
  }

  /** The distance from the top of the first row to the top of the view, in pixels. */
  #viewTop(): number {
    const [scroller, list] = [this.#scroller, this.#list];
    if (scroller === null || list === null) return 0;
    return scroller.getBoundingClientRect().top - list.getBoundingClientRect().top - this.#topCorrection;
  }

  #viewHeight(): number {
    return this.#scroller?.clientHeight ?? window.innerHeight;
  }

  #handleResize(entries: readonly ResizeObserverEntry[]): void {
    let hasChanged = false;
    for (const { target } of entries) {
      const key = target instanceof HTMLElement ? target.dataset["row"] : undefined;
      if (key === undefined) hasChanged = true;
      else if (target.isConnected)
        hasChanged = this.heights.setHeight(key, target.getBoundingClientRect().height) || hasChanged;
    }
    if (hasChanged) this.#measureNow();
  }

  /** Measures outside a React commit. Rows that have to be rendered are rendered before the paint. */
  #measureNow(): void {
    const { rerender } = this;
    let needsRender = false;
    this.rerender = () => {
      needsRender = true;
    };
    this.measure();
    this.rerender = rerender;
    if (needsRender) flushSync(rerender);
  }
}

function isSameRange(a: RowRange, b: RowRange): boolean {
  return a.first === b.first && a.end === b.end;
}

/** A row to render. */
export interface MountedRow {
  readonly row: TimelineRow;
  /** Its distance from the first row if it is apart from the others, which follow each other; else null. */
  readonly top: number | null;
}

/** The rows in a range, and the focused row also outside of it: otherwise the keyboard focus would leave the conversation. */
export function mountedRows(
  rows: readonly TimelineRow[],
  { first, end }: RowRange,
  focusedIndex: number,
  edges: Pick<RowEdges, "edge">,
): readonly MountedRow[] {
  const inRange = rows.slice(first, end).map((row) => ({ row, top: null }));
  const focused = rows[focusedIndex];
  if (focused === undefined || (focusedIndex >= first && focusedIndex < end)) return inRange;
  const apart = { row: focused, top: edges.edge(focusedIndex) };
  return focusedIndex < first ? [apart, ...inRange] : [...inRange, apart];
}

/** Passes rows to a virtual timeline. Returns the rows to render. */
export function useVirtualTimeline(
  timeline: VirtualTimeline,
  content: TimelineContent,
  onViewChange: (view: TimelineView) => void,
): readonly MountedRow[] {
  const [, rerender] = useReducer((count: number) => count + 1, 0);
  const range = timeline.update(content);
  useLayoutEffect(() => {
    timeline.rerender = rerender;
    timeline.onViewChange = onViewChange;
  }, [timeline, onViewChange]);
  useLayoutEffect(() => timeline.measure());
  const { focusKey, heights } = timeline;
  return mountedRows(content.rows, range, focusKey === null ? -1 : heights.indexOf(focusKey), heights);
}
