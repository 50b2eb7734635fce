import { useCallback, useEffect, useRef, useState } from "react";
import type { FoundMessage, MediaKind, SearchQuery } from "@parley/core/search/search-query";
import type { ChatKey } from "@parley/core/model/state";
import { searchTextOf } from "@parley/protocol/search-text";
import { showMessage } from "../../../kit/chats/show-message.ts";
import { useClient } from "../../../kit/loading/use-client.ts";
import { endOfDay } from "../../../ui/day.ts";

/** The search starts this long after the last key press. */
const DEBOUNCE_MS = 200;

/** What is searched for in a chat. */
export interface ChatSearchQuery {
  readonly text: string;
  /** null: any sender. */
  readonly sendId: number | null;
  /** The start of a day in epoch ms; null: any day. */
  readonly day: number | null;
  /** null: any kind of message. */
  readonly kind: MediaKind | null;
}

/** The results loaded so far, and which of them is shown. */
export interface SearchResultPage {
  /** The query that they belong to. */
  readonly query: ChatSearchQuery;
  /** Newest first. */
  readonly results: readonly FoundMessage[];
  readonly total: number;
  readonly next: string | null;
  /** The index of the result that is shown in the timeline. */
  readonly currentIndex: number;
  readonly hasFailed: boolean;
}

/** Searches a chat and steps through the results. The first result is shown at once. */
export function useSearchResults(key: ChatKey, search: ChatSearchQuery) {
  const client = useClient();
  const [page, setPage] = useState<SearchResultPage | null>(null);
  const requestId = useRef(0);
  const { sendId, day, kind } = search;
  const text = searchTextOf(search.text);
  // Without a word, only a kind can be listed.
  const isSearch = text !== "" || kind !== null;

  const show = useCallback(
    (result: FoundMessage | undefined) => {
      if (result?.message.id != null) showMessage(key, result.message.id);
    },
    [key],
  );

  useEffect(() => {
    if (!isSearch) return;
    const query = { text, sendId, day, kind };
    const timer = setTimeout(() => {
      const id = ++requestId.current;
      void client.chats.search(requestOf(key, query, null)).then((result) => {
        // Ignore a late answer to an earlier query.
        if (id !== requestId.current) return;
        const { hits, ...rest } = result.ok ? result.value : { hits: [], total: 0, next: null };
        setPage({ ...rest, results: hits, query, currentIndex: 0, hasFailed: !result.ok });
        show(hits[0]);
      });
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      requestId.current += 1;
    };
  }, [client, key, isSearch, text, sendId, day, kind, show]);

  /** Adds the next page of results; null if the request failed or is outdated. */
  const withMore = async (loaded: SearchResultPage): Promise<SearchResultPage | null> => {
    if (loaded.next === null) return loaded;
    const id = requestId.current;
    const result = await client.chats.search(requestOf(key, loaded.query, loaded.next));
    if (id !== requestId.current) return null;
    if (result.ok)
      return {
        ...loaded,
        results: [...loaded.results, ...result.value.hits],
        next: result.value.next,
        hasFailed: false,
      };
    setPage((current) => current && { ...current, hasFailed: true });
    return null;
  };

  const goTo = (loaded: SearchResultPage, index: number) => {
    setPage({ ...loaded, currentIndex: index, hasFailed: false });
    show(loaded.results[index]);
  };

  const step = async (direction: 1 | -1) => {
    if (page === null || page.total === 0) return;
    const isLast = page.currentIndex === page.results.length - 1;
    const loaded = direction > 0 && isLast ? await withMore(page) : page;
    // Wrap around at the ends, but only once all results are loaded.
    if (loaded === null || (direction < 0 && loaded.currentIndex === 0 && loaded.next !== null)) return;
    goTo(loaded, (loaded.currentIndex + direction + loaded.results.length) % loaded.results.length);
  };

  const more = async () => {
    const loaded = page && (await withMore(page));
    // The reader may have moved to another result during the request.
    if (loaded !== null) setPage((current) => current && { ...loaded, currentIndex: current.currentIndex });
  };

  const isCurrent =
    isSearch &&
    page?.query.text === text &&
    page.query.sendId === sendId &&
    page.query.day === day &&
    page.query.kind === kind;
  return {
    /** null: there is no query, or no answer yet. */
    page: isCurrent ? page : null,
    isBusy: isSearch && !isCurrent,
    step,
    goTo: (index: number) => page !== null && goTo(page, index),
    /** Loads the next page. */
    more,
  } as const;
}

function requestOf(
  key: ChatKey,
  { text, sendId, day, kind }: ChatSearchQuery,
  next: string | null,
): SearchQuery {
  return {
    text,
    key,
    ...(sendId !== null && { sendId }),
    ...(kind !== null && { kind }),
    ...(day !== null && { from: day, to: endOfDay(day) }),
    ...(next !== null && { next }),
  };
}
