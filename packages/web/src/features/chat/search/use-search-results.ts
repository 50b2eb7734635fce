import { useCallback, useEffect, useRef, useState } from "react";
import type { FoundMessage, SearchQuery } from "@parley/core/client-api";
import type { ChatKey } from "@parley/core/model/state";
import { SEARCH_QUERY_MAX } from "@parley/protocol/limits";
import { queryTerms } from "@parley/protocol/search-text";
import { showMessage } from "../../../kit/show-message.ts";
import { useClient } from "../../../kit/use-client.ts";

/** Typing rests this long before the search begins. */
const REST_MS = 200;

export interface ChatSearchQuery {
  readonly text: string;
  /** null: whoever wrote it. */
  readonly sendId: number | null;
  /** Epoch ms of a day's first moment; null: any day. */
  readonly day: number | null;
}

export interface SearchResultPage {
  /** What they answer. */
  readonly query: ChatSearchQuery;
  /** Newest first. */
  readonly results: readonly FoundMessage[];
  readonly total: number;
  readonly next: string | null;
  /** Where the reader is among them. */
  readonly at: number;
  readonly hasFailed: boolean;
}

/** The messages of a chat that hold the words, and the reader's way from one to the next; the first one shows itself. */
export function useSearchResults(key: ChatKey, chatSearchQuery: ChatSearchQuery) {
  const client = useClient();
  const [found, setFound] = useState<SearchResultPage | null>(null);
  const turn = useRef(0);
  const { sendId, day } = chatSearchQuery;
  const text = chatSearchQuery.text.trim().slice(0, SEARCH_QUERY_MAX);
  const isSearch = queryTerms(text).length > 0;

  const show = useCallback(
    (find: FoundMessage | undefined) => {
      if (find?.message.id != null) showMessage(key, find.message.id);
    },
    [key],
  );

  useEffect(() => {
    if (!isSearch) return;
    const mine = { text, sendId, day };
    const timer = setTimeout(() => {
      const now = ++turn.current;
      void client.chats.search(requestOf(key, mine, null)).then((result) => {
        // A slower answer to an earlier question is not the one on the screen.
        if (now !== turn.current) return;
        const { hits, ...page } = result.ok ? result.value : { hits: [], total: 0, next: null };
        setFound({ ...page, results: hits, query: mine, at: 0, hasFailed: !result.ok });
        show(hits[0]);
      });
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      turn.current += 1;
    };
  }, [client, key, isSearch, text, sendId, day, show]);

  /** With the next page of them; null: there is no answer, or nobody waits for it any more. */
  const withMore = async (known: SearchResultPage): Promise<SearchResultPage | null> => {
    if (known.next === null) return known;
    const now = turn.current;
    const result = await client.chats.search(requestOf(key, known.query, known.next));
    if (now !== turn.current) return null;
    if (result.ok)
      return {
        ...known,
        results: [...known.results, ...result.value.hits],
        next: result.value.next,
        hasFailed: false,
      };
    setFound((shown) => shown && { ...shown, hasFailed: true });
    return null;
  };

  const goTo = (known: SearchResultPage, at: number) => {
    setFound({ ...known, at, hasFailed: false });
    show(known.results[at]);
  };

  const step = async (way: 1 | -1) => {
    if (found === null || found.total === 0) return;
    const isLast = found.at === found.results.length - 1;
    const known = way > 0 && isLast ? await withMore(found) : found;
    // Round the ends, once all are known.
    if (known === null || (way < 0 && known.at === 0 && known.next !== null)) return;
    goTo(known, (known.at + way + known.results.length) % known.results.length);
  };

  const more = async () => {
    const known = found && (await withMore(found));
    // The reader may have gone to another one meanwhile.
    if (known !== null) setFound((shown) => shown && { ...known, at: shown.at });
  };

  const isCurrent =
    isSearch && found?.query.text === text && found.query.sendId === sendId && found.query.day === day;
  return {
    /** null: nothing asked, or no answer yet. */
    found: isCurrent ? found : null,
    isBusy: isSearch && !isCurrent,
    step,
    goTo: (at: number) => found !== null && goTo(found, at),
    /** Brings the next page. */
    more,
  } as const;
}

const LAST_MS = 86_400_000 - 1;

function requestOf(key: ChatKey, { text, sendId, day }: ChatSearchQuery, next: string | null): SearchQuery {
  return {
    text,
    key,
    ...(sendId !== null && { sendId }),
    ...(day !== null && { from: day, to: day + LAST_MS }),
    ...(next !== null && { next }),
  };
}
