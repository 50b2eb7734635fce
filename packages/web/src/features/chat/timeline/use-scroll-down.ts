import { useCallback, useRef, useState } from "react";
import { positionOf } from "@parley/core/model/chats/chat-rows";
import type { Chat } from "@parley/core/model/state";
import { messagesOf, type TimelineRow } from "@parley/core/model/chats/timeline";
import { useClient } from "../../../kit/use-client.ts";
import { hasScrollDownButton, unreadToVisit } from "./scroll-down.ts";
import { DIVIDER_POSITION } from "./scroll-position.ts";
import type { VirtualTimeline } from "./virtual-timeline.ts";

/**
 * The scroll-down button. Call `update` when the view or the rows have changed. The first click scrolls to the first unread message if
 * other messages are between it and the view; the next click scrolls to the end.
 */
export function useScrollDown(
  { key, window, sync }: Chat,
  rows: readonly TimelineRow[],
  virtualTimeline: VirtualTimeline,
) {
  const client = useClient();
  const [isShown, setShown] = useState(false);
  const wasShown = useRef(false);
  const update = useCallback(() => {
    const shouldShow = hasScrollDownButton({ window, sync }, rows, virtualTimeline);
    // Setting an unchanged state can still cost React an empty render.
    if (shouldShow !== wasShown.current) setShown(shouldShow);
    wasShown.current = shouldShow;
  }, [window, sync, rows, virtualTimeline]);
  /** The newest unread position at the time of the last such scroll. */
  const visitedPosition = useRef(-1);
  const scroll = useCallback(() => {
    const unread = unreadToVisit({ window, sync }, rows, virtualTimeline, visitedPosition.current);
    if (unread === null) {
      virtualTimeline.scrollToEnd(true);
      if (window.hasNewer) client.chats.showNewest(key);
      return;
    }
    const { position, row } = unread;
    visitedPosition.current = sync.unread.at(-1) ?? position;
    if (row !== undefined) return virtualTimeline.scrollToRow(row.key);
    const isFirstUnread = (candidate: TimelineRow) =>
      candidate.kind !== "tip" && messagesOf(candidate).some((one) => positionOf(one) === position);
    virtualTimeline.scrollToFirst(isFirstUnread, DIVIDER_POSITION);
    void client.chats.jumpTo(key, { id: position });
  }, [client, key, window, sync, rows, virtualTimeline]);
  return { isShown, update, scroll } as const;
}
