import { useEffect, useState } from "react";
import { positionOf } from "@parley/core/model/rows";
import type { Chat } from "@parley/core/model/state";
import { useClient } from "../../../kit/use-client.ts";

/** Whether the window holds what the chat opens at: the first unread message with something above it, or the newest page when all is read. */
export function reachesUnread(chat: Pick<Chat, "book" | "window">): boolean {
  const { messages, hasOlder, older } = chat.window;
  const [unread] = chat.book.unread;
  const [oldest] = messages;
  if (unread === undefined || !hasOlder || older === "failed") return true;
  return oldest !== undefined && positionOf(oldest) < unread;
}

/** Fetches older messages until a chat that is being opened can be shown at its first unread message; then true for good. */
export function useOpening(chat: Chat): boolean {
  const client = useClient();
  const [isReady, setReady] = useState(false);
  const isThere = isReady || reachesUnread(chat);
  if (isThere && !isReady) setReady(true);
  const { key, window } = chat;
  useEffect(() => {
    if (!isThere && window.older === "idle" && window.messages.length > 0) client.chats.loadOlder(key);
  }, [client, key, window, isThere]);
  return isThere;
}
