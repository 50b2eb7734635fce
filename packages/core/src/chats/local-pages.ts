import { joinPages, type MessagePage, outerId, rangeOfRows, type Side } from "../model/chats/message-page.ts";
import { rangeAt, rangeBelow } from "../model/chats/known-ranges.ts";
import type { ChatSync, ChatKey, ChatMessage } from "../model/state.ts";
import { evictionMark } from "../model/schemas.ts";
import { evictionMarkKey } from "./eviction.ts";
import type { PageDeps, ServerPages } from "./server-pages.ts";

/** A page around a message. */
interface AroundPage extends MessagePage {
  /** Whether each side has as much as a page can hold, or all there is: the server could not send more. */
  readonly isFull: boolean;
}

/** Pages of messages in the local database; null where it has no known range. */
export interface LocalPages {
  /** Messages below an id, or from an id on. */
  page(key: ChatKey, side: Side, edge: number): Promise<MessagePage | null>;
  around(key: ChatKey, id: number): Promise<AroundPage | null>;
  /** The id of the first message at or after a time, else of the last one; null when that part is not in the local database. */
  idAt(key: ChatKey, time: number): Promise<number | null>;
}

/** Creates the pages of the local database. */
export function createLocalPages(
  { database, chatStore, pageSize: size }: PageDeps,
  { hasHistory }: Pick<ServerPages, "hasHistory">,
): LocalPages {
  const { chatOf } = chatStore;
  const idOf = (message: ChatMessage | undefined) => message?.id ?? Infinity;

  /** The sync state after a read. During the read an eviction may have run, also in a tab whose message did not arrive here. */
  async function currentSync(key: ChatKey): Promise<ChatSync | null> {
    const { data: mark } = evictionMark.safeParse(await database.value(evictionMarkKey(key)));
    if (mark !== undefined && mark.at > (chatOf(key)?.sync.evictedAt ?? 0))
      chatStore.dispatch([{ kind: "evict", key, ...mark }]);
    return database.isUsable() ? (chatOf(key)?.sync ?? null) : null;
  }

  async function page(key: ChatKey, side: Side, edge: number): Promise<MessagePage | null> {
    const isOlder = side === "older";
    const rangeIn = (sync: ChatSync) => (isOlder ? rangeBelow(sync, edge) : rangeAt(sync, edge));
    const syncBefore = chatOf(key)?.sync;
    // What only the server has is not looked for.
    if (syncBefore === undefined || rangeIn(syncBefore) === null) return null;
    const rows = await (isOlder
      ? database.messagesBefore(key, edge, size)
      : database.messagesAfter(key, edge - 1, size));
    const sync = await currentSync(key);
    const range = sync && rangeIn(sync);
    if (range === null) return null;
    const messages = rows.filter((message) => range.from <= idOf(message) && idOf(message) < range.to);
    const end = isOlder && !hasHistory(key) ? 0 : outerId(range, side);
    return { messages, ...rangeOfRows(messages, { side, edge, size }, end), isFromServer: false };
  }

  async function around(key: ChatKey, id: number): Promise<AroundPage | null> {
    const before = await page(key, "older", id);
    const after = await page(key, "newer", id);
    if (after === null) return null;
    const joined = before === null ? after : joinPages(after, before);
    if (joined.messages.length === 0) return null;
    const isStart = joined.from === 0 || before?.messages.length === size;
    return { ...joined, isFull: isStart && (joined.to === Infinity || after.messages.length === size) };
  }

  /** Ids between which the first message at or after a time is, if a known range has it. One read for each range after that time. */
  async function boundsOf(key: ChatKey, time: number): Promise<{ low: number; high: number } | null> {
    const sync = chatOf(key)?.sync;
    if (sync === undefined) return null;
    const newestEnd = (sync.newest?.id ?? 0) + 1;
    for (const { from, to } of [...sync.olderRanges, { from: sync.knownFrom, to: newestEnd }].toReversed()) {
      const [first] = await database.messagesAfter(key, from - 1, 1);
      if (first === undefined || idOf(first) >= to) continue;
      if (first.sendTime < time) return { low: idOf(first), high: to };
      if (from === 0) return { low: idOf(first), high: idOf(first) };
    }
    return null;
  }

  async function idAt(key: ChatKey, time: number): Promise<number | null> {
    // The search takes as many steps as the chat has digits, so it must not begin for what only the server has.
    const bounds = await boundsOf(key, time);
    if (bounds === null) return null;
    let { low, high } = bounds;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const [row] = await database.messagesAfter(key, middle - 1, 1);
      if (row === undefined || row.sendTime >= time) high = middle;
      else low = idOf(row) + 1;
    }
    const [before] = await database.messagesBefore(key, low, 1);
    const [found] = await database.messagesAfter(key, low - 1, 1);
    const sync = await currentSync(key);
    const range = sync && rangeBelow(sync, idOf(found));
    // The message before it must be in the same range, or an earlier one may be missing between them.
    const isNeighbourKnown =
      range !== null && (before === undefined ? range.from === 0 : range.from <= idOf(before));
    return isNeighbourKnown ? ((found ?? before)?.id ?? null) : null;
  }

  return { page, around, idAt };
}
