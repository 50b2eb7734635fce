import { flushSync } from "react-dom";
import type { TimelineRow } from "@parley/core/model/chats/timeline";
import { type RowRange, coversView, rowsAround } from "../../../ui/row-range.ts";
import { type ScrollAnchor, findAnchors, offsetInView } from "./scroll-anchor.ts";
import { RowHeights } from "./row-heights.ts";

/** Within this distance from the end the view follows new messages. */
const BOTTOM_PX = 48;
/** A longer distance is jumped, not animated. */
const ANIMATE_MAX_PX = 1_500;
/** Rows are mounted this far outside the view, so that scrolling shows no gap. More are mounted when half of it is used up. */
const OVERSCAN_PX = 800;
/** At most this many rows are mounted, even if they are very low (interface §19 row 5). */
const ROWS_MAX = 100;

/** What determines the scroll position. */
type ScrollTarget =
  /** The end of all rows. */
  | { readonly kind: "end" }
  /** A row at a fraction of the view's height, until it is reached. `isWhole`: use the end instead if all rows from this one on fit. */
  | { readonly kind: "row"; readonly key: string; readonly fraction: number; readonly isWhole: boolean }
  /** Visible rows at their current positions. The first one that still exists is used. */
  | { readonly kind: "rows"; readonly anchors: readonly ScrollAnchor[] };

const END_TARGET: ScrollTarget = { kind: "end" };
/** Where the unread divider is placed when a chat opens, as a fraction of the view's height. */
const DIVIDER_POSITION = 0.25;

/** The rows of the timeline and where they come from. */
export interface TimelineContent {
  readonly rows: readonly TimelineRow[];
  /** The last row is the newest of the chat, so the view may follow the end. */
  readonly isEnd: boolean;
  /** New rows came by a pull. If the person has not scrolled yet, the view moves to the unread divider. */
  readonly isPulled: boolean;
}

/** The position of the view. */
export interface TimelineView {
  /** Pixels above and below the view. */
  readonly above: number;
  readonly below: number;
  readonly height: number;
}

/**
 * Mounts the visible rows of a conversation and keeps them in place (interface §6, §7). It owns the scroll position: it has one target,
 * and after each change (rows are added or removed, heights differ from estimates, the window is resized) it measures and scrolls to the
 * target before the next paint. Only scrolling by the person, or a call, changes the target.
 */
export class VirtualTimeline {
  readonly heights = new RowHeights();
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
  #rows: readonly TimelineRow[] = [];
  #range: RowRange = { first: 0, end: 0 };
  #isEnd = true;
  /** The person has scrolled, sent a message or jumped somewhere. */
  #hasUserMoved = false;
  #target: ScrollTarget = END_TARGET;
  #isFollowing = true;
  /** Added to the padding above the mounted rows. While a person scrolls, wrong estimates are corrected here. */
  #topCorrection = 0;
  #hasNewRows = false;
  #programmaticTop = -1;
  /** The scroll position when it was last read or set. */
  #lastTop = 0;
  #isAnimating = false;
  /** The target to use as soon as its row exists. */
  #pendingTarget: { matches: (row: TimelineRow) => boolean; fraction: number } | "end" | null = null;

