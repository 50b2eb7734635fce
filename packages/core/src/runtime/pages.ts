import { ChatType } from "@parley/protocol/codes";
import { HISTORY_PAGE_MAX } from "@parley/protocol/limits";
import { readTalk } from "../model/incoming.ts";
import type { Page } from "../model/page.ts";
import { spanAt, spanBelow } from "../model/spans.ts";
import type { Chat, ChatBook, ChatKey, ChatMessage, Failure } from "../model/state.ts";
import type { Api } from "./api.ts";
import type { Desk } from "./desk.ts";
import type { Disk } from "./persist.ts";
import type { Store } from "./store.ts";
import { type HistoryQuery, talkIn, type TalkRow } from "./talk-calls.ts";
import { isTrimMark, trimMarkOf } from "./tidy.ts";

/** Messages asked for at once, in one direction. */
export const PAGE_SIZE = HISTORY_PAGE_MAX / 2;

/** Pages of a chat. null: the disk has nothing there without holes; the server did not answer, or has no history of this kind of chat. */
export interface Pages {
  diskBelow(key: ChatKey, id: number): Promise<Page | null>;
  diskFrom(key: ChatKey, id: number): Promise<Page | null>;
  diskAround(key: ChatKey, id: number): Promise<AroundPage | null>;
  /** Id of the first message from a time on, else of the last one; null when that part is not on disk. */
  diskIdAt(key: ChatKey, time: number): Promise<number | null>;
  serverBelow(key: ChatKey, id: number): Promise<Page | null>;
  serverFrom(key: ChatKey, id: number): Promise<Page | null>;
  serverAround(key: ChatKey, to: { aroundId: number } | { at: number }): Promise<Page | null>;
  /** Whether there is anything to ask the server for. */
  isOnServer(key: ChatKey): boolean;
}

export interface AroundPage extends Page {
  /** As much on each side as a page has, or all there is: the server could not tell more. */
  readonly isFull: boolean;
}

export interface PagesDeps {
  api: Api;
  store: Store;
  disk: Disk;
  desk: Desk;
  me(): number;
  /** Small ones, in tests, meet more ends. */
  pageSize: number;
}

