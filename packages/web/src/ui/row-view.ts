import { flushSync } from "react-dom";
import { type RowEdges, type RowRange, covers, edgesOf, rowsAround, topToSee } from "./row-range.ts";

/** Rows are mounted this far outside the view; others come when half of it is used up. */
const BUFFER_PX = 400;
const ROWS_MAX = 60;

/** What is seen of the rows: pixels below the first one's upper edge. */
export interface Seen {
  readonly top: number;
  readonly height: number;
}

/** The rows to mount for what is seen. */
export function rowsToMount(edges: RowEdges, { top, height }: Seen): RowRange {
  const last = edges.edge(edges.count) - height;
  return rowsAround(edges, Math.max(0, Math.min(top, last)), height, BUFFER_PX, ROWS_MAX);
}

/** Looks at the scroller around a list of rows, and says when others have to be mounted than those that are. */
export class RowView {
  #canvas: HTMLElement | null = null;
  #scroller: HTMLElement | null = null;
  #edges = edgesOf(0, () => 0);
  #range: RowRange = { first: 0, end: 0 };
  #draw: (seen: Seen) => void = () => {};
  readonly #sizes = new ResizeObserver(() => this.#changed());

  readonly setCanvas = (canvas: HTMLElement | null) => {
    if (canvas === null) return;
    this.#canvas = canvas;
    // Whatever grows or shrinks on the way moves the rows as scrolling does.
    let around = canvas.parentElement;
    for (; around !== null && !scrolls(around); around = around.parentElement) this.#sizes.observe(around);
    const scroller = around ?? document.documentElement;
    this.#scroller = scroller;
    this.#sizes.observe(scroller);
    scroller.addEventListener("scroll", this.#changed, { passive: true });
    return () => {
      scroller.removeEventListener("scroll", this.#changed);
      this.#sizes.disconnect();
      this.#canvas = this.#scroller = null;
    };
  };

  /** After a commit: these rows are mounted. */
  show(edges: RowEdges, range: RowRange, draw: (seen: Seen) => void): void {
    this.#edges = edges;
    this.#range = range;
    this.#draw = draw;
    this.#look((seen) => draw(seen));
  }

  /** Scrolls no further than it takes to see a row whole. */
  reveal(row: number): void {
    const [scroller, seen] = [this.#scroller, this.#seen()];
    if (scroller === null || seen === null) return;
    scroller.scrollTop += topToSee(this.#edges, row, seen.top, seen.height) - seen.top;
    this.#look(this.#draw);
  }

  /** Scrolls until a row is the first one seen, or there is no more to scroll. */
  scrollTo(row: number): void {
    const [scroller, seen] = [this.#scroller, this.#seen()];
    if (scroller === null || seen === null) return;
    scroller.scrollTop += this.#edges.edge(row) - seen.top;
    this.#look(this.#draw);
  }

  /** Rows to go by a Page key: those that fit, less one, so that one sees where one was. */
  pageSize(): number {
    const { count } = this.#edges;
    const rowHeight = this.#edges.edge(count) / Math.max(1, count);
    return Math.max(1, Math.floor((this.#seen()?.height ?? 0) / Math.max(1, rowHeight)) - 1);
  }

  readonly #changed = () =>
    this.#look((seen) => {
      // A hole must not be painted; what is only close to one has time.
      const isHole = !covers(this.#edges, this.#range, seen.top, seen.height, 0, ROWS_MAX);
      if (isHole) flushSync(() => this.#draw(seen));
      else this.#draw(seen);
    });

  /** Says what is seen if other rows have to be mounted for it. */
  #look(say: (seen: Seen) => void): void {
    const seen = this.#seen();
    if (seen === null || covers(this.#edges, this.#range, seen.top, seen.height, BUFFER_PX / 2, ROWS_MAX))
      return;
    const { first, end } = rowsToMount(this.#edges, seen);
    if (first !== this.#range.first || end !== this.#range.end) say(seen);
  }

  #seen(): Seen | null {
    const [scroller, canvas] = [this.#scroller, this.#canvas];
    if (scroller === null || canvas === null) return null;
    const top =
      scroller.getBoundingClientRect().top + scroller.clientTop - canvas.getBoundingClientRect().top;
    return { top, height: scroller.clientHeight };
  }
}

function scrolls(element: HTMLElement): boolean {
  return ["auto", "scroll"].includes(getComputedStyle(element).overflowY);
}
