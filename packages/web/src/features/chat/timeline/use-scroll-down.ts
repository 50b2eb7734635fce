import { useCallback, useRef } from "react";
import { positionOf } from "@parley/core/model/chats/chat-rows";
import type { Chat } from "@parley/core/model/state";
import type { TimelineRow } from "@parley/core/model/chats/timeline";
import { useClient } from "../../../kit/use-client.ts";
import { unreadToVisit } from "./scroll-down.ts";
import { DIVIDER_POSITION } from "./scroll-position.ts";
import type { VirtualTimeline } from "./virtual-timeline.ts";

/**
 * The action of the scroll-down button. The first click scrolls to the first unread message if other messages are between it and the
 * view; the next click scrolls to the end.
 */
export function useScrollDown(
  { key, window, sync }: Chat,
  rows: readonly TimelineRow[],
  virtualTimeline: VirtualTimeline,
): () => void {
  const client = useClient();
  /** The newest unread position at the time of the last such scroll. */
  const visitedPosition = useRef(-1);
  return useCallback(() => {
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
      candidate.kind === "message" && positionOf(candidate.message) === position;
    virtualTimeline.scrollToFirst(isFirstUnread, DIVIDER_POSITION);
    void client.chats.jumpTo(key, { id: position });
  }, [client, key, window, sync, rows, virtualTimeline]);
}
