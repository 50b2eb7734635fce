import type { OpeningPosition } from "@parley/core/chats/history";
import type { TimelineRow } from "@parley/core/model/chats/timeline";
import { rowsAround, type RowRange } from "../../../ui/row-range.ts";
import { RowHeights } from "./row-heights.ts";

/** Within this distance from the end the view follows new messages. */
const BOTTOM_PX = 48;
/** Rows are mounted this far outside the view, so that scrolling shows no gap. */
export const OVERSCAN_PX = 800;
/** At most this many rows are mounted, even if they are very low (UI5). */
export const ROWS_MAX = 100;
/** Where the unread divider is placed when a chat opens, as a fraction of the view's height. */
export const DIVIDER_POSITION = 0.25;

/** What determines the scroll position. */
type ScrollTarget =
  /** The end of all rows. */
  | { readonly kind: "end" }
  /** A row at a fraction of the view's height, until it is reached. `isWhole`: use the end instead if all rows from this one on fit. */
  | { readonly kind: "row"; readonly key: string; readonly fraction: number; readonly isWhole: boolean }
  /** Visible rows at their current positions. The first one that still exists is used. */
  | { readonly kind: "rows"; readonly anchors: readonly ScrollAnchor[] };

const END_TARGET: ScrollTarget = { kind: "end" };

/** The rows of the timeline and where they come from. */
export interface TimelineContent {
  readonly rows: readonly TimelineRow[];
  /** The last row is the newest of the chat, so the view may follow the end. */
  readonly isEnd: boolean;
  /** New rows came by a pull. If the person has not scrolled yet, the view moves to the unread divider. */
  readonly isPulled: boolean;
  /** `newest`: the view begins at the end, and not at the unread divider. */
  readonly openAt: OpeningPosition;
}

/** What is in view now. */
export interface VisiblePart {
  /** The visible messages, the best anchor first. */
  readonly anchors: readonly ScrollAnchor[];
  /** The distance from the top of the first row to the top of the view. */
  readonly top: number;
  /** Pixels below the view. */
  readonly below: number;
}

/**
 * Decides where the view of a conversation is and which rows it needs (interface §6, §7). There is one target. Only new rows, scrolling
 * by the person and calls change it. Nothing here touches the page: positions are passed in.
 */
export class ScrollPosition {
  readonly heights = new RowHeights();
  #rows: readonly TimelineRow[] = [];
  #isEnd = true;
  #target: ScrollTarget = END_TARGET;
  #isFollowing = true;
  /** The person has scrolled, sent a message or jumped somewhere. */
  #hasUserMoved = false;
  /** The target to use as soon as its row exists. */
  #pendingTarget: { matches: (row: TimelineRow) => boolean; fraction: number } | "end" | null = null;

  /** The view stays at the end when messages arrive. */
  get isFollowing(): boolean {
    return this.#isFollowing;
  }

  get targetKind(): ScrollTarget["kind"] {
    return this.#target.kind;
  }