export function createPages({ api, store, disk, desk, me, pageSize }: PagesDeps): Pages {
  const find = (key: ChatKey): Chat | undefined => store.get().chats.byKey[key];
  const idOf = (message: ChatMessage | undefined) => message?.id ?? Infinity;

  /** The system chat has nothing on the server beyond its pull. */
  const isOnServer = (key: ChatKey) => find(key) !== undefined && talkIn(api, key) !== null;

  /** What is known now, after a read: the disk may have been trimmed meanwhile, also by a tab that this one has not heard. */
  async function bookOf(key: ChatKey): Promise<ChatBook | null> {
    const mark = await disk.value(trimMarkOf(key));
    if (isTrimMark(mark) && mark.at > (find(key)?.book.trimmedAt ?? 0))
      desk.apply([{ kind: "trim", key, below: mark.below, at: mark.at }]);
    return disk.isUsable() ? (find(key)?.book ?? null) : null;
  }

  async function diskBelow(key: ChatKey, id: number): Promise<Page | null> {
    const rows = await disk.messagesBefore(key, id, pageSize);
    const known = await bookOf(key);
    const span = known && spanBelow(known, id);
    if (span === null) return null;
    const messages = rows.filter((message) => idOf(message) >= span.from);
    return { messages, from: startOf(key, messages, span.from), to: id, isFresh: false };
  }

  /** A full page begins with its first message, another one where the known part does. */
  function startOf(key: ChatKey, messages: readonly ChatMessage[], from: number): number {
    if (messages.length >= pageSize) return idOf(messages[0]);
    return isOnServer(key) ? from : 0;
  }

  async function diskFrom(key: ChatKey, id: number): Promise<Page | null> {
    const rows = await disk.messagesAfter(key, id - 1, pageSize);
    const known = await bookOf(key);
    const span = known && spanAt(known, id);
    if (span === null) return null;
    const messages = rows.filter((message) => idOf(message) < span.to);
    const to = messages.length >= pageSize ? idOf(messages.at(-1)) + 1 : span.to;
    return { messages, from: id, to, isFresh: false };
  }

  async function diskAround(key: ChatKey, id: number): Promise<AroundPage | null> {
    const before = await diskBelow(key, id);
    const after = await diskFrom(key, id);
    if (after === null) return null;
    const messages = [...(before?.messages ?? []), ...after.messages];
    if (messages.length === 0) return null;
    const from = before?.from ?? id;
    const isStart = from === 0 || before?.messages.length === pageSize;
    const isEnd = after.to === Infinity || after.messages.length === pageSize;
    return { messages, from, to: after.to, isFresh: false, isFull: isStart && isEnd };
  }

  async function diskIdAt(key: ChatKey, time: number): Promise<number | null> {
    let low = 0;
    let high = (find(key)?.book.newest?.id ?? 0) + 1;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const [row] = await disk.messagesAfter(key, middle - 1, 1);
      if (row === undefined || row.sendTime >= time) high = middle;
      else low = idOf(row) + 1;
    }
    const [before] = await disk.messagesBefore(key, low, 1);
    const [found] = await disk.messagesAfter(key, low - 1, 1);
    const known = await bookOf(key);
    const span = known && spanBelow(known, idOf(found));
    // The one before it must lie in the same part, or an earlier one may be missing between.
    const isSure = span !== null && (before === undefined ? span.from === 0 : span.from <= idOf(before));
    return isSure ? ((found ?? before)?.id ?? null) : null;
  }

  async function ask(key: ChatKey, query: HistoryQuery): Promise<TalkRow[] | null> {
    const talk = find(key) === undefined ? null : talkIn(api, key);
    if (talk === null) return null;
    const owner = me();
    const result = await talk.history(query);
    if (owner !== me()) return null;
    return result.ok ? result.value : isForeign(result.failure) ? [] : null;
  }

  function messagesOf(key: ChatKey, rows: readonly TalkRow[]): ChatMessage[] {
    return rows.flatMap((row) => {
      const incoming = readTalk("groupId" in row ? ChatType.GROUP : ChatType.PRIVATE, key, row, me());
      return incoming.kind === "chat" && incoming.input.kind === "row" ? [incoming.input.message] : [];
    });
  }

  return {
    diskBelow,
    diskFrom,
    diskAround,
    diskIdAt,
    isOnServer,
    async serverBelow(key, id) {
      for (let below = id; ;) {
        const answer = await ask(key, { size: pageSize, ...(below !== Infinity && { maxId: below }) });
        if (answer === null) return null;
        const rows = answer.toReversed();
        // A page that is not full reaches the beginning: below it there is nothing.
        const from = rows.length < pageSize ? 0 : (rows[0]?.id ?? 0);
        const messages = messagesOf(key, rows);
        // Edits and recalls have rows, but nothing to show: what is asked for stands behind them.
        if (messages.length > 0 || from === 0) return { messages, from, to: id, isFresh: true };
        below = from;
      }
    },
    async serverFrom(key, id) {
      for (let from = id; ;) {
        const rows = await ask(key, { size: pageSize, minId: from - 1 });
        if (rows === null) return null;
        const to = rows.length < pageSize ? Infinity : (rows.at(-1)?.id ?? from) + 1;
        const messages = messagesOf(key, rows);
        if (messages.length > 0 || to === Infinity) return { messages, from: id, to, isFresh: true };
        from = to;
      }
    },
    async serverAround(key, to) {
      const size = 2 * pageSize;
      const rows = await ask(key, { size, ...to });
      const [first] = rows ?? [];
      const last = rows?.at(-1);
      if (rows === null || first === undefined || last === undefined) return null;
      // Of a time only an empty half is sure to be the end: the server finds the place by its own clock.
      const older = "aroundId" in to ? rows.filter((row) => row.id < to.aroundId).length : null;
      const isStart = older === null ? "at" in to && first.sendTime >= to.at : older < pageSize;
      const isEnd = older === null ? "at" in to && last.sendTime < to.at : rows.length - older < pageSize;
      return {
        messages: messagesOf(key, rows),
        from: isStart ? 0 : first.id,
        to: isEnd ? Infinity : last.id + 1,
        isFresh: true,
      };
    },
  };
}

/** A group that one never was in: nothing of it is to be seen, however often it is asked for. */
function isForeign(failure: Failure): boolean {
  return (
    failure.kind === "refused" && (failure.key === "group.notJoined" || failure.key === "group.notFound")
  );
}
