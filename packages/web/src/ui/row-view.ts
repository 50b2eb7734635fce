import { flushSync } from "react-dom";
import {
  type RowEdges,
  type RowRange,
  coversView,
  edgesOf,
  rowsAround,
  scrollTopToReveal,
} from "./row-range.ts";

/** Rows are mounted up to this distance from the view; the range is updated when half of it is used up. */
const BUFFER_PX = 400;
const ROWS_MAX = 60;

/** The visible part of the rows, in pixels from the first row's upper edge. */
export interface VisibleArea {
  readonly top: number;
  readonly height: number;
}

/** The rows to mount for a visible area. */
export function rowsToMount(edges: RowEdges, { top, height }: VisibleArea): RowRange {
  const last = edges.edge(edges.count) - height;
  return rowsAround(edges, Math.max(0, Math.min(top, last)), height, BUFFER_PX, ROWS_MAX);
}

/** Observes the scroller around a list of rows and calls `draw` when other rows have to be mounted. */
export class RowView {
  #canvas: HTMLElement | null = null;
  #scroller: HTMLElement | null = null;
  #edges = edgesOf(0, () => 0);
  #range: RowRange = { first: 0, end: 0 };
  #draw: (visibleArea: VisibleArea) => void = () => {};
  readonly #resizeObserver = new ResizeObserver(() => this.#handleChange());

  readonly setCanvas = (canvas: HTMLElement | null) => {
    if (canvas === null) return;
    this.#canvas = canvas;
    // An element between canvas and scroller that changes its size moves the rows as scrolling does.
    let ancestor = canvas.parentElement;
    for (; ancestor !== null && !isScrollable(ancestor); ancestor = ancestor.parentElement)
      this.#resizeObserver.observe(ancestor);
    const scroller = ancestor ?? document.documentElement;
    this.#scroller = scroller;
    this.#resizeObserver.observe(scroller);
    scroller.addEventListener("scroll", this.#handleChange, { passive: true });
    return () => {
      scroller.removeEventListener("scroll", this.#handleChange);
      this.#resizeObserver.disconnect();
      this.#canvas = this.#scroller = null;
    };
  };

  /** Call it after a commit with the rows that are mounted now. */
  update(edges: RowEdges, range: RowRange, draw: (visibleArea: VisibleArea) => void): void {
    this.#edges = edges;
    this.#range = range;
    this.#draw = draw;
    this.#checkRange((visibleArea) => draw(visibleArea));
  }

  /** Scrolls as little as possible until a row is completely visible. */
  reveal(row: number): void {
    const [scroller, visibleArea] = [this.#scroller, this.#visibleArea()];
    if (scroller === null || visibleArea === null) return;
    scroller.scrollTop +=
      scrollTopToReveal(this.#edges, row, visibleArea.top, visibleArea.height) - visibleArea.top;
    this.#checkRange(this.#draw);
  }

  /** Scrolls until a row is the first visible one, or to the end. */
  scrollTo(row: number): void {
    const [scroller, visibleArea] = [this.#scroller, this.#visibleArea()];
    if (scroller === null || visibleArea === null) return;
    scroller.scrollTop += this.#edges.edge(row) - visibleArea.top;
    this.#checkRange(this.#draw);
  }

  /** Number of rows that a Page key moves by: those that fit minus one, so that one row stays visible. */
  pageSize(): number {
    const { count } = this.#edges;
    const rowHeight = this.#edges.edge(count) / Math.max(1, count);
    return Math.max(1, Math.floor((this.#visibleArea()?.height ?? 0) / Math.max(1, rowHeight)) - 1);
  }

  readonly #handleChange = () =>
    this.#checkRange((visibleArea) => {
      // A gap in the view must not be painted, so update at once; a used-up buffer has time.
      const hasGap = !coversView(this.#edges, this.#range, visibleArea.top, visibleArea.height, 0, ROWS_MAX);
      if (hasGap) flushSync(() => this.#draw(visibleArea));
      else this.#draw(visibleArea);
    });

  /** Calls `draw` with the visible area if other rows have to be mounted for it. */
  #checkRange(draw: (visibleArea: VisibleArea) => void): void {
    const visibleArea = this.#visibleArea();
    if (
      visibleArea === null ||
      coversView(this.#edges, this.#range, visibleArea.top, visibleArea.height, BUFFER_PX / 2, ROWS_MAX)
    )
      return;
    const { first, end } = rowsToMount(this.#edges, visibleArea);
    if (first !== this.#range.first || end !== this.#range.end) draw(visibleArea);
  }

  #visibleArea(): VisibleArea | null {
    const [scroller, canvas] = [this.#scroller, this.#canvas];
    if (scroller === null || canvas === null) return null;
    const top =
      scroller.getBoundingClientRect().top + scroller.clientTop - canvas.getBoundingClientRect().top;
    return { top, height: scroller.clientHeight };
  }
}

function isScrollable(element: HTMLElement): boolean {
  return ["auto", "scroll"].includes(getComputedStyle(element).overflowY);
}
