import type { ChatMessage, IdRange } from "../state.ts";

/** All messages from id `from` up to, not including, `to`, ascending. */
export interface MessagePage extends IdRange {
  readonly messages: readonly ChatMessage[];
  /** Pages from the server have no time tips yet and have to be saved. */
  readonly isFromServer: boolean;
}

/** A direction in a chat, seen from the window. */
export type Side = "older" | "newer";

/** Where to go in a chat: to a message or to a time in epoch ms. */
export type JumpTarget = { readonly id: number } | { readonly time: number };

/** A stored row, also one that shows nothing, such as an edit. */
interface Row {
  readonly id: number | null;
  readonly sendTime: number;
}

/** Which rows were requested: at most `size`, on one side of the id `edge`, which belongs to the newer side. */
export interface PageRequest {
  readonly side: Side;
  readonly edge: number;
  readonly size: number;
}

/** The page with nothing at the end of a chat. */
export const EMPTY_PAGE: MessagePage = { messages: [], from: Infinity, to: Infinity, isFromServer: false };

/** The range that the answer to a request covers: a full answer ends with its outermost row, a shorter one at `end`. */
export function rangeOfRows(rows: readonly Row[], { side, edge, size }: PageRequest, end: number): IdRange {
  const outermost = (side === "older" ? rows[0] : rows.at(-1))?.id ?? null;
  if (rows.length < size || outermost === null) return between(edge, end);
  return between(edge, side === "older" ? outermost : outermost + 1);
}

/** The range that rows around a target cover, of `size` that were requested; null without rows. */
export function rangeAround(rows: readonly Row[], to: JumpTarget, size: number): IdRange | null {
  const [first] = rows;
  const last = rows.at(-1);
  if (first === undefined || last === undefined) return null;
  let isStart: boolean;
  let isEnd: boolean;
  if ("id" in to) {
    const olderCount = rows.filter(({ id }) => (id ?? 0) < to.id).length;
    isStart = olderCount < size / 2;
    isEnd = rows.length - olderCount < size / 2;
  } else {
    // Only an empty half proves an end: the server finds the position by its own clock.
    isStart = first.sendTime >= to.time;
    isEnd = last.sendTime < to.time;
  }
  return { from: isStart ? 0 : (first.id ?? 0), to: isEnd ? Infinity : (last.id ?? 0) + 1 };
}

/** The end of a range on one side. */
export function outerId({ from, to }: IdRange, side: Side): number {
  return side === "older" ? from : to;
}

/** Whether there is nothing more on this side. */
export function isEnd(range: IdRange, side: Side): boolean {
  return outerId(range, side) === endOf(side);
}

/** The end of the chat on one side. */
export function endOf(side: Side): number {
  return side === "older" ? 0 : Infinity;
}

/** Joins two adjacent pages. */
export function joinPages(loaded: MessagePage, read: MessagePage): MessagePage {
  const messages =
    read.from < loaded.from ? [...read.messages, ...loaded.messages] : [...loaded.messages, ...read.messages];
  return {
    messages,
    from: Math.min(loaded.from, read.from),
    to: Math.max(loaded.to, read.to),
    isFromServer: read.isFromServer,
  };
}

/** For a page during whose loading a pull left rows out: ends it at its last message, since newer ones may be missing. */
export function withKnownEnd(page: MessagePage): MessagePage {
  if (page.to !== Infinity || !page.isFromServer) return page;
  return { ...page, to: (page.messages.at(-1)?.id ?? page.from - 1) + 1 };
}

function between(a: number, b: number): IdRange {
  return { from: Math.min(a, b), to: Math.max(a, b) };
}
