import { useCallback, useEffect, useRef } from "react";
import type { Chat } from "@parley/core/model/state";
import { useClient } from "../../../kit/use-client.ts";
import type { TimelineView } from "./virtual-timeline.ts";

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
