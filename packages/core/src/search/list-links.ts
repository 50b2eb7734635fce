import { MessageType } from "@parley/protocol/codes";
import type { Result } from "../model/state.ts";
import type { FoundMessage, SearchPage, SearchQuery } from "./search-query.ts";

/** The words with which links begin. A search finds the messages with one word, so there is one for each. */
const WORDS = ["http", "www"] as const;

type Search = (query: SearchQuery) => Promise<Result<SearchPage>>;

/** The search for one word. */
interface WordSearch {
  readonly word: string;
  /** Found, and not on a page yet: the next hit of the other word may be newer. */
  readonly waiting: readonly FoundMessage[];
  readonly total: number;
  /** The next page; null for the first one, and when all are found. */
  readonly next: string | null;
  readonly isDone: boolean;
}

/**
 * A page of the messages that match a query and may have links, newest first. In `total` a message with both words counts twice.
 */
export async function listLinks(
  search: Search,
  { next, ...query }: SearchQuery,
): Promise<Result<SearchPage>> {
  // The text comes from the page before.
  const begun = next === undefined ? WORDS.map(beginSearch) : (JSON.parse(next) as WordSearch[]);
  const results = await Promise.all(begun.map((one) => withMore(search, query, one)));
  const searches: WordSearch[] = [];
  for (const result of results) {
    if (!result.ok) return result;
    searches.push(result.value);
  }
  const { hits, rest } = takeNewest(searches);
  const isEnd = rest.every(({ waiting, isDone }) => isDone && waiting.length === 0);
  const total = rest.reduce((sum, one) => sum + one.total, 0);
  return { ok: true, value: { hits, total, next: isEnd ? null : JSON.stringify(rest) } };
}

function beginSearch(word: string): WordSearch {
  return { word, waiting: [], total: 0, next: null, isDone: false };
}

/** The search with its next page, if nothing waits. */
async function withMore(
  search: Search,
  query: Omit<SearchQuery, "next">,
  one: WordSearch,
): Promise<Result<WordSearch>> {
  const { word, waiting, isDone, next } = one;
  if (isDone || waiting.length > 0) return { ok: true, value: one };
  const result = await search({
    ...query,
    text: `${word} ${query.text}`,
    types: [MessageType.TEXT],
    ...(next !== null && { next }),
  });
  if (!result.ok) return result;
  const { hits, total, next: following } = result.value;
  return { ok: true, value: { word, waiting: hits, total, next: following, isDone: following === null } };
}

/** Takes the newest hits, each message once, for as long as the next one of every word is known. */
function takeNewest(searches: readonly WordSearch[]) {
  const hits: FoundMessage[] = [];
  let rest = searches;
  while (rest.every(({ waiting, isDone }) => isDone || waiting.length > 0)) {
    const heads = rest.flatMap(({ waiting }) => waiting.slice(0, 1));
    const [newest] = heads.toSorted((a, b) => (b.message.id ?? 0) - (a.message.id ?? 0));
    if (newest === undefined) break;
    hits.push(newest);
    rest = rest.map((one) =>
      one.waiting[0]?.message.id === newest.message.id ? { ...one, waiting: one.waiting.slice(1) } : one,
    );
  }
  return { hits, rest };
}
