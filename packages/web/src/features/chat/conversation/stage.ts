import { flushSync } from "react-dom";
import type { TimelineRow } from "@parley/core/model/timeline";
import { type RowRange, covers, rowsAround } from "../../../ui/row-range.ts";
import { type Anchor, findAnchors, standsAt } from "./anchor.ts";
import { RowHeights } from "./row-heights.ts";

/** Within this distance a person counts as being at the bottom and is taken along by new messages. */
const BOTTOM_PX = 48;
/** A longer way is jumped, not animated. */
const GLIDE_MAX_PX = 1_500;
/** Rows are mounted this far outside the view, so that no turn of a wheel shows a hole; new ones come when half of it is used up. */
const BUFFER_PX = 800;
/** More are never mounted, however low they are (interface §19 row 5). */
const ROWS_MAX = 100;

/** What the view holds on to. */
type Place =
  /** The end of all rows. */
  | { readonly kind: "end" }
  /** A row at a part of the view's height: only until it stands there. `isWhole`: at the end instead, if all from the row on fits. */
  | { readonly kind: "row"; readonly key: string; readonly part: number; readonly isWhole: boolean }
  /** Rows at their heights; the first one that is there counts. */
  | { readonly kind: "rows"; readonly anchors: readonly Anchor[] };

const END: Place = { kind: "end" };
/** Where the unread divider is placed when a chat opens, as a part of the height. */
const DIVIDER_AT = 0.25;

/** What there is to be shown. */
export interface StageRows {
  readonly rows: readonly TimelineRow[];
  /** The last row is the chat's newest: then the end is worth holding on to. */
  readonly isEnd: boolean;
  /** What is new came by a pull: somebody who has only just opened the chat begins at its divider. */
  readonly isPulled: boolean;
}

/** Where the view is. */
export interface View {
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
export class Stage {
  readonly heights = new RowHeights();
  /** Draws again; in time for this frame. */
  redraw: () => void = () => {};
  /** The view moved, or what is around it changed. */
  onMove: (view: View) => void = () => {};
  /** The row that must stay mounted, since it has the focus. */
  focusKey: string | null = null;

  #scroller: HTMLElement | null = null;
  #list: HTMLElement | null = null;
  readonly #mounted = new Map<string, HTMLElement>();
  readonly #sizes = new ResizeObserver((entries) => this.#resized(entries));
  #rows: readonly TimelineRow[] = [];
  #range: RowRange = { first: 0, end: 0 };
  #isEnd = true;
  /** The person has scrolled, written, or gone somewhere. */
  #isTouched = false;
  #place: Place = END;
  #follows = true;
  /** What the space above the mounted rows has beyond the heights it stands for: guesses are corrected there while a person scrolls. */
  #lead = 0;
  #hasNewRows = false;
  #ownTop = -1;
  /** Where the view was when it was last looked at or moved. */
  #knownTop = 0;
  #isGliding = false;
  /** To be seen as soon as it is there. */
  #wanted: { isIt: (row: TimelineRow) => boolean; part: number } | "end" | null = null;