  /** Sets the rows. Returns whether they are others than before. `visible` is called only if the visible rows have to be kept. */
  setRows({ rows, isEnd, isPulled, openAt }: TimelineContent, visible: () => VisiblePart): boolean {
    const before = this.#rows;
    if (rows === before && isEnd === this.#isEnd) return false;
    this.#isEnd = isEnd;
    // The last row is no longer the end of the chat, so keep the visible rows in place.
    if (this.#target === END_TARGET && !isEnd && before.length > 0) this.keepVisible(visible());
    const isLonger = rows.at(-1)?.key !== before.at(-1)?.key;
    this.#rows = rows;
    this.heights.setRows(rows);
    if (isEnd && isLonger && this.#isFollowing && before.length > 0) this.#target = END_TARGET;
    const isOpening = before.length === 0 || (isPulled && !this.#hasUserMoved && !before.some(isDivider));
    const divider = isOpening && openAt === "firstUnread" ? rows.find(isDivider) : undefined;
    if (divider !== undefined) this.#targetRow(divider.key, DIVIDER_POSITION, true);
    this.#resolvePendingTarget();
    if (this.#target.kind !== "end" && this.anchor(0) === undefined) {
      // No visible row is left: another part of the chat was loaded, or the history was cleared.
      const [first] = rows;
      if (isEnd || first === undefined) this.#target = END_TARGET;
      else this.#targetRow(first.key, 0);
    }
    return true;
  }

  /** Targets the end of the chat and follows it. Returns whether it is loaded; if not, it is targeted as soon as it is. */
  targetEnd(): boolean {
    this.#hasUserMoved = true;
    this.#pendingTarget = "end";
    this.#resolvePendingTarget();
    return this.#isEnd;
  }

  /** Targets a row at this fraction of the view's height. */
  targetRow(key: string, fraction: number): void {
    this.#hasUserMoved = true;
    this.#targetRow(key, fraction);
  }

  /** Targets the first matching row, now or as soon as there is one. */
  targetFirst(matches: (row: TimelineRow) => boolean, fraction: number): void {
    this.#hasUserMoved = true;
    this.#pendingTarget = { matches, fraction };
    this.#resolvePendingTarget();
  }

  /** Forgets a target that waits for its row. */
  cancelPending(): void {
    this.#pendingTarget = null;
  }

  /** The person has scrolled: keeps what is visible now. */
  userScrolled(visible: VisiblePart): void {
    this.#hasUserMoved = true;
    this.keepVisible(visible);
  }

  /** Keeps the rows in place that are visible now, or follows the end if it is visible. */
  keepVisible({ anchors, top, below }: VisiblePart): void {
    this.#isFollowing = this.#isEnd && below <= BOTTOM_PX;
    if (this.#isEnd && below <= 1) this.#target = END_TARGET;
    else if (anchors.length > 0) this.#target = { kind: "rows", anchors };
    else this.#target = this.#rowAt(top);
  }

  /**
   * The view was found at `to` after it had been left at `from`: a smooth scroll may have moved further than its last event said. Adopts
   * that instead of undoing it. `max` is the greatest scroll position.
   */
  adoptScroll(from: number, to: number, max: number): void {
    const distance = to - from;
    // The browser moved the view up because the content became shorter.
    const isClamped = distance < 0 && to >= max - 1;
    if (this.#target.kind !== "rows" || Math.abs(distance) < 1 || isClamped) return;
    this.#target = {
      kind: "rows",
      anchors: this.#target.anchors.map(({ key, y }) => ({ key, y: y - distance })),
    };
  }

  /** Targets the end instead of a row if all rows from that row on are in `measured` and fit into the view. */
  preferEnd(measured: RowRange, { top, below }: Pick<VisiblePart, "top" | "below">): void {
    const target = this.#target;
    if (target.kind !== "row" || !target.isWhole || !this.#isEnd) return;
    const index = this.heights.indexOf(target.key);
    if (index < measured.first || measured.end < this.heights.count) return;
    if (below > this.heights.edge(index) - top) return;
    this.#target = END_TARGET;
    this.#isFollowing = true;
  }

  /** The row that determines the scroll position and its distance from the top of the view; undefined if that is the end. */
  anchor(viewHeight: number): { key: string; index: number; y: number } | undefined {
    const target = this.#target;
    if (target.kind === "end") return undefined;
    const anchors =
      target.kind === "rows"
        ? target.anchors
        : [{ key: target.key, y: Math.round(viewHeight * target.fraction) }];
    for (const { key, y } of anchors) {
      const index = this.heights.indexOf(key);
      if (index >= 0) return { key, index, y };
    }
    return undefined;
  }

  /** The rows to mount for a view of this height at the target. */
  rangeAtTarget(viewHeight: number): RowRange {
    const end = this.heights.edge(this.heights.count) - viewHeight;
    const anchor = this.anchor(viewHeight);
    const top = anchor === undefined ? end : this.heights.edge(anchor.index) - anchor.y;
    return rowsAround(this.heights, Math.max(0, Math.min(top, end)), viewHeight, OVERSCAN_PX, ROWS_MAX);
  }

  /** The rows to mount for a smooth scroll from this distance to the end. */
  rangeToEnd(top: number): RowRange {
    const height = this.heights.edge(this.heights.count) - top;
    return rowsAround(this.heights, top, height, OVERSCAN_PX, ROWS_MAX);
  }

  /** Keeps the row at this distance in place, which is not mounted. */
  #rowAt(top: number): ScrollTarget {
    const index = this.heights.indexAt(top);
    const key = this.heights.keyAt(index);
    return key === undefined
      ? END_TARGET
      : { kind: "rows", anchors: [{ key, y: this.heights.edge(index) - top }] };
  }

  #targetRow(key: string, fraction: number, isWhole = false): void {
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
}

function isDivider(row: TimelineRow): boolean {
  return row.kind === "unread";
}

/** A row, and the distance of its message from the top of the view. */
interface ScrollAnchor {
  readonly key: string;
  readonly y: number;
}

/** The message inside a row. The gap above it depends on the row before and may change, while the message must not move. */
function bodyOf(row: Element): Element {
  return row.querySelector("[data-key]") ?? row;
}

/** The distance of a mounted row's message from the top of the view. */
export function offsetInView(scroller: Element, row: Element): number {
  return bodyOf(row).getBoundingClientRect().top - scroller.getBoundingClientRect().top;
}

/** The visible messages of the mounted rows, the best anchor first. */
export function findAnchors(scroller: Element, rows: Iterable<readonly [string, Element]>): ScrollAnchor[] {
  const view = scroller.getBoundingClientRect();
  const bodies = Array.from(rows, ([key, row]) => {
    const body = bodyOf(row);
    const { top, bottom } = body.getBoundingClientRect();
    return { key, top: top - view.top, bottom: bottom - view.top, isMessage: body !== row };
  });
  return orderAnchors(bodies, view.height);
}

/** The distances of a row's message, or of a row without a message, from the top of the view. */
interface RowBody {
  readonly key: string;
  readonly top: number;
  readonly bottom: number;
  readonly isMessage: boolean;
}

/**
 * The visible messages, which must not move when something above them changes: first those that begin in view, then one that begins
 * above it. There are several in case one is removed. Rows without a message (times, dividers) come last, because they are often removed.
 */
export function orderAnchors(bodies: readonly RowBody[], viewHeight: number): ScrollAnchor[] {
  const [fullyVisible, cutAtTop, rowsWithoutMessage]: [ScrollAnchor[], ScrollAnchor[], ScrollAnchor[]] = [
    [],
    [],
    [],
  ];
  for (const { key, top, bottom, isMessage } of bodies) {
    if (bottom <= 0 || top >= viewHeight) continue;
    (!isMessage ? rowsWithoutMessage : top >= 0 ? fullyVisible : cutAtTop).push({ key, y: top });
  }
  return [...fullyVisible.toSorted((a, b) => a.y - b.y), ...cutAtTop, ...rowsWithoutMessage];
}
