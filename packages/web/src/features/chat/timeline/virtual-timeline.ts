import { flushSync } from "react-dom";
import type { TimelineRow } from "@parley/core/model/chats/timeline";
import { type RowRange, coversView, rowsAround } from "../../../ui/row-range.ts";
import { type ScrollAnchor, findAnchors, offsetInView } from "./scroll-anchor.ts";
import { RowHeights } from "./row-heights.ts";

/** Within this distance a person counts as being at the bottom and is taken along by new messages. */
const BOTTOM_PX = 48;
/** A longer way is jumped, not animated. */
const ANIMATE_MAX_PX = 1_500;
/** Rows are mounted this far outside the view, so that no turn of a wheel shows a hole; new ones come when half of it is used up. */
const OVERSCAN_PX = 800;
/** More are never mounted, however low they are (interface §19 row 5). */
const ROWS_MAX = 100;

/** What the view holds on to. */
type ScrollTarget =
  /** The end of all rows. */
  | { readonly kind: "end" }
  /** A row at a part of the view's height: only until it stands there. `isWhole`: at the end instead, if all from the row on fits. */
  | { readonly kind: "row"; readonly key: string; readonly part: number; readonly isWhole: boolean }
  /** Rows at their heights; the first one that is there counts. */
  | { readonly kind: "rows"; readonly anchors: readonly ScrollAnchor[] };

const END_TARGET: ScrollTarget = { kind: "end" };
/** Where the unread divider is placed when a chat opens, as a part of the height. */
const DIVIDER_POSITION = 0.25;

/** What there is to be shown. */
export interface TimelineContent {
  readonly rows: readonly TimelineRow[];
  /** The last row is the chat's newest: then the end is worth holding on to. */
  readonly isEnd: boolean;
  /** What is new came by a pull: somebody who has only just opened the chat begins at its divider. */
  readonly isPulled: boolean;
}

/** Where the view is. */
export interface TimelineView {
  /** Pixels above and below it. */
  readonly above: number;
  readonly below: number;
  readonly height: number;
}

/**
 * Mounts the rows of a conversation that are seen and holds them still (interface §6, §7). It alone moves the view: it knows one place
 * the view holds on to, and after each change (rows come or go, heights turn out otherwise, the window is resized) it measures and
 * puts the view there, before anything is painted. Only a person's own scrolling, or a call, gives it another place.
 */
export class VirtualTimeline {
  readonly heights = new RowHeights();
  /** Draws again; in time for this frame. */
  rerender: () => void = () => {};
  /** The view moved, or what is around it changed. */
  onViewChange: (view: TimelineView) => void = () => {};
  /** The row that must stay mounted, since it has the focus. */
  focusKey: string | null = null;

  #scroller: HTMLElement | null = null;
  #list: HTMLElement | null = null;
  readonly #mountedRows = new Map<string, HTMLElement>();
  readonly #resizeObserver = new ResizeObserver((entries) => this.#handleResize(entries));
  #rows: readonly TimelineRow[] = [];
  #range: RowRange = { first: 0, end: 0 };
  #isEnd = true;
  /** The person has scrolled, written, or gone somewhere. */
  #hasUserMoved = false;
  #target: ScrollTarget = END_TARGET;
  #isFollowing = true;
  /** What the space above the mounted rows has beyond the heights it stands for: guesses are corrected there while a person scrolls. */
  #topCorrection = 0;
  #hasNewRows = false;
  #programmaticTop = -1;
  /** Where the view was when it was last looked at or moved. */
  #lastTop = 0;
  #isAnimating = false;
  /** To be seen as soon as it is there. */
  #pendingTarget: { isIt: (row: TimelineRow) => boolean; part: number } | "end" | null = null;