  /** Rows to be drawn now. Called while rendering. */
  show(next: StageRows): RowRange {
    if (next.rows !== this.#rows || next.isEnd !== this.#isEnd) this.#take(next);
    this.#range = this.#choose();
    return this.#range;
  }

  readonly setScroller = (scroller: HTMLElement | null) => {
    if (scroller === null) return;
    this.#scroller = scroller;
    this.#sizes.observe(scroller);
    const stop = () => this.#stopGliding();
    const hands = ["wheel", "touchstart", "pointerdown", "keydown"] as const;
    for (const name of hands) scroller.addEventListener(name, stop, { passive: true });
    scroller.addEventListener("scroll", this.#scrolled, { passive: true });
    scroller.addEventListener("scrollend", stop);
    return () => {
      for (const name of hands) scroller.removeEventListener(name, stop);
      scroller.removeEventListener("scroll", this.#scrolled);
      scroller.removeEventListener("scrollend", stop);
      this.#sizes.disconnect();
      this.#scroller = null;
    };
  };

  readonly setList = (list: HTMLElement | null) => {
    this.#list = list;
  };

  readonly mountRow = (row: HTMLElement | null) => {
    const key = row?.dataset["row"];
    if (row === null || key === undefined) return;
    this.#mounted.set(key, row);
    this.#sizes.observe(row);
    return () => {
      if (this.#mounted.get(key) === row) this.#mounted.delete(key);
      this.#sizes.unobserve(row);
    };
  };

  /** After each commit, before the paint: everything is measured and put where it belongs. */
  settle(): void {
    const [scroller, list] = [this.#scroller, this.#list];
    if (scroller === null || list === null || this.#rows.length === 0) return;
    // First of all, so that what is gone above or below is made up for before the browser looks.
    this.#layOut(list);
    this.#noticeScroll(scroller);
    this.heights.setWidth(list.clientWidth);
    for (const [key, row] of this.#mounted) this.heights.note(key, row.getBoundingClientRect().height);
    this.#layOut(list);
    this.#hold(scroller, list);
    this.#knownTop = scroller.scrollTop;
    if (this.#isCovered(scroller, BUFFER_PX / 2)) this.#arrive(scroller);
    else if (!isSame(this.#choose(), this.#range)) return this.redraw();
    this.onMove(this.view());
  }

  /** To the end of the chat, and stays there. */
  toEnd(isAnimated = false): void {
    const scroller = this.#scroller;
    if (scroller === null) return;
    this.#wanted = this.#isEnd ? null : "end";
    this.#isTouched = true;
    if (!this.#isEnd) return;
    this.#place = END;
    this.#follows = true;
    const isCalm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.#isGliding = isAnimated && !isCalm && this.view().below < GLIDE_MAX_PX;
    this.redraw();
  }

  /** To a row, which will stand at this part of the view's height. */
  toRow(key: string, part = DIVIDER_AT): void {
    this.#isTouched = true;
    this.#hasNewRows = true;
    this.#stand(key, part);
    this.redraw();
  }

  /** Goes to the first such row, now or as soon as rows come among which it is. */
  seek(isIt: (row: TimelineRow) => boolean, part: number): void {
    this.#wanted = { isIt, part };
    this.#isTouched = true;
    this.#hasNewRows = true;
    this.#seek();
    this.redraw();
  }

  /** Nothing is waited for any longer. */
  giveUp(): void {
    this.#wanted = null;
  }

  get follows(): boolean {
    return this.#follows;
  }

  view(): View {
    const scroller = this.#scroller;
    if (scroller === null) return { above: 0, below: 0, height: 0 };
    const { scrollTop, scrollHeight, clientHeight } = scroller;
    return { above: scrollTop, below: scrollHeight - clientHeight - scrollTop, height: clientHeight };
  }

  /** Where a row begins and ends below the view's upper edge, mounted or not. */
  boxOf(index: number): { top: number; bottom: number } {
    const top = this.#viewTop();
    return { top: this.heights.edge(index) - top, bottom: this.heights.edge(index + 1) - top };
  }

  /** The row at the view's upper edge. */
  topIndex(): number {
    return this.heights.indexAt(this.#viewTop());
  }

  #take({ rows, isEnd, isPulled }: StageRows): void {
    const before = this.#rows;
    this.#isEnd = isEnd;
    // What was the end is none any longer: the view stays with what it shows.
    if (this.#place === END && !isEnd && before.length > 0) this.#look();
    const isLonger = rows.at(-1)?.key !== before.at(-1)?.key;
    this.#rows = rows;
    this.#hasNewRows = true;
    this.heights.setRows(rows);
    if (isEnd && isLonger && this.#follows && before.length > 0) this.#place = END;
    const isOpening = before.length === 0 || (isPulled && !this.#isTouched && !before.some(isDivider));
    const divider = isOpening ? rows.find(isDivider) : undefined;
    if (divider !== undefined) this.#stand(divider.key, DIVIDER_AT, true);
    this.#seek();
    if (this.#place.kind !== "end" && this.#anchor() === undefined) {
      // Nothing of what was seen is left: another part of the chat came, or all was cleared.
      const [first] = rows;
      if (isEnd || first === undefined) this.#place = END;
      else this.#stand(first.key, 0);
    }
  }

  #stand(key: string, part: number, isWhole = false): void {
    this.#isGliding = false;
    this.#follows = false;
    this.#place = { kind: "row", key, part, isWhole };
  }

  #seek(): void {
    const wanted = this.#wanted;
    if (wanted === null) return;
    if (wanted === "end") {
      if (!this.#isEnd) return;
      this.#place = END;
      this.#follows = true;
    } else {
      const row = this.#rows.find(wanted.isIt);
      if (row === undefined) return;
      this.#stand(row.key, wanted.part);
    }
    this.#wanted = null;
  }

  #choose(): RowRange {
    const height = this.#height();
    const total = this.heights.edge(this.heights.count);
    if (this.#isGliding) {
      const top = this.#viewTop();
      return rowsAround(this.heights, top, total - top, BUFFER_PX, ROWS_MAX);
    }
    const anchor = this.#anchor();
    const top = anchor === undefined ? total - height : this.heights.edge(anchor.index) - anchor.y;
    return rowsAround(this.heights, Math.max(0, Math.min(top, total - height)), height, BUFFER_PX, ROWS_MAX);
  }

  /** The row the view holds on to, if it is not the end. */
  #anchor(): { key: string; index: number; y: number } | undefined {
    const place = this.#place;
    if (place.kind === "end") return undefined;
    const anchors =
      place.kind === "rows"
        ? place.anchors
        : [{ key: place.key, y: Math.round(this.#height() * place.part) }];
    for (const { key, y } of anchors) {
      const index = this.heights.indexOf(key);
      if (index >= 0) return { key, index, y };
    }
    return undefined;
  }

  /** The spaces that stand for the rows that are not mounted. */
  #layOut(list: HTMLElement): void {
    const { first, end } = this.#range;
    const above = this.heights.edge(first);
    if (this.#hasNewRows || this.#place === END || first === 0 || above + this.#lead < 0) this.#lead = 0;
    list.style.paddingBlockStart = `${above + this.#lead}px`;
    list.style.paddingBlockEnd = `${this.heights.edge(this.heights.count) - this.heights.edge(end)}px`;
  }

  /** A smooth scroll may be further than its last event told; that is no change to be undone. */
  #noticeScroll(scroller: HTMLElement): void {
    const { scrollTop } = scroller;
    const way = scrollTop - this.#knownTop;
    const isPushed = way < 0 && scrollTop >= scroller.scrollHeight - scroller.clientHeight - 1;
    if (this.#place.kind !== "rows" || Math.abs(way) < 1 || isPushed) return;
    const anchors = this.#place.anchors.map(({ key, y }) => ({ key, y: y - way }));
    this.#place = { kind: "rows", anchors };
  }

  #hold(scroller: HTMLElement, list: HTMLElement): void {
    if (this.#fits(scroller)) {
      this.#place = END;
      this.#follows = true;
    }
    const anchor = this.#anchor();
    if (anchor === undefined) {
      const bottom = scroller.scrollHeight - scroller.clientHeight;
      if (!this.#isGliding) this.#scrollTo(scroller, bottom);
      else if (bottom - scroller.scrollTop > 1) scroller.scrollTo({ top: bottom, behavior: "smooth" });
      else this.#isGliding = false;
    } else {
      const row = this.#mounted.get(anchor.key);
      const y = row === undefined ? this.boxOf(anchor.index).top : standsAt(scroller, row);
      const moved = y - anchor.y;
      if (Math.abs(moved) >= 0.5) {
        const { first } = this.#range;
        const space = this.heights.edge(first) + this.#lead - moved;
        // While somebody scrolls nothing interferes: a wrong guess above is made good in the space above.
        if (!this.#hasNewRows && row !== undefined && first > 0 && space >= 0) {
          this.#lead -= moved;
          list.style.paddingBlockStart = `${space}px`;
        } else this.#scrollTo(scroller, scroller.scrollTop + moved);
      }
    }
    this.#hasNewRows = false;
  }

  /** All from the wanted row on is measured, and the view has room for it. */
  #fits({ scrollTop, scrollHeight, clientHeight }: HTMLElement): boolean {
    const place = this.#place;
    if (place.kind !== "row" || !place.isWhole || !this.#isEnd) return false;
    const index = this.heights.indexOf(place.key);
    if (index < this.#range.first || this.#range.end < this.heights.count) return false;
    return scrollHeight - scrollTop - this.boxOf(index).top <= clientHeight;
  }

  #scrollTo(scroller: HTMLElement, top: number): void {
    if (Math.abs(scroller.scrollTop - top) >= 0.5) scroller.scrollTop = top;
    this.#ownTop = scroller.scrollTop;
  }

  /** The view stands where it can. What could not be had, since an end of all rows was in the way, is not asked for again later. */
  #arrive(scroller: HTMLElement): void {
    const anchor = this.#anchor();
    if (anchor === undefined) return;
    const row = this.#mounted.get(anchor.key);
    const isThere = row !== undefined && Math.abs(standsAt(scroller, row) - anchor.y) < 1;
    if (this.#place.kind === "row" || !isThere) this.#look();
  }

  readonly #scrolled = () => {
    const scroller = this.#scroller;
    if (scroller === null) return;
    if (this.#isGliding) {
      if (this.view().below <= 1) this.#stopGliding();
    } else if (Math.abs(scroller.scrollTop - this.#ownTop) >= 1) {
      this.#ownTop = -1;
      this.#isTouched = true;
      this.#look();
    }
    if (!this.#isCovered(scroller, 0)) flushSync(this.redraw);
    else if (!this.#isCovered(scroller, BUFFER_PX / 2)) this.redraw();
    this.onMove(this.view());
  };

  #stopGliding(): void {
    if (!this.#isGliding) return;
    this.#isGliding = false;
    this.#look();
  }

  /** Holds on to what is seen now. */
  #look(): void {
    this.#place = this.#whatIsSeen();
    this.#knownTop = this.view().above;
    this.#follows = this.#isEnd && this.view().below <= BOTTOM_PX;
  }

  #whatIsSeen(): Place {
    const scroller = this.#scroller;
    if (scroller === null) return this.#place;
    if (this.#isEnd && this.view().below <= 1) return END;
    const anchors = findAnchors(scroller, this.#mounted);
    if (anchors.length > 0) return { kind: "rows", anchors };
    const index = this.topIndex();
    const key = this.heights.keyAt(index);
    return key === undefined ? END : { kind: "rows", anchors: [{ key, y: this.boxOf(index).top }] };
  }

  #isCovered(scroller: HTMLElement, reserve: number): boolean {
    return covers(this.heights, this.#range, this.#viewTop(), scroller.clientHeight, reserve, ROWS_MAX);
  }

  /** The view's upper edge, in pixels below the first row's. */
  #viewTop(): number {
    const [scroller, list] = [this.#scroller, this.#list];
    if (scroller === null || list === null) return 0;
    return scroller.getBoundingClientRect().top - list.getBoundingClientRect().top - this.#lead;
  }

  #height(): number {
    return this.#scroller?.clientHeight ?? window.innerHeight;
  }

  #resized(entries: readonly ResizeObserverEntry[]): void {
    let isNews = false;
    for (const { target } of entries) {
      const key = target instanceof HTMLElement ? target.dataset["row"] : undefined;
      if (key === undefined) isNews = true;
      else if (target.isConnected)
        isNews = this.heights.note(key, target.getBoundingClientRect().height) || isNews;
    }
    if (isNews) this.#settleNow();
  }

  /** Outside React's commits: what has to be drawn must be there before the paint. */
  #settleNow(): void {
    const { redraw } = this;
    let isDue = false;
    this.redraw = () => {
      isDue = true;
    };
    this.settle();
    this.redraw = redraw;
    if (isDue) flushSync(redraw);
  }
}

function isDivider(row: TimelineRow): boolean {
  return row.kind === "unread";
}

function isSame(a: RowRange, b: RowRange): boolean {
  return a.first === b.first && a.end === b.end;
}
