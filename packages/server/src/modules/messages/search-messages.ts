/** Searches messages by their text. */
import { ChatType } from "@parley/protocol/codes";
import type { QueryOf } from "@parley/protocol/endpoint";
import type { SearchHit, searchMessages } from "@parley/protocol/endpoints/search";
import { SEARCH_PAGE } from "@parley/protocol/limits";
import { kindOf } from "@parley/protocol/message";
import { searchTextOf } from "@parley/protocol/search-text";
import { malformedField, refuseIfLimited } from "../../api/api-error.ts";
import type { Handlers } from "../../api/api-call.ts";
import type { MessageStore, RowOf } from "../../ports/message-store.ts";
import type { RateLimiter } from "../../ports/rate-limiter.ts";
import type { Language } from "../../api/language.ts";
import type { Found, MessageSearch, ChatKind } from "../../ports/stored-message.ts";
import type { ChatStrategies, ChatStrategy } from "./chat-strategy.ts";

/** The highest `total` of an answer. */
const TOTAL_MAX = 1_000;

export interface SearchMessagesDeps extends ChatStrategies {
  store: Pick<MessageStore, "searchMessages">;
  rateLimiter: RateLimiter;
}

type Query = QueryOf<typeof searchMessages>;
/** Where a page starts in one kind of messages: below this id, or at the newest if undefined. */
type Below = number | undefined;

export function createSearchMessages({
  store,
  rateLimiter,
  privateChats,
  groupChats,
}: SearchMessagesDeps): Pick<Handlers, "searchMessages"> {
  return {
    async searchMessages({ actor, query, language }) {
      const me = actor.userId;
      requireWordsOrFiles(query);
      refuseIfLimited(await rateLimiter.consume("searches", me));
      const kinds = kindsOf(query);
      const [privateBelow, groupBelow] = readToken(query.next, kinds);
      const inPrivate = await search(store, privateChats, me, query, kinds, privateBelow);
      const inGroups = await search(store, groupChats, me, query, kinds, groupBelow);
      const page = newestOf(inPrivate.rows, inGroups.rows);
      const next = [
        nextBelow(inPrivate, page.first.length, privateBelow),
        nextBelow(inGroups, page.second.length, groupBelow),
      ];
      const hits = [
        ...(await viewHits(privateChats, me, page.first, language)),
        ...(await viewHits(groupChats, me, page.second, language)),
      ];
      return {
        hits: hits.sort((a, b) => b.message.id - a.message.id),
        total: Math.min(inPrivate.total + inGroups.total, TOTAL_MAX),
        next: writeToken(next, kinds),
      };
    },
  };
}

/** Only messages with files can be listed without a word: the index has them whatever they contain. */
function requireWordsOrFiles({ q, types = [] }: Query): void {
  if (searchTextOf(q) !== "") return;
  const areFiles = types.length > 0 && types.every((type) => kindOf(type)?.fileFields !== undefined);
  if (!areFiles) throw malformedField("q", "must not be empty, unless types names kinds with files only");
}

type FoundRows<Row> = Pick<Found<Row>, "rows" | "total" | "next">;

async function search<Kind extends ChatKind>(
  store: SearchMessagesDeps["store"],
  chats: ChatStrategy<Kind>,
  me: number,
  query: Query,
  kinds: readonly ChatType[],
  below: Below,
): Promise<FoundRows<RowOf<Kind>>> {
  if (!kinds.includes(chats.type)) return { rows: [], total: 0, next: null };
  return store.searchMessages(chats.type, me, searchOf(query, below));
}

async function viewHits<Kind extends ChatKind>(
  chats: ChatStrategy<Kind>,
  me: number,
  rows: readonly RowOf<Kind>[],
  language: Language,
): Promise<SearchHit[]> {
  const messages = await chats.view(me, rows, language);
  return messages.map((message) => ({
    chatType: chats.type,
    targetId: chats.targetOfMessage(me, message),
    message,
  }));
}

/** System messages are not searched. A `targetId` without a type means a private chat, because older clients ask like this. */
function kindsOf({ chatType, targetId }: Query): readonly ChatType[] {
  if (chatType !== undefined) return [chatType];
  return targetId === undefined ? [ChatType.PRIVATE, ChatType.GROUP] : [ChatType.PRIVATE];
}

function searchOf({ q, targetId, sendId, types, from, to }: Query, below: Below): MessageSearch {
  return {
    text: searchTextOf(q),
    size: SEARCH_PAGE,
    totalMax: TOTAL_MAX,
    ...(targetId !== undefined && { targetId }),
    ...(sendId !== undefined && { sendId }),
    // An empty list means all types.
    ...(types !== undefined && types.length > 0 && { types }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(below !== undefined && { below }),
  };
}

/** The newest rows of two lists that are sorted newest first. Both kinds share one sequence of ids. */
function newestOf<A extends { id: number }, B extends { id: number }>(
  first: readonly A[],
  second: readonly B[],
): { first: A[]; second: B[] } {
  let [a, b] = [0, 0];
  while (a + b < SEARCH_PAGE && (a < first.length || b < second.length)) {
    const isFirst = (first[a]?.id ?? 0) > (second[b]?.id ?? 0);
    if (isFirst) a++;
    else b++;
  }
  return { first: first.slice(0, a), second: second.slice(0, b) };
}

/** The id below which the next page continues; 0 if there are no more. */
function nextBelow(
  { rows, next }: Pick<Found<{ id: number }>, "rows" | "next">,
  takenCount: number,
  below: Below,
): number {
  if (takenCount === rows.length) return next ?? 0;
  return rows[takenCount - 1]?.id ?? below ?? Number.MAX_SAFE_INTEGER;
}

/** A token is one number for one kind, and "private-group" for both. */
function readToken(token: string | undefined, kinds: readonly ChatType[]): [Below, Below] {
  if (token === undefined) return [undefined, undefined];
  const [first, second] = token.split("-").map(Number);
  if (kinds.length === 1) return [first, first];
  return [first, second];
}

function writeToken(next: readonly number[], kinds: readonly ChatType[]): string | null {
  if (next.every((below) => below === 0)) return null;
  return kinds.length === 1 ? String(Math.max(...next)) : next.join("-");
}