  /** Rows to be drawn now. Called while rendering. */
  update(next: TimelineContent): RowRange {
    if (next.rows !== this.#rows || next.isEnd !== this.#isEnd) this.#setRows(next);
    this.#range = this.#rangeToMount();
    return this.#range;
  }

  readonly setScroller = (scroller: HTMLElement | null) => {
    if (scroller === null) return;
    this.#scroller = scroller;
    this.#resizeObserver.observe(scroller);
    const stop = () => this.#stopAnimation();
    const userScrollEvents = ["wheel", "touchstart", "pointerdown", "keydown"] as const;
    for (const name of userScrollEvents) scroller.addEventListener(name, stop, { passive: true });
    scroller.addEventListener("scroll", this.#handleScroll, { passive: true });
    scroller.addEventListener("scrollend", stop);
    return () => {
      for (const name of userScrollEvents) scroller.removeEventListener(name, stop);
      scroller.removeEventListener("scroll", this.#handleScroll);
      scroller.removeEventListener("scrollend", stop);
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

  /** After each commit, before the paint: everything is measured and put where it belongs. */
  measure(): void {
    const [scroller, list] = [this.#scroller, this.#list];
    if (scroller === null || list === null || this.#rows.length === 0) return;
    // First of all, so that what is gone above or below is made up for before the browser looks.
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

  /** To the end of the chat, and stays there. */
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

  /** To a row, which will stand at this part of the view's height. */
  scrollToRow(key: string, part = DIVIDER_POSITION): void {
    this.#hasUserMoved = true;
    this.#hasNewRows = true;
    this.#targetRow(key, part);
    this.rerender();
  }

  /** Goes to the first such row, now or as soon as rows come among which it is. */
  scrollToFirst(isIt: (row: TimelineRow) => boolean, part: number): void {
    this.#pendingTarget = { isIt, part };
    this.#hasUserMoved = true;
    this.#hasNewRows = true;
    this.#resolvePendingTarget();
    this.rerender();
  }

  /** Nothing is waited for any longer. */
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

  /** Where a row begins and ends below the view's upper edge, mounted or not. */
  rowBox(index: number): { top: number; bottom: number } {
    const top = this.#viewTop();
    return { top: this.heights.edge(index) - top, bottom: this.heights.edge(index + 1) - top };
  }

  /** The row at the view's upper edge. */
  firstVisibleIndex(): number {
    return this.heights.indexAt(this.#viewTop());
  }

  #setRows({ rows, isEnd, isPulled }: TimelineContent): void {
    const before = this.#rows;
    this.#isEnd = isEnd;
    // What was the end is none any longer: the view stays with what it shows.
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
      // Nothing of what was seen is left: another part of the chat came, or all was cleared.
      const [first] = rows;
      if (isEnd || first === undefined) this.#target = END_TARGET;
      else this.#targetRow(first.key, 0);
    }
  }

  #targetRow(key: string, part: number, isWhole = false): void {
    this.#isAnimating = false;
    this.#isFollowing = false;
    this.#target = { kind: "row", key, part, isWhole };
  }

  #resolvePendingTarget(): void {
    const wanted = this.#pendingTarget;
    if (wanted === null) return;
    if (wanted === "end") {
      if (!this.#isEnd) return;
      this.#target = END_TARGET;
      this.#isFollowing = true;
    } else {
      const row = this.#rows.find(wanted.isIt);
      if (row === undefined) return;
      this.#targetRow(row.key, wanted.part);
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

  /** The row the view holds on to, if it is not the end. */
  #currentAnchor(): { key: string; index: number; y: number } | undefined {
    const scrollTarget = this.#target;
    if (scrollTarget.kind === "end") return undefined;
    const anchors =
      scrollTarget.kind === "rows"
        ? scrollTarget.anchors
        : [{ key: scrollTarget.key, y: Math.round(this.#viewHeight() * scrollTarget.part) }];
    for (const { key, y } of anchors) {
      const index = this.heights.indexOf(key);
      if (index >= 0) return { key, index, y };
    }
    return undefined;
  }

  /** The spaces that stand for the rows that are not mounted. */
  #updatePadding(list: HTMLElement): void {
    const { first, end } = this.#range;
    const above = this.heights.edge(first);
    if (this.#hasNewRows || this.#target === END_TARGET || first === 0 || above + this.#topCorrection < 0)
      this.#topCorrection = 0;
    list.style.paddingBlockStart = `${above + this.#topCorrection}px`;
    list.style.paddingBlockEnd = `${this.heights.edge(this.heights.count) - this.heights.edge(end)}px`;
  }

  /** A smooth scroll may be further than its last event told; that is no change to be undone. */
  #adoptUserScroll(scroller: HTMLElement): void {
    const { scrollTop } = scroller;
    const distance = scrollTop - this.#lastTop;
    const isPushed = distance < 0 && scrollTop >= scroller.scrollHeight - scroller.clientHeight - 1;
    if (this.#target.kind !== "rows" || Math.abs(distance) < 1 || isPushed) return;
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
        const space = this.heights.edge(first) + this.#topCorrection - moved;
        // While somebody scrolls nothing interferes: a wrong guess above is made good in the space above.
        if (!this.#hasNewRows && row !== undefined && first > 0 && space >= 0) {
          this.#topCorrection -= moved;
          list.style.paddingBlockStart = `${space}px`;
        } else this.#scrollTo(scroller, scroller.scrollTop + moved);
      }
    }
    this.#hasNewRows = false;
  }

  /** All from the wanted row on is measured, and the view has room for it. */
  #fitsInView({ scrollTop, scrollHeight, clientHeight }: HTMLElement): boolean {
    const scrollTarget = this.#target;
    if (scrollTarget.kind !== "row" || !scrollTarget.isWhole || !this.#isEnd) return false;
    const index = this.heights.indexOf(scrollTarget.key);
    if (index < this.#range.first || this.#range.end < this.heights.count) return false;
    return scrollHeight - scrollTop - this.rowBox(index).top <= clientHeight;
  }

  #scrollTo(scroller: HTMLElement, top: number): void {
    if (Math.abs(scroller.scrollTop - top) >= 0.5) scroller.scrollTop = top;
    this.#programmaticTop = scroller.scrollTop;
  }

  /** The view stands where it can. What could not be had, since an end of all rows was in the way, is not asked for again later. */
  #replaceReachedTarget(scroller: HTMLElement): void {
    const anchor = this.#currentAnchor();
    if (anchor === undefined) return;
    const row = this.#mountedRows.get(anchor.key);
    const isThere = row !== undefined && Math.abs(offsetInView(scroller, row) - anchor.y) < 1;
    if (this.#target.kind === "row" || !isThere) this.#targetWhatIsVisible();
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

  /** Holds on to what is seen now. */
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

  /** The view's upper edge, in pixels below the first row's. */
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

  /** Outside React's commits: what has to be drawn must be there before the paint. */
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
