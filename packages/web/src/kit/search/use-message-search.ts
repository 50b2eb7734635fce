import { useCallback, useEffect, useRef, useState } from "react";
import type { FoundMessage } from "@parley/core/search/search-query";
import { MessageType } from "@parley/protocol/codes";
import { KINDS } from "@parley/protocol/message";
import { matches, searchTextOf } from "@parley/protocol/search-text";
import { searchableContent } from "@parley/protocol/searchable-content";
import { useClient } from "../loading/use-client.ts";

/** Number of messages shown at first, so that what is below stays visible. */
const INITIAL_ROWS = 5;
/** Pause in typing after which the server is asked. */
const TYPING_PAUSE_MS = 150;

interface SearchState {
  readonly text: string;
  readonly results: readonly FoundMessage[];
  readonly total: number;
  readonly next: string | null;
  readonly state: "idle" | "busy" | "failed";
}

const NO_SEARCH: SearchState = { text: "", results: [], total: 0, next: null, state: "idle" };

const FILES: readonly number[] = [MessageType.FILE];
/** All kinds of messages that are searched but files. */
const WITHOUT_FILES: readonly number[] = Object.entries(KINDS)
  .filter(([type, kind]) => "searched" in kind && Number(type) !== MessageType.FILE)
  .map(([type]) => Number(type));

/**
 * Searches the messages of all chats, without the files, or the files alone; `loadMore` loads the next page. Until an answer arrives the
 * previous results are filtered.
 */
export function useMessageSearch(query: string, of: "messages" | "files") {
  const client = useClient();
  const text = searchTextOf(query);
  const isSearch = text !== "";
  const [search, setSearch] = useState<SearchState>(NO_SEARCH);
  /** The search text for which all loaded results are shown. */
  const [expandedText, setExpandedText] = useState<string | null>(null);
  const latestSearchId = useRef(0);

  const load = useCallback(
    async (searchText: string, previous: SearchState | null) => {
      const searchId = ++latestSearchId.current;
      const next = previous?.next;
      const types = of === "files" ? FILES : WITHOUT_FILES;
      const result = await client.chats.search({ text: searchText, types, ...(next != null && { next }) });
      // Ignore the answer of an earlier search that arrives late.
      if (searchId !== latestSearchId.current) return;
      setSearch((current) => {
        if (!result.ok) return { ...current, text: searchText, state: "failed" };
        const { hits: found, total, next: nextPage } = result.value;
        return {
          text: searchText,
          results: [...(previous?.results ?? []), ...found],
          total,
          next: nextPage,
          state: "idle",
        };
      });
    },
    [client, of],
  );

  useEffect(() => {
    if (!isSearch) return;
    const timer = setTimeout(() => void load(text, null), TYPING_PAUSE_MS);
    return () => {
      clearTimeout(timer);
      latestSearchId.current += 1;
    };
  }, [isSearch, text, load]);

  const isCurrent = isSearch && search.text === text;
  const isBusy = isSearch && (!isCurrent || search.state === "busy");
  const isExpanded = expandedText === text;
  const results = isCurrent
    ? search.results
    : search.results.filter(
        ({ message }) => isSearch && matches(searchableContent(message.type, message.content), text),
      );
  return {
    results: isExpanded ? results : results.slice(0, INITIAL_ROWS),
    /** How many there are; null while it is not known, and after all that were asked for are shown. */
    total: isCurrent && !isExpanded ? search.total : null,
    hasMore: isCurrent && (search.next !== null || (!isExpanded && results.length > INITIAL_ROWS)),
    isBusy,
    hasFailed: isCurrent && search.state === "failed",
    loadMore() {
      setExpandedText(text);
      if (!isExpanded && results.length > INITIAL_ROWS) return;
      if (!isCurrent || search.next === null || search.state === "busy") return;
      setSearch({ ...search, state: "busy" });
      void load(text, search);
    },
  } as const;
}
