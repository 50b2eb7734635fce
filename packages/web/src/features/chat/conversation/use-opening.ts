import { useEffect, useRef, useState } from "react";
import { positionOf } from "@parley/core/model/rows";
import type { Chat } from "@parley/core/model/state";
import { useClient } from "../../../kit/use-client.ts";

/** So many pages are fetched to open a chat at its first unread message; what is longer opens as far up as they reach. */
const PAGES_MAX = 20;

/** Whether the window holds what the chat opens at: the first unread message, or the newest page when all is read. */
export function reachesUnread(chat: Pick<Chat, "book" | "window">): boolean {
  const { messages, hasOlder, older } = chat.window;
  const [unread] = chat.book.unread;
  const [oldest] = messages;
  if (unread === undefined || !hasOlder || older === "failed") return true;
  return oldest !== undefined && positionOf(oldest) <= unread;
}

/** Fetches older pages until a chat that is being opened can be shown at its first unread message; then true for good. */
export function useOpening(chat: Chat): boolean {
  const client = useClient();
  const [isReady, setReady] = useState(false);
  const pages = useRef(0);
  const isThere = isReady || reachesUnread(chat);
  if (isThere && !isReady) setReady(true);
  const { key, window } = chat;
  useEffect(() => {
    if (isThere || window.older !== "idle" || window.messages.length === 0) return;
    pages.current += 1;
    if (pages.current > PAGES_MAX) setReady(true);
    else client.chats.loadOlder(key);
  }, [client, key, window, isThere]);
  return isThere;
}
