import { useCallback, useEffect, useRef, useState } from "react";
import { positionOf } from "@parley/core/model/chats/chat-rows";
import type { Chat } from "@parley/core/model/state";
import { useShowRequest } from "../../../kit/show-message.ts";
import { useClient } from "../../../kit/use-client.ts";

/**
 * What the window holds of where the chat opens. `there`: the first unread message with something above it, or all is read, or no more is
 * to be had; `edge`: the unread message, but nothing above it.
 */
export function initialPositionState(chat: Pick<Chat, "sync" | "window">): "there" | "edge" | "elsewhere" {
  const { messages, hasOlder, older } = chat.window;
  const [unread] = chat.sync.unread;
  const [oldest] = messages;
  if (unread === undefined || !hasOlder || older === "failed") return "there";
  if (oldest === undefined || positionOf(oldest) > unread) return "elsewhere";
  return positionOf(oldest) < unread ? "there" : "edge";
}

/**
 * Whether a chat that is being opened can be shown at its first unread message; once true for good. The core brings the window there; where
 * it has not, it is asked once. Who comes to see a certain message waits for no other; nor does who writes, which `skip` tells.
 */
export function useInitialPosition(chat: Chat): { isThere: boolean; skip: () => void } {
  const client = useClient();
  const { key, window, sync } = chat;
  const hasShowRequest = useShowRequest()?.key === key;
  const [isReady, setReady] = useState(false);
  const position = initialPositionState(chat);
  const isThere = isReady || hasShowRequest || position === "there";
  if (isThere && !isReady) setReady(true);
  const [unread] = sync.unread;
  const hasAsked = useRef(false);
  useEffect(() => {
    if (isThere || unread === undefined || window.older !== "idle" || window.messages.length === 0) return;
    if (position === "edge") return client.chats.loadOlder(key);
    if (hasAsked.current) return;
    hasAsked.current = true;
    void client.chats.jumpTo(key, { id: unread }).then(() => setReady(true));
  }, [client, key, window, unread, position, isThere]);
  const skip = useCallback(() => setReady(true), []);
  return { isThere, skip };
}
