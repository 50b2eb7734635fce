import { useEffect, useState } from "react";
import type { ChatKey, ChatMessage } from "@parley/core/model/state";
import { useClient } from "../../../kit/use-client.ts";

/** As many are loaded without being asked for: then the ends meet at the true first picture in nearly every chat. */
const LOAD_MAX = 500;

interface Pages {
  /** Newest first. */
  readonly messages: readonly ChatMessage[];
  /** null: not known yet. */
  readonly total: number | null;
  readonly next: string | null;
  readonly status: "loading" | "idle" | "failed";
}

const NONE: Pages = { messages: [], total: null, next: null, status: "loading" };

/**
 * The pictures and videos of a chat beside those of its window, loaded page by page. `isWanted` asks for more than are loaded anyway: the
 * shown picture is near the oldest one that is known, or has not been found.
 */
export function useMediaPages(key: ChatKey, isWanted: (messages: readonly ChatMessage[]) => boolean) {
  const client = useClient();
  const [pages, setPages] = useState<Pages>(NONE);
  const { status, next, messages } = pages;
  useEffect(() => {
    if (status !== "loading") return;
    let isOutdated = false;
    void client.chats.listMedia(key, "pictures", next).then((result) => {
      if (isOutdated) return;
      setPages((current) => {
        if (!result.ok) return { ...current, status: "failed" };
        const { hits, total, next: following } = result.value;
        return {
          messages: [...current.messages, ...hits.map(({ message }) => message)],
          total,
          next: following,
          status: "idle",
        };
      });
    });
    return () => {
      isOutdated = true;
    };
  }, [client, key, status, next]);
  const loadMore = status === "idle" && next !== null && (messages.length < LOAD_MAX || isWanted(messages));
  if (loadMore) setPages({ ...pages, status: "loading" });

  return {
    messages,
    /** A missing picture may still be found. */
    isSearching: status === "loading" || loadMore,
    hasFailed: status === "failed",
    /** So many pictures are older than all that are known. */
    older: next === null ? 0 : Math.max(0, (pages.total ?? 0) - messages.length),
    retry: () => setPages({ ...pages, status: "loading" }),
  } as const;
}
