import { type ChatType, ChatType as Type } from "@parley/protocol/codes";
import { matches, queryTerms } from "@parley/protocol/search-text";
import { parseChatKey } from "../model/chats/chat-rows.ts";
import type { ChatKey, ChatMessage } from "../model/state.ts";
import type { FoundMessage, SearchQuery } from "../client-api.ts";
import type { LocalDatabase } from "../storage/local-database.ts";
import type { MessageRef } from "../ports.ts";
import { searchableText } from "./search-terms.ts";

/** Where a page of finds ended. */
export interface HitPosition {
  readonly key: ChatKey;
  readonly id: number;
  readonly sendTime: number;
}

export interface LocalSearchPage {
  readonly hits: readonly FoundMessage[];
  /** Finds on this page and behind it, as far as was counted. */
  readonly total: number;
  /** Where to go on; null at the end. */
  readonly next: HitPosition | null;
  /** Messages that were read to find these. */
  readonly examined: number;
}

/** So many messages are read at once. */
const CHUNK = 100;
/** So many are read for a page and to count the finds; a page that is not full by then says where to go on. */
const EXAMINED_MAX = 1_000;

/** Finds messages on this device, newest first: the index names those that may match, and their text decides. */
export async function searchLocal(
  database: Pick<LocalDatabase, "messagesWithTerm" | "messagesAt">,
  query: Omit<SearchQuery, "next">,
  options: { limit: number; after: HitPosition | null },
): Promise<LocalSearchPage> {
  const streams = streamsOf(await candidates(database, query), options.after, database);
  const hits: FoundMessage[] = [];
  let total = 0;
  let last: HitPosition | null = null;
  let next: HitPosition | null = null;
  const examined = () => streams.reduce((sum, stream) => sum + stream.examined, 0);
  for (;;) {
    const found = await newestOf(streams);
    if (found === null) return { hits, total, next, examined: examined() };
    if (next === null && (hits.length >= options.limit || examined() > EXAMINED_MAX)) next = last;
    if (next !== null && examined() > EXAMINED_MAX) return { hits, total, next, examined: examined() };
    last = { key: found.key, id: found.message.id ?? 0, sendTime: found.message.sendTime };
    if (!isMatch(found.message, query)) continue;
    total++;
    if (next === null) hits.push(found);
  }
}

function isMatch(message: ChatMessage, { text, sendId, types, from, to }: SearchQuery): boolean {
  return (
    (sendId === undefined || message.sendId === sendId) &&
    (types === undefined || types.includes(message.type)) &&
    message.sendTime >= (from ?? -Infinity) &&
    message.sendTime <= (to ?? Infinity) &&
    matches(searchableText(message), text)
  );
}

/** Messages that have all terms of the query. */
async function candidates(
  database: Pick<LocalDatabase, "messagesWithTerm">,
  { text, key }: Pick<SearchQuery, "text" | "key">,
): Promise<MessageRef[]> {
  // The longest terms are the rarest: once nothing is left nobody else is asked.
  const terms = queryTerms(text).sort((a, b) => b.text.length - a.text.length);
  let remaining: Map<string, MessageRef> | null = null;
  for (const term of terms) {
    const places = await database.messagesWithTerm(term, key ?? null);
    const before: Map<string, MessageRef> | null = remaining;
    remaining = new Map();
    for (const ref of places) {
      const name = `${ref.chatKey} ${ref.id}`;
      if (before === null || before.has(name)) remaining.set(name, ref);
    }
    if (remaining.size === 0) break;
  }
  return [...(remaining?.values() ?? [])];
}

/** Candidates of one kind of chat, whose ids stand in the order of time. */
interface CandidateStream {
  readonly examined: number;
  /** The newest that was not taken; null at the end. */
  head(): Promise<FoundMessage | null>;
  take(): void;
}

function streamsOf(
  places: readonly MessageRef[],
  after: HitPosition | null,
  database: Pick<LocalDatabase, "messagesAt">,
): CandidateStream[] {
  const types: readonly ChatType[] = [Type.PRIVATE, Type.GROUP];
  return types.map((type) => {
    const isSameType = after !== null && parseChatKey(after.key)?.type === type;
    const below = isSameType ? after.id : Infinity;
    const before = after === null || isSameType ? Infinity : after.sendTime;
    const own = places.filter((place) => place.chatKey.startsWith(`${type}:`) && place.id < below);
    return streamOf(
      own.sort((a, b) => b.id - a.id),
      before,
      database,
    );
  });
}

function streamOf(
  places: readonly MessageRef[],
  before: number,
  database: Pick<LocalDatabase, "messagesAt">,
): CandidateStream {
  let examined = 0;
  let ready: FoundMessage[] = [];
  return {
    get examined() {
      return examined;
    },
    async head() {
      while (ready.length === 0 && examined < places.length) {
        const chunk = places.slice(examined, examined + CHUNK);
        const messages = await database.messagesAt(chunk);
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

async function newestOf(streams: readonly CandidateStream[]): Promise<FoundMessage | null> {
  let newest: { stream: CandidateStream; find: FoundMessage } | null = null;
  for (const stream of streams) {
    const find = await stream.head();
    if (find === null) continue;
    if (newest === null || find.message.sendTime > newest.find.message.sendTime) newest = { stream, find };
  }
  newest?.stream.take();
  return newest?.find ?? null;
}