  /** Sets the rows and returns the range to render. Call it while rendering. */
  update(next: TimelineContent): RowRange {
    if (next.rows !== this.#rows || next.isEnd !== this.#isEnd) this.#setRows(next);
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
    if (scroller === null || list === null || this.#rows.length === 0) return;
    // First of all, so that the padding replaces rows that were unmounted before the browser computes the layout.
    this.#updatePadding(list);
    this.#adoptUserScroll(scroller);
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
    const scroller = this.#scroller;
    if (scroller === null) return;
    this.#pendingTarget = this.#isEnd ? null : "end";
    this.#hasUserMoved = true;
    if (!this.#isEnd) return;
    this.#target = END_TARGET;
    this.#isFollowing = true;
    const prefersReducedMotion = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.#isAnimating = isAnimated && !prefersReducedMotion && this.view().below < ANIMATE_MAX_PX;
    this.rerender();
  }

  /** Scrolls to a row and places it at this fraction of the view's height. */
  scrollToRow(key: string, fraction = DIVIDER_POSITION): void {
    this.#hasUserMoved = true;
    this.#hasNewRows = true;
    this.#targetRow(key, fraction);
    this.rerender();
  }

  /** Scrolls to the first matching row, now or as soon as there is one. */
  scrollToFirst(matches: (row: TimelineRow) => boolean, fraction: number): void {
    this.#pendingTarget = { matches, fraction };
    this.#hasUserMoved = true;
    this.#hasNewRows = true;
    this.#resolvePendingTarget();
    this.rerender();
  }

  /** Cancels a scroll that waits for its row. */
  cancelPendingScroll(): void {
    this.#pendingTarget = null;
  }

  get isFollowing(): boolean {
    return this.#isFollowing;
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

  #setRows({ rows, isEnd, isPulled }: TimelineContent): void {
    const before = this.#rows;
    this.#isEnd = isEnd;
    // The last row is no longer the end of the chat, so keep the visible rows in place.
    if (this.#target === END_TARGET && !isEnd && before.length > 0) this.#targetWhatIsVisible();
    const isLonger = rows.at(-1)?.key !== before.at(-1)?.key;
    this.#rows = rows;
    this.#hasNewRows = true;
    this.heights.setRows(rows);
    if (isEnd && isLonger && this.#isFollowing && before.length > 0) this.#target = END_TARGET;
    const isOpening = before.length === 0 || (isPulled && !this.#hasUserMoved && !before.some(isDivider));
    const divider = isOpening ? rows.find(isDivider) : undefined;
    if (divider !== undefined) this.#targetRow(divider.key, DIVIDER_POSITION, true);
    this.#resolvePendingTarget();
    if (this.#target.kind !== "end" && this.#currentAnchor() === undefined) {
      // No visible row is left: another part of the chat was loaded, or the history was cleared.
      const [first] = rows;
      if (isEnd || first === undefined) this.#target = END_TARGET;
      else this.#targetRow(first.key, 0);
    }
  }

  #targetRow(key: string, fraction: number, isWhole = false): void {
    this.#isAnimating = false;
    this.#isFollowing = false;
    this.#target = { kind: "row", key, fraction, isWhole };
  }

  #resolvePendingTarget(): void {
    const pending = this.#pendingTarget;
    if (pending === null) return;
    if (pending === "end") {
      if (!this.#isEnd) return;
      this.#target = END_TARGET;
      this.#isFollowing = true;
    } else {
      const row = this.#rows.find(pending.matches);
      if (row === undefined) return;
      this.#targetRow(row.key, pending.fraction);
    }
    this.#pendingTarget = null;
  }

  #rangeToMount(): RowRange {
    const height = this.#viewHeight();
    const total = this.heights.edge(this.heights.count);
    if (this.#isAnimating) {
      const top = this.#viewTop();
      return rowsAround(this.heights, top, total - top, OVERSCAN_PX, ROWS_MAX);
    }
    const anchor = this.#currentAnchor();
    const top = anchor === undefined ? total - height : this.heights.edge(anchor.index) - anchor.y;
    return rowsAround(
      this.heights,
      Math.max(0, Math.min(top, total - height)),
      height,
      OVERSCAN_PX,
      ROWS_MAX,
    );
  }

  /** The row that determines the scroll position; undefined if that is the end. */
  #currentAnchor(): { key: string; index: number; y: number } | undefined {
    const target = this.#target;
    if (target.kind === "end") return undefined;
    const anchors =
      target.kind === "rows"
        ? target.anchors
        : [{ key: target.key, y: Math.round(this.#viewHeight() * target.fraction) }];
    for (const { key, y } of anchors) {
      const index = this.heights.indexOf(key);
      if (index >= 0) return { key, index, y };
    }
    return undefined;
  }

  /** Sets the padding that replaces the rows that are not mounted. */
  #updatePadding(list: HTMLElement): void {
    const { first, end } = this.#range;
    const above = this.heights.edge(first);
    if (this.#hasNewRows || this.#target === END_TARGET || first === 0 || above + this.#topCorrection < 0)
      this.#topCorrection = 0;
    list.style.paddingBlockStart = `${above + this.#topCorrection}px`;
    list.style.paddingBlockEnd = `${this.heights.edge(this.heights.count) - this.heights.edge(end)}px`;
  }

  /** A smooth scroll may have moved further than its last event said; adopt that instead of undoing it. */
  #adoptUserScroll(scroller: HTMLElement): void {
    const { scrollTop } = scroller;
    const distance = scrollTop - this.#lastTop;
    const isClamped = distance < 0 && scrollTop >= scroller.scrollHeight - scroller.clientHeight - 1;
    if (this.#target.kind !== "rows" || Math.abs(distance) < 1 || isClamped) return;
    const anchors = this.#target.anchors.map(({ key, y }) => ({ key, y: y - distance }));
    this.#target = { kind: "rows", anchors };
  }

  #applyTarget(scroller: HTMLElement, list: HTMLElement): void {
    if (this.#fitsInView(scroller)) {
      this.#target = END_TARGET;
      this.#isFollowing = true;
    }
    const anchor = this.#currentAnchor();
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
        if (!this.#hasNewRows && row !== undefined && first > 0 && padding >= 0) {
          this.#topCorrection -= moved;
          list.style.paddingBlockStart = `${padding}px`;
        } else this.#scrollTo(scroller, scroller.scrollTop + moved);
      }
    }
    this.#hasNewRows = false;
  }

  /** Whether all rows from the target row on are measured and fit into the view. */
  #fitsInView({ scrollTop, scrollHeight, clientHeight }: HTMLElement): boolean {
    const target = this.#target;
    if (target.kind !== "row" || !target.isWhole || !this.#isEnd) return false;
    const index = this.heights.indexOf(target.key);
    if (index < this.#range.first || this.#range.end < this.heights.count) return false;
    return scrollHeight - scrollTop - this.rowBox(index).top <= clientHeight;
  }

  #scrollTo(scroller: HTMLElement, top: number): void {
    if (Math.abs(scroller.scrollTop - top) >= 0.5) scroller.scrollTop = top;
    this.#programmaticTop = scroller.scrollTop;
  }

  /** Replaces the target by the visible rows once it is reached, or if it cannot be reached because the rows end before it. */
  #replaceReachedTarget(scroller: HTMLElement): void {
    const anchor = this.#currentAnchor();
    if (anchor === undefined) return;
    const row = this.#mountedRows.get(anchor.key);
    const isReached = row !== undefined && Math.abs(offsetInView(scroller, row) - anchor.y) < 1;
    if (this.#target.kind === "row" || !isReached) this.#targetWhatIsVisible();
  }

  readonly #handleScroll = () => {
    const scroller = this.#scroller;
    if (scroller === null) return;
    if (this.#isAnimating) {
      if (this.view().below <= 1) this.#stopAnimation();
    } else if (Math.abs(scroller.scrollTop - this.#programmaticTop) >= 1) {
      this.#programmaticTop = -1;
      this.#hasUserMoved = true;
      this.#targetWhatIsVisible();
    }
    if (!this.#isCovered(scroller, 0)) flushSync(this.rerender);
    else if (!this.#isCovered(scroller, OVERSCAN_PX / 2)) this.rerender();
    this.onViewChange(this.view());
  };

  #stopAnimation(): void {
    if (!this.#isAnimating) return;
    this.#isAnimating = false;
    this.#targetWhatIsVisible();
  }

  /** Keeps the rows in place that are visible now. */
  #targetWhatIsVisible(): void {
    this.#target = this.#visibleTarget();
    this.#lastTop = this.view().above;
    this.#isFollowing = this.#isEnd && this.view().below <= BOTTOM_PX;
  }

  #visibleTarget(): ScrollTarget {
    const scroller = this.#scroller;
    if (scroller === null) return this.#target;
    if (this.#isEnd && this.view().below <= 1) return END_TARGET;
    const anchors = findAnchors(scroller, this.#mountedRows);
    if (anchors.length > 0) return { kind: "rows", anchors };
    const index = this.firstVisibleIndex();
    const key = this.heights.keyAt(index);
    return key === undefined ? END_TARGET : { kind: "rows", anchors: [{ key, y: this.rowBox(index).top }] };
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

function isDivider(row: TimelineRow): boolean {
  return row.kind === "unread";
}

function isSameRange(a: RowRange, b: RowRange): boolean {
  return a.first === b.first && a.end === b.end;
}
