import { MessageType } from "@parley/protocol/codes";
import type { HistoryPage } from "../../ports/store.ts";

/** Stored as messages, and shown as none. */
export const CHANGE_EVENT_TYPES = [MessageType.EDIT, MessageType.RECALL];

/** Ids, both ends included. */
export interface IdRange {
  from: number;
  to: number;
}

/** Rows of one chat inside a range, as far as its reader sees them. */
export interface PageSource<Row> {
  /** Where its reader sees anything at all, ascending. */
  ranges: readonly IdRange[];
  /** The newest first, without the first `skip`. */
  down(range: IdRange, limit: number, skip: number): Promise<Row[]>;
  up(range: IdRange, limit: number): Promise<Row[]>;
  /** For chats of several ranges. */
  count?(range: IdRange): Promise<number>;
  /** The id of the first message at or after a time. */
  firstIdAt(time: number): Promise<number>;
}

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

/** Rows of one chat that are messages by themselves: edits and recalls change others. */
export interface DaySource {
  ranges: readonly IdRange[];
  newestMessage(range: IdRange): Promise<{ id: number; sendTime: number } | undefined>;
  /** As in a chat that is paged; up to an id. */
  firstIdAt(time: number, upTo?: number): Promise<number>;
}

/** Of days that begin at these times, the last one being an end: those with a message. Each costs one look, those without none. */
export async function daysWithMessages(chat: DaySource, starts: readonly number[]): Promise<number[]> {
  const [first = 0] = starts;
  const found: number[] = [];
  let upTo = (await chat.firstIdAt(starts.at(-1) ?? 0)) - 1;
  for (const { from, to } of [...chat.ranges].reverse()) {
    for (upTo = Math.min(upTo, to); upTo >= from;) {
      const message = await chat.newestMessage({ from, to: upTo });
      if (message === undefined) break;
      if (message.sendTime < first) return found.reverse();
      const day = starts.findLast((start) => start <= message.sendTime) ?? first;
      found.push(day);
      upTo = (await chat.firstIdAt(day, message.id)) - 1;
    }
  }
  return found.reverse();
}

/** Half of them before `id`, ascending. */
async function around<Row>(chat: PageSource<Row>, id: number, size: number): Promise<Row[]> {
  const half = Math.floor(size / 2);
  const older = half === 0 ? [] : (await before(chat, id - 1, half)).reverse();
  return [...older, ...(await after(chat, id, size - half))];
}

async function before<Row>(chat: PageSource<Row>, upTo: number, size: number, skip = 0): Promise<Row[]> {
  const rows: Row[] = [];
  let left = skip;
  for (const { from, to } of [...chat.ranges].reverse()) {
    const range = { from, to: Math.min(to, upTo) };
    if (range.from > range.to) continue;
    rows.push(...(await chat.down(range, size - rows.length, left)));
    if (rows.length >= size) break;
    // Older clients count pages; they are the only ones that skip rows.
    if (left > 0) left = Math.max(0, left - ((await chat.count?.(range)) ?? 0));
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
