import { type ChatType, ChatType as Type } from "@parley/protocol/codes";
import { matches, queryTerms } from "@parley/protocol/search-text";
import { parseChatKey } from "../model/rows.ts";
import type { ChatKey, ChatMessage } from "../model/state.ts";
import type { SearchFind, SearchQuery } from "./client-api.ts";
import type { Disk } from "./persist.ts";
import type { MessagePlace } from "./ports.ts";
import { wordsOf } from "./terms.ts";

/** Where a page of finds ended. */
export interface FindPlace {
  readonly key: ChatKey;
  readonly id: number;
  readonly sendTime: number;
}

export interface DiskFinds {
  readonly hits: readonly SearchFind[];
  /** Finds on this page and behind it, as far as was counted. */
  readonly total: number;
  /** Where to go on; null at the end. */
  readonly next: FindPlace | null;
  /** Messages that were read to find these. */
  readonly examined: number;
}

/** So many messages are read at once. */
const CHUNK = 100;
/** So many are read for a page and to count the finds; a page that is not full by then says where to go on. */
const EXAMINED_MAX = 1_000;

/** Finds messages on this device, newest first: the index names those that may match, and their text decides. */
export async function searchDisk(
  disk: Pick<Disk, "placesOf" | "messagesAt">,
  query: Omit<SearchQuery, "next">,
  options: { limit: number; after: FindPlace | null },
): Promise<DiskFinds> {
  const streams = streamsOf(await candidates(disk, query), options.after, disk);
  const hits: SearchFind[] = [];
  let total = 0;
  let last: FindPlace | null = null;
  let next: FindPlace | null = null;
  const examined = () => streams.reduce((sum, stream) => sum + stream.examined, 0);
  for (;;) {
    const found = await newestOf(streams);
    if (found === null) return { hits, total, next, examined: examined() };
    if (next === null && (hits.length >= options.limit || examined() > EXAMINED_MAX)) next = last;
    if (next !== null && examined() > EXAMINED_MAX) return { hits, total, next, examined: examined() };
    last = { key: found.key, id: found.message.id ?? 0, sendTime: found.message.sendTime };
    if (!isFind(found.message, query)) continue;
    total++;
    if (next === null) hits.push(found);
  }
}

function isFind(message: ChatMessage, { text, sendId, types, from, to }: SearchQuery): boolean {
  return (
    (sendId === undefined || message.sendId === sendId) &&
    (types === undefined || types.includes(message.type)) &&
    message.sendTime >= (from ?? -Infinity) &&
    message.sendTime <= (to ?? Infinity) &&
    matches(wordsOf(message), text)
  );
}

/** Messages that have all terms of the query. */
async function candidates(
  disk: Pick<Disk, "placesOf">,
  { text, key }: Pick<SearchQuery, "text" | "key">,
): Promise<MessagePlace[]> {
  // The longest terms are the rarest: once nothing is left nobody else is asked.
  const terms = queryTerms(text).sort((a, b) => b.text.length - a.text.length);
  let left: Map<string, MessagePlace> | null = null;
  for (const term of terms) {
    const places = await disk.placesOf(term, key ?? null);
    const before: Map<string, MessagePlace> | null = left;
    left = new Map();
    for (const place of places) {
      const name = `${place.chatKey} ${place.id}`;
      if (before === null || before.has(name)) left.set(name, place);
    }
    if (left.size === 0) break;
  }
  return [...(left?.values() ?? [])];
}

/** Candidates of one kind of chat, whose ids stand in the order of time. */
interface Stream {
  readonly examined: number;
  /** The newest that was not taken; null at the end. */
  head(): Promise<SearchFind | null>;
  take(): void;
}

function streamsOf(
  places: readonly MessagePlace[],
  after: FindPlace | null,
  disk: Pick<Disk, "messagesAt">,
): Stream[] {
  const types: readonly ChatType[] = [Type.PRIVATE, Type.GROUP];
  return types.map((type) => {
    const isSameType = after !== null && parseChatKey(after.key)?.type === type;
    const below = isSameType ? after.id : Infinity;
    const before = after === null || isSameType ? Infinity : after.sendTime;
    const own = places.filter((place) => place.chatKey.startsWith(`${type}:`) && place.id < below);
    return streamOf(
      own.sort((a, b) => b.id - a.id),
      before,
      disk,
    );
  });
}

function streamOf(places: readonly MessagePlace[], before: number, disk: Pick<Disk, "messagesAt">): Stream {
  let examined = 0;
  let ready: SearchFind[] = [];
  return {
    get examined() {
      return examined;
    },
    async head() {
      while (ready.length === 0 && examined < places.length) {
        const chunk = places.slice(examined, examined + CHUNK);
        const messages = await disk.messagesAt(chunk);
        examined += chunk.length;
        ready = chunk.flatMap(({ chatKey }, i) => {
          const message = messages[i];
          return message === undefined || message.sendTime >= before ? [] : [{ key: chatKey, message }];
        });
      }
      return ready[0] ?? null;
    },
    take: () => void ready.shift(),
  };
}

async function newestOf(streams: readonly Stream[]): Promise<SearchFind | null> {
  let newest: { stream: Stream; find: SearchFind } | null = null;
  for (const stream of streams) {
    const find = await stream.head();
    if (find === null) continue;
    if (newest === null || find.message.sendTime > newest.find.message.sendTime) newest = { stream, find };
  }
  newest?.stream.take();
  return newest?.find ?? null;
}
