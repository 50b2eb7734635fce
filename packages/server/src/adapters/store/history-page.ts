import { MessageType } from "@parley/protocol/codes";
import type { HistoryPage } from "../../ports/stored-message.ts";

/** Types that are stored as messages but never shown. */
export const CHANGE_EVENT_TYPES = [MessageType.EDIT, MessageType.RECALL];

/** A range of ids; both ends are included. */
export interface IdRange {
  from: number;
  to: number;
}

/** Reads the rows of one chat that its reader may see. */
export interface PageSource<Row> {
  /** The ranges in which the reader sees messages, ascending. */
  ranges: readonly IdRange[];
  /** Rows of the range, newest first, without the first `skip`. */
  down(range: IdRange, limit: number, skip: number): Promise<Row[]>;
  /** Rows of the range, oldest first. */
  up(range: IdRange, limit: number): Promise<Row[]>;
  /** Number of rows in the range; only needed for chats with several ranges. */
  count?(range: IdRange): Promise<number>;
  /** The id of the first message at or after a time. */
  firstIdAt(time: number): Promise<number>;
}

/** Reads one page of a chat's history. */
export async function historyPage<Row>(chat: PageSource<Row>, page: HistoryPage): Promise<Row[]> {
  switch (page.from) {
    case "newest":
      return before(chat, Number.MAX_SAFE_INTEGER, page.size);
    case "before":
      return before(chat, page.id - 1, page.size);
    case "after":
      return after(chat, page.id + 1, page.size);
    case "around":
      return around(chat, page.id, page.size);
    case "time":
      return around(chat, await chat.firstIdAt(page.at), page.size);
    case "page":
      return before(chat, Number.MAX_SAFE_INTEGER, page.size, (page.page - 1) * page.size);
  }
}

/** Reads the messages of one chat without edits and recalls. */
export interface DaySource {
  /** As in `PageSource`. */
  ranges: readonly IdRange[];
  newestMessage(range: IdRange): Promise<{ id: number; sendTime: number } | undefined>;
  /** As in `PageSource`; `upTo` limits the search to older ids. */
  firstIdAt(time: number, upTo?: number): Promise<number>;
}

/** Returns the starts of the days that have a message. The last entry of `starts` is the end of the last day. Only days with messages cost a query. */
export async function daysWithMessages(chat: DaySource, starts: readonly number[]): Promise<number[]> {
  const [first = 0] = starts;
  const days: number[] = [];
  let upTo = (await chat.firstIdAt(starts.at(-1) ?? 0)) - 1;
  for (const { from, to } of [...chat.ranges].reverse()) {
    for (upTo = Math.min(upTo, to); upTo >= from;) {
      const message = await chat.newestMessage({ from, to: upTo });
      if (message === undefined) break;
      if (message.sendTime < first) return days.reverse();
      const dayStart = starts.findLast((start) => start <= message.sendTime) ?? first;
      days.push(dayStart);
      upTo = (await chat.firstIdAt(dayStart, message.id)) - 1;
    }
  }
  return days.reverse();
}

/** A page around `id`: half of the rows are older, ascending. */
async function around<Row>(chat: PageSource<Row>, id: number, size: number): Promise<Row[]> {
  const half = Math.floor(size / 2);
  const older = half === 0 ? [] : (await before(chat, id - 1, half)).reverse();
  return [...older, ...(await after(chat, id, size - half))];
}

async function before<Row>(chat: PageSource<Row>, upTo: number, size: number, skip = 0): Promise<Row[]> {
  const rows: Row[] = [];
  let remainingSkip = skip;
  for (const { from, to } of [...chat.ranges].reverse()) {
    const range = { from, to: Math.min(to, upTo) };
    if (range.from > range.to) continue;
    rows.push(...(await chat.down(range, size - rows.length, remainingSkip)));
    if (rows.length >= size) break;
    // Only older clients, which ask for pages by number, skip rows.
    if (remainingSkip > 0) remainingSkip = Math.max(0, remainingSkip - ((await chat.count?.(range)) ?? 0));
  }
  return rows;
}

async function after<Row>(chat: PageSource<Row>, fromId: number, size: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { from, to } of chat.ranges) {
    const range = { from: Math.max(from, fromId), to };
    if (range.from > range.to) continue;
    rows.push(...(await chat.up(range, size - rows.length)));
    if (rows.length >= size) break;
  }
  return rows;
}
