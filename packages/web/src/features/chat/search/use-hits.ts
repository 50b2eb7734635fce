import { useCallback, useEffect, useRef, useState } from "react";
import type { SearchFind, SearchQuery } from "@parley/core/runtime/client-api";
import type { ChatKey } from "@parley/core/model/state";
import { SEARCH_QUERY_MAX } from "@parley/protocol/limits";
import { queryTerms } from "@parley/protocol/search-text";
import { showMessage } from "../../../kit/show-message.ts";
import { useClient } from "../../../kit/use-client.ts";

/** Typing rests this long before the search begins. */
const REST_MS = 200;

export interface Wanted {
  readonly text: string;
  /** null: whoever wrote it. */
  readonly sendId: number | null;
  /** Epoch ms of a day's first moment; null: any day. */
  readonly day: number | null;
}

interface Hits {
  /** What they answer. */
  readonly wanted: Wanted;
  /** Newest first. */
  readonly hits: readonly SearchFind[];
  readonly total: number;
  readonly next: string | null;
  /** Where the reader is among them. */
  readonly at: number;
  readonly hasFailed: boolean;
}

/** The messages of a chat that hold the words, and the reader's way from one to the next; the first one shows itself. */
export function useHits(key: ChatKey, wanted: Wanted) {
  const client = useClient();
  const [found, setFound] = useState<Hits | null>(null);
  const turn = useRef(0);
  const { sendId, day } = wanted;
  const text = wanted.text.trim().slice(0, SEARCH_QUERY_MAX);
  const isSearch = queryTerms(text).length > 0;

  const show = useCallback(
    (find: SearchFind | undefined) => {
      if (find?.message.id != null) showMessage(key, find.message.id);
    },
    [key],
  );

  useEffect(() => {
    if (!isSearch) return;
    const mine = { text, sendId, day };
    const timer = setTimeout(() => {
      const now = ++turn.current;
      void client.chats.search(queryOf(key, mine, null)).then((result) => {
        // A slower answer to an earlier question is not the one on the screen.
        if (now !== turn.current) return;
        const page = result.ok ? result.value : { hits: [], total: 0, next: null };
        setFound({ ...page, wanted: mine, at: 0, hasFailed: !result.ok });
        show(page.hits[0]);
      });
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      turn.current += 1;
    };
  }, [client, key, isSearch, text, sendId, day, show]);

  const step = async (way: 1 | -1) => {
    if (found === null || found.total === 0) return;
    const now = turn.current;
    let { hits, next } = found;
    // The last one that is known, and the server has more.
    if (way > 0 && found.at === hits.length - 1 && next !== null) {
      const result = await client.chats.search(queryOf(key, found.wanted, next));
      if (now !== turn.current) return;
      if (!result.ok) return setFound({ ...found, hasFailed: true });
      hits = [...hits, ...result.value.hits];
      next = result.value.next;
    }
    // Round the ends, once all are known.
    if (way < 0 && found.at === 0 && next !== null) return;
    const at = (found.at + way + hits.length) % hits.length;
    setFound({ ...found, hits, next, at, hasFailed: false });
    show(hits[at]);
  };

  const isCurrent =
    isSearch && found?.wanted.text === text && found.wanted.sendId === sendId && found.wanted.day === day;
  return {
    /** null: nothing asked, or no answer yet. */
    found: isCurrent ? found : null,
    isBusy: isSearch && !isCurrent,
    step,
  } as const;
}

const LAST_MS = 86_400_000 - 1;

function queryOf(key: ChatKey, { text, sendId, day }: Wanted, next: string | null): SearchQuery {
  return {
    text,
    key,
    ...(sendId !== null && { sendId }),
    ...(day !== null && { from: day, to: day + LAST_MS }),
    ...(next !== null && { next }),
  };
}
