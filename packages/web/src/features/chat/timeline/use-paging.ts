import { useCallback, useEffect, useRef } from "react";
import type { Chat } from "@parley/core/model/state";
import { useClient } from "../../../kit/use-client.ts";
import type { TimelineView } from "./virtual-timeline.ts";

/** More messages are loaded when less than this many view heights are left. */
const AHEAD = 2;
/** Before the first scroll, older messages are loaded only if the view is almost at the top, so that opening a chat loads little. */
const AHEAD_AT_REST = 0.1;

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
    ({ above, below, height }: TimelineView) => {
      const { hasOlder, older, hasNewer, newer } = latest.current;
      initialAbove.current ??= above;
      const ahead = height * (above === initialAbove.current ? AHEAD_AT_REST : AHEAD);
      if (hasOlder && older === "idle" && above <= ahead) client.chats.loadOlder(key);
      if (hasNewer && newer === "idle" && below <= height * AHEAD) client.chats.loadNewer(key);
    },
    [client, key],
  );
}
