import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { MessageStatus } from "@parley/protocol/codes";
import type { FoundMessage, MediaKind } from "@parley/core/client-api";
import type { ChatKey } from "@parley/core/model/state";
import { useClient, useClientState } from "../../../../kit/use-client.ts";

interface MediaPages {
  /** Newest first. */
  readonly hits: readonly FoundMessage[];
  /** The next page; null after the last one. */
  readonly next: string | null;
  readonly state: "loading" | "idle" | "failed";
}

const FIRST: MediaPages = { hits: [], next: null, state: "loading" };

/** Messages of a chat with pictures, files or links, page by page. What is recalled while they are shown disappears. */
export function useMediaPages(key: ChatKey, kind: MediaKind) {
  const client = useClient();
  const [pages, setPages] = useState(FIRST);
  const requestId = useRef(0);
  const request = useCallback(
    (after: string | null) => {
      requestId.current += 1;
      const id = requestId.current;
      void client.chats.listMedia(key, kind, after).then((result) => {
        // Ignore a late answer to an earlier request.
        if (id !== requestId.current) return;
        setPages((shown) =>
          result.ok
            ? { hits: [...shown.hits, ...result.value.hits], next: result.value.next, state: "idle" }
            : { ...shown, state: "failed" },
        );
      });
    },
    [client, key, kind],
  );
  useEffect(() => {
    request(null);
    return () => {
      requestId.current += 1;
    };
  }, [request]);
  const load = useCallback(
    (after: string | null) => {
      setPages((shown) => ({ ...shown, state: "loading" }));
      request(after);
    },
    [request],
  );

  const window = useClientState((state) => state.chats.byKey[key]?.window.messages);
  const hits = useMemo(() => {
    const recalled = new Set(
      window?.filter(({ status }) => status === MessageStatus.RECALL).map(({ id }) => id),
    );
    return recalled.size === 0 ? pages.hits : pages.hits.filter(({ message }) => !recalled.has(message.id));
  }, [pages.hits, window]);
  const loadMore = useCallback(() => {
    if (pages.state === "idle" && pages.next !== null) load(pages.next);
  }, [load, pages.state, pages.next]);
  const retry = useCallback(() => load(pages.hits.length === 0 ? null : pages.next), [load, pages]);
  return { hits, state: pages.state, hasMore: pages.next !== null, loadMore, retry } as const;
}
