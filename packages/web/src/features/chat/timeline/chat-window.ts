import { useCallback, useEffect, useRef, useState } from "react";
import type { OpeningPosition } from "@parley/core/chats/history";
import { positionOf } from "@parley/core/model/chats/chat-rows";
import type { Chat } from "@parley/core/model/state";
import { useShowRequest } from "../../../kit/chats/show-message.ts";
import { useClient } from "../../../kit/loading/use-client.ts";
import type { TimelineView } from "./virtual-timeline.ts";

/**
 * Whether the loaded window contains the position at which the chat opens. `there`: it contains the first unread message and one above
 * it, or the newest messages, or everything is read, or no more can be loaded; `edge`: it begins with the first unread message;
 * `elsewhere`: it does not contain the position.
 */
export function initialPositionState(
  chat: Pick<Chat, "sync" | "window">,
  at: OpeningPosition,
): "there" | "edge" | "elsewhere" {
  const { messages, hasOlder, hasNewer, older } = chat.window;
  if (at === "newest") return hasNewer ? "elsewhere" : "there";
  const [unread] = chat.sync.unread;
  const [oldest] = messages;
  if (unread === undefined || !hasOlder || older === "failed") return "there";
  if (oldest === undefined || positionOf(oldest) > unread) return "elsewhere";
  return positionOf(oldest) < unread ? "there" : "edge";
}

/**
 * Whether a chat can be shown at the position where it opens; once ready it stays ready. Usually the core has loaded that part of the chat;
 * otherwise this requests it once. It is ready at once if a certain message was requested. Call `skip` when the person sends a message.
 */
export function useInitialPosition(chat: Chat, at: OpeningPosition): { isReady: boolean; skip: () => void } {
  const client = useClient();
  const { key, window, sync } = chat;
  const hasShowRequest = useShowRequest()?.key === key;
  const [wasReady, setReady] = useState(false);
  const position = initialPositionState(chat, at);
  const isReady = wasReady || hasShowRequest || position === "there";
  if (isReady && !wasReady) setReady(true);
  const [unread] = sync.unread;
  const hasRequested = useRef(false);
  useEffect(() => {
    if (isReady || window.older !== "idle" || window.messages.length === 0) return;
    if (at === "newest") {
      if (window.newer === "idle") client.chats.showNewest(key);
      return;
    }
    if (unread === undefined) return;
    if (position === "edge") return client.chats.loadOlder(key);
    if (hasRequested.current) return;
    hasRequested.current = true;
    void client.chats.jumpTo(key, { id: unread }).then(() => setReady(true));
  }, [client, key, window, unread, position, isReady, at]);
  const skip = useCallback(() => setReady(true), []);
  return { isReady, skip };
}

/** More messages are loaded when less than this many view heights are left. */
const AHEAD = 2;
/** Before the first scroll, older messages are loaded only if the view is almost at the top, so that opening a chat loads little. */
const AHEAD_AT_REST = 0.1;

/** Which pages to load now. `isAtRest`: the view has not moved since the chat was opened. */
export function pagesToLoad(
  { hasOlder, older, hasNewer, newer }: Pick<Chat["window"], "hasOlder" | "older" | "hasNewer" | "newer">,
  { above, below, height }: TimelineView,
  isAtRest: boolean,
): { older: boolean; newer: boolean } {
  return {
    older: hasOlder && older === "idle" && above <= height * (isAtRest ? AHEAD_AT_REST : AHEAD),
    newer: hasNewer && newer === "idle" && below <= height * AHEAD,
  };
}

/** Returns a function to call with the current view; it loads older and newer messages in time. */
export function usePaging(chat: Chat): (view: TimelineView) => void {
  const client = useClient();
  const { key, window } = chat;
  const latest = useRef(window);
  useEffect(() => {
    latest.current = window;
  });
  const initialAbove = useRef<number | null>(null);
  return useCallback(
    (view: TimelineView) => {
      initialAbove.current ??= view.above;
      const pages = pagesToLoad(latest.current, view, view.above === initialAbove.current);
      if (pages.older) client.chats.loadOlder(key);
      if (pages.newer) client.chats.loadNewer(key);
    },
    [client, key],
  );
}
