import { flushSync } from "react-dom";
import {
  type RowEdges,
  type RowRange,
  coversView,
  edgesOf,
  rowsAround,
  scrollTopToReveal,
} from "./row-range.ts";

/** Rows are mounted this far outside the view; others come when half of it is used up. */
const BUFFER_PX = 400;
const ROWS_MAX = 60;

/** What is seen of the rows: pixels below the first one's upper edge. */
export interface VisibleArea {
  readonly top: number;
  readonly height: number;
}

/** The rows to mount for what is seen. */
export function rowsToMount(edges: RowEdges, { top, height }: VisibleArea): RowRange {
  const last = edges.edge(edges.count) - height;
  return rowsAround(edges, Math.max(0, Math.min(top, last)), height, BUFFER_PX, ROWS_MAX);
}

/** Looks at the scroller around a list of rows, and says when others have to be mounted than those that are. */
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
    // Whatever grows or shrinks on the way moves the rows as scrolling does.
    let around = canvas.parentElement;
    for (; around !== null && !isScrollable(around); around = around.parentElement)
      this.#resizeObserver.observe(around);
    const scroller = around ?? document.documentElement;
    this.#scroller = scroller;
    this.#resizeObserver.observe(scroller);
    scroller.addEventListener("scroll", this.#handleChange, { passive: true });
    return () => {
      scroller.removeEventListener("scroll", this.#handleChange);
      this.#resizeObserver.disconnect();
      this.#canvas = this.#scroller = null;
    };
  };

  /** After a commit: these rows are mounted. */
  update(edges: RowEdges, range: RowRange, draw: (visibleArea: VisibleArea) => void): void {
    this.#edges = edges;
    this.#range = range;
    this.#draw = draw;
    this.#checkRange((visibleArea) => draw(visibleArea));
  }

  /** Scrolls no further than it takes to see a row whole. */
  reveal(row: number): void {
    const [scroller, visibleArea] = [this.#scroller, this.#visibleArea()];
    if (scroller === null || visibleArea === null) return;
    scroller.scrollTop +=
      scrollTopToReveal(this.#edges, row, visibleArea.top, visibleArea.height) - visibleArea.top;
    this.#checkRange(this.#draw);
  }

  /** Scrolls until a row is the first one seen, or there is no more to scroll. */
  scrollTo(row: number): void {
    const [scroller, visibleArea] = [this.#scroller, this.#visibleArea()];
    if (scroller === null || visibleArea === null) return;
    scroller.scrollTop += this.#edges.edge(row) - visibleArea.top;
    this.#checkRange(this.#draw);
  }

  /** Rows to go by a Page key: those that fit, less one, so that one sees where one was. */
  pageSize(): number {
    const { count } = this.#edges;
    const rowHeight = this.#edges.edge(count) / Math.max(1, count);
    return Math.max(1, Math.floor((this.#visibleArea()?.height ?? 0) / Math.max(1, rowHeight)) - 1);
  }

  readonly #handleChange = () =>
    this.#checkRange((visibleArea) => {
      // A hole must not be painted; what is only close to one has time.
      const isHole = !coversView(this.#edges, this.#range, visibleArea.top, visibleArea.height, 0, ROWS_MAX);
      if (isHole) flushSync(() => this.#draw(visibleArea));
      else this.#draw(visibleArea);
    });

  /** Says what is seen if other rows have to be mounted for it. */
  #checkRange(say: (visibleArea: VisibleArea) => void): void {
    const visibleArea = this.#visibleArea();
    if (
      visibleArea === null ||
      coversView(this.#edges, this.#range, visibleArea.top, visibleArea.height, BUFFER_PX / 2, ROWS_MAX)
    )
      return;
    const { first, end } = rowsToMount(this.#edges, visibleArea);
    if (first !== this.#range.first || end !== this.#range.end) say(visibleArea);
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
