import { type ChatType, ChatType as Type } from "@parley/protocol/codes";
import { matches, queryTerms } from "@parley/protocol/search-text";
import { parseChatKey } from "../model/chats/chat-rows.ts";
import type { ChatKey, ChatMessage } from "../model/state.ts";
import type { LocalDatabase } from "../storage/local-database.ts";
import type { MessageRef } from "../ports.ts";
import type { FoundMessage, SearchQuery } from "./search-query.ts";
import { searchableText } from "./search-terms.ts";

/** The last hit of a page. */
export interface HitPosition {
  readonly key: ChatKey;
  readonly id: number;
  readonly sendTime: number;
}

/** A page of a search in the local database. */
export interface LocalSearchPage {
  readonly hits: readonly FoundMessage[];
  /** Hits on this page and after it, as far as they were counted. */
  readonly total: number;
  /** Where the next page begins; null at the end. */
  readonly next: HitPosition | null;
  /** How many messages were read for this page. */
  readonly examined: number;
}

/** How many messages are read at once. */
const CHUNK = 100;
/** How many messages are read at most for a page and for counting. A page that is not full by then says where to continue. */
const EXAMINED_MAX = 1_000;

/** Searches the local database, newest messages first: the index yields candidates, and their text decides. */
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
    const hit = await newestOf(streams);
    if (hit === null) return { hits, total, next, examined: examined() };
    if (next === null && (hits.length >= options.limit || examined() > EXAMINED_MAX)) next = last;
    if (next !== null && examined() > EXAMINED_MAX) return { hits, total, next, examined: examined() };
    last = { key: hit.key, id: hit.message.id ?? 0, sendTime: hit.message.sendTime };
    if (!isMatch(hit.message, query)) continue;
    total++;
    if (next === null) hits.push(hit);
  }
}

/** Lists the messages of a chat that match a query without a text, newest first. */
export async function listLocal(
  database: Pick<LocalDatabase, "messagesBefore">,
  query: Omit<SearchQuery, "next">,
  options: { limit: number; after: HitPosition | null },
): Promise<LocalSearchPage> {
  const hits: FoundMessage[] = [];
  const { key } = query;
  let below = options.after?.id ?? Infinity;
  let examined = 0;
  let last: HitPosition | null = null;
  while (key !== undefined) {
    const messages = await database.messagesBefore(key, below, CHUNK);
    examined += messages.length;
    for (const message of messages.toReversed()) {
      last = { key, id: message.id ?? 0, sendTime: message.sendTime };
      if (!isMatch(message, query)) continue;
      hits.push({ key, message });
      if (hits.length === options.limit) return { hits, total: hits.length, next: last, examined };
    }
    if (messages.length < CHUNK) break;
    if (examined >= EXAMINED_MAX) return { hits, total: hits.length, next: last, examined };
    below = last?.id ?? 0;
  }
  return { hits, total: hits.length, next: null, examined };
}

function isMatch(message: ChatMessage, { text, sendId, types, from, to }: SearchQuery): boolean {
  return (
    (sendId === undefined || message.sendId === sendId) &&
    (types === undefined || types.includes(message.type)) &&
    message.sendTime >= (from ?? -Infinity) &&
    message.sendTime <= (to ?? Infinity) &&
    (text === "" || matches(searchableText(message), text))
  );
}

/** Messages that have all terms of the query. */
async function candidates(
  database: Pick<LocalDatabase, "messagesWithTerm">,
  { text, key }: Pick<SearchQuery, "text" | "key">,
): Promise<MessageRef[]> {
  // Long terms are rare, so look them up first: the search ends as soon as no candidate is left.
  const terms = queryTerms(text).sort((a, b) => b.text.length - a.text.length);
  let remaining: Map<string, MessageRef> | null = null;
  for (const term of terms) {
    const refs = await database.messagesWithTerm(term, key ?? null);
    const before: Map<string, MessageRef> | null = remaining;
    remaining = new Map();
    for (const ref of refs) {
      const name = `${ref.chatKey} ${ref.id}`;
      if (before === null || before.has(name)) remaining.set(name, ref);
    }
    if (remaining.size === 0) break;
  }
  return [...(remaining?.values() ?? [])];
}

/** Candidates of one kind of chat, newest first; their ids are in the order of time. */
interface CandidateStream {
  readonly examined: number;
  /** The newest candidate that was not taken yet; null at the end. */
  head(): Promise<FoundMessage | null>;
  take(): void;
}

function streamsOf(
  refs: readonly MessageRef[],
  after: HitPosition | null,
  database: Pick<LocalDatabase, "messagesAt">,
): CandidateStream[] {
  const types: readonly ChatType[] = [Type.PRIVATE, Type.GROUP];
  return types.map((type) => {
    const isSameType = after !== null && parseChatKey(after.key)?.type === type;
    const below = isSameType ? after.id : Infinity;
    const before = after === null || isSameType ? Infinity : after.sendTime;
    const refsOfType = refs.filter((ref) => ref.chatKey.startsWith(`${type}:`) && ref.id < below);
    return streamOf(
      refsOfType.sort((a, b) => b.id - a.id),
      before,
      database,
    );
  });
}

function streamOf(
  refs: readonly MessageRef[],
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
      while (ready.length === 0 && examined < refs.length) {
        const chunk = refs.slice(examined, examined + CHUNK);
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
  let newest: { stream: CandidateStream; hit: FoundMessage } | null = null;
  for (const stream of streams) {
    const hit = await stream.head();
    if (hit === null) continue;
    if (newest === null || hit.message.sendTime > newest.hit.message.sendTime) newest = { stream, hit };
  }
  newest?.stream.take();
  return newest?.hit ?? null;
}
