import { useCallback, useEffect, useMemo, useState } from "react";
import type { MediaKind } from "@parley/core/search/search-query";
import type { Chat, ChatKey, ChatMessage } from "@parley/core/model/state";
import { MessageStatus, MessageType } from "@parley/protocol/codes";
import { useClient, useClientState } from "../../../../kit/loading/use-client.ts";
import { linksOf } from "../bubbles/link-parts.ts";
import { currentMessage } from "../message-state.ts";

/** The media of a chat that are loaded. */
export interface MediaPages {
  /** Newest first. */
  readonly messages: readonly ChatMessage[];
  /** How many there are in all; null: not known yet. */
  readonly total: number | null;
  /** The next page; null before the first and after the last one. */
  readonly next: string | null;
  readonly status: "loading" | "idle" | "failed";
}

const NOTHING: MediaPages = { messages: [], total: null, next: null, status: "loading" };

/**
 * The messages of a chat with media of a kind: those of its window, and page by page those that were sent before. It begins with those that are
 * loaded already. Messages that are recalled or deleted while they are shown disappear.
 */
export function useMediaPages(key: ChatKey, kind: MediaKind, loaded: MediaPages = NOTHING) {
  const client = useClient();
  const chat = useClientState((state) => state.chats.byKey[key]);
  const [pages, setPages] = useState(loaded);
  const { status, next } = pages;
  useEffect(() => {
    if (status !== "loading") return;
    let isOutdated = false;
    void client.chats.listMedia(key, kind, next).then((result) => {
      if (isOutdated) return;
      setPages((current) => {
        if (!result.ok) return { ...current, status: "failed" };
        const { hits, total, next: following } = result.value;
        const messages = [...current.messages, ...hits.map(({ message }) => message)];
        return { messages, total, next: following, status: "idle" };
      });
    });
    return () => {
      isOutdated = true;
    };
  }, [client, key, kind, status, next]);
  const current = withoutRecalled(pages, chat);
  if (current !== pages) setPages(current);
  const messages = useMemo(
    () => (chat === undefined ? pages.messages.toReversed() : mediaMessages(chat, pages.messages, kind)),
    [chat, pages.messages, kind],
  );
  const load = useCallback(() => setPages((known) => ({ ...known, status: "loading" })), []);
  return { pages, messages, hasMore: next !== null, load } as const;
}

/** The pages without the messages that were recalled. A chat remembers only its latest recalls, so they are removed for good. */
function withoutRecalled(pages: MediaPages, chat: Chat | undefined): MediaPages {
  const events = chat?.sync.events ?? [];
  const isRecalled = ({ id }: ChatMessage) =>
    events.some((event) => event.targetId === id && event.type === MessageType.RECALL);
  if (events.length === 0 || !pages.messages.some(isRecalled)) return pages;
  const messages = pages.messages.filter((message) => !isRecalled(message));
  const total = pages.total === null ? null : pages.total - (pages.messages.length - messages.length);
  return { ...pages, messages, total };
}

const IS_OF_KIND: Readonly<Record<MediaKind, (message: ChatMessage) => boolean>> = {
  pictures: ({ type }) => type === MessageType.IMAGE || type === MessageType.VIDEO,
  files: ({ type }) => type === MessageType.FILE,
  links: ({ type, content }) => type === MessageType.TEXT && linksOf(content).length > 0,
};

/**
 * All known messages of a chat with media of a kind, in their order: those of the window, and those of the pages. Recalled and
 * deleted ones are left out.
 */
export function mediaMessages(
  chat: Pick<Chat, "window" | "sync">,
  pages: readonly ChatMessage[],
  kind: MediaKind,
): readonly ChatMessage[] {
  const isOfKind = IS_OF_KIND[kind];
  const inWindow = chat.window.messages.filter((one) => isOfKind(one) && one.status !== MessageStatus.RECALL);
  const known = new Set(inWindow.map((one) => one.key));
  const others = pages.flatMap((one) => {
    const current = currentMessage(one, chat);
    if (current === null || known.has(current.key) || !isOfKind(current)) return [];
    known.add(current.key);
    return [current];
  });
  // Sorting is stable: messages without an id, which are not sent yet, stay in their order at the end.
  return [...others, ...inWindow].sort((a, b) => compareIds(a.id ?? Infinity, b.id ?? Infinity));
}

const compareIds = (a: number, b: number) => (a === b ? 0 : a - b);
