import { useCallback, useEffect, useRef, useState } from "react";
import type { FoundMessage } from "@parley/core/client-api";
import { SEARCH_QUERY_MAX } from "@parley/protocol/limits";
import { matches, queryTerms } from "@parley/protocol/search-text";
import { searchableContent } from "@parley/protocol/searchable-content";
import { useClient } from "../../kit/use-client.ts";

/** Shown before somebody wants more, so that commands stay in sight. */
const FIRST_ROWS = 5;
/** Typing rests this long before the server is asked. */
const REST_MS = 150;

interface Found {
  readonly text: string;
  readonly hits: readonly FoundMessage[];
  readonly total: number;
  readonly next: string | null;
  readonly state: "idle" | "busy" | "failed";
}

const NOTHING: Found = { text: "", hits: [], total: 0, next: null, state: "idle" };

/** Messages of all chats that hold the words; `more` brings the next page. While an answer is on its way the older one is narrowed. */
export function useMessageSearch(query: string) {
  const client = useClient();
  const text = query.trim().slice(0, SEARCH_QUERY_MAX);
  const isSearch = queryTerms(text).length > 0;
  const [found, setFound] = useState<Found>(NOTHING);
  /** The question of which all that is here is shown. */
  const [opened, setOpened] = useState<string | null>(null);
  const turn = useRef(0);

  const load = useCallback(
    async (wanted: string, before: Found | null) => {
      const mine = ++turn.current;
      const next = before?.next;
      const result = await client.chats.search({ text: wanted, ...(next != null && { next }) });
      // A slower answer to an earlier question is not the one on the screen.
      if (mine !== turn.current) return;
      setFound((now) => {
        if (!result.ok) return { ...now, text: wanted, state: "failed" };
        const { hits, total, next: further } = result.value;
        return {
          text: wanted,
          hits: [...(before?.hits ?? []), ...hits],
          total,
          next: further,
          state: "idle",
        };
      });
    },
    [client],
  );

  useEffect(() => {
    if (!isSearch) return;
    const timer = setTimeout(() => void load(text, null), REST_MS);
    return () => {
      clearTimeout(timer);
      turn.current += 1;
    };
  }, [isSearch, text, load]);

  const isCurrent = isSearch && found.text === text;
  const isBusy = isSearch && (!isCurrent || found.state === "busy");
  const isOpened = opened === text;
  const here = isCurrent
    ? found.hits
    : found.hits.filter(
        ({ message }) => isSearch && matches(searchableContent(message.type, message.content), text),
      );
  return {
    hits: isOpened ? here : here.slice(0, FIRST_ROWS),
    hasMore: isCurrent && (found.next !== null || (!isOpened && here.length > FIRST_ROWS)),
    isBusy,
    hasFailed: isCurrent && found.state === "failed",
    more() {
      setOpened(text);
      if (!isOpened && here.length > FIRST_ROWS) return;
      if (!isCurrent || found.next === null || found.state === "busy") return;
      setFound({ ...found, state: "busy" });
      void load(text, found);
    },
  } as const;
}
