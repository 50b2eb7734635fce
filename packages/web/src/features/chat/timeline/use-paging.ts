import { useCallback, useEffect, useRef } from "react";
import type { Chat } from "@parley/core/model/state";
import { useClient } from "../../../kit/use-client.ts";
import type { TimelineView } from "./virtual-timeline.ts";

/** The next messages are asked for when less than this many view heights are left. */
const AHEAD = 2;
/** Before the person has scrolled only what is nearly in view is asked for: who merely looks in waits for nothing. */
const AHEAD_AT_REST = 0.1;

/** Asks for older and newer messages in time, whenever it is told where the view is. */
export function usePaging(chat: Chat): (view: TimelineView) => void {
  const client = useClient();
  const { key, window } = chat;
  const latest = useRef(window);
  useEffect(() => {
    latest.current = window;
  });
  const opened = useRef<number | null>(null);
  return useCallback(
    ({ above, below, height }: TimelineView) => {
      const { hasOlder, older, hasNewer, newer } = latest.current;
      opened.current ??= above;
      const ahead = height * (above === opened.current ? AHEAD_AT_REST : AHEAD);
      if (hasOlder && older === "idle" && above <= ahead) client.chats.loadOlder(key);
      if (hasNewer && newer === "idle" && below <= height * AHEAD) client.chats.loadNewer(key);
    },
    [client, key],
  );
}
