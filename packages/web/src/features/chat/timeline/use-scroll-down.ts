import { useCallback, useRef } from "react";
import { positionOf } from "@parley/core/model/chats/chat-rows";
import type { Chat } from "@parley/core/model/state";
import type { TimelineRow } from "@parley/core/model/chats/timeline";
import { useClient } from "../../../kit/use-client.ts";
import type { VirtualTimeline } from "./virtual-timeline.ts";

/** The index of the row with the message of others at this position; -1 if there is none. */
function indexAt(rows: readonly TimelineRow[], position: number | undefined): number {
  return rows.findLastIndex(
    (row) => row.kind === "message" && !row.message.selfSend && positionOf(row.message) === position,
  );
}

/** Whether the end of the newest unread message is below the view. */
export function isUnreadBelow(
  { sync }: Chat,
  rows: readonly TimelineRow[],
  virtualTimeline: VirtualTimeline,
): boolean {
  const newest = sync.unread.at(-1);
  const index = newest === undefined ? -1 : indexAt(rows, newest);
  return index >= 0 && virtualTimeline.rowBox(index).bottom > virtualTimeline.view().height;
}

/**
 * The action of the scroll-down button. The first click scrolls to the first unread message if other messages are between it and the
 * view; the next click scrolls to the end.
 */
export function useScrollDown(
  chat: Chat,
  rows: readonly TimelineRow[],
  virtualTimeline: VirtualTimeline,
): () => void {
  const client = useClient();
  /** The newest unread position at the time of the last such scroll. */
  const visitedPosition = useRef(-1);
  const { key, window, sync } = chat;
  return useCallback(() => {
    const newest = sync.unread.at(-1) ?? -1;
    const [firstUnread] = sync.unread;
    const index = indexAt(rows, firstUnread);
    const previousIndex = rows.findLastIndex((row, rowIndex) => rowIndex < index && row.kind === "message");
    const isFurther =
      index < 0
        ? window.hasNewer
        : previousIndex >= 0 && virtualTimeline.rowBox(previousIndex).top >= virtualTimeline.view().height;
    if (firstUnread !== undefined && newest > visitedPosition.current && isFurther) {
      visitedPosition.current = newest;
      const row = rows[index];
      if (row !== undefined) return virtualTimeline.scrollToRow(row.key);
      const isFirstUnread = (candidate: TimelineRow) =>
        candidate.kind === "message" && positionOf(candidate.message) === firstUnread;
      virtualTimeline.scrollToFirst(isFirstUnread, 0.25);
      void client.chats.jumpTo(key, { id: firstUnread });
      return;
    }
    virtualTimeline.scrollToEnd(true);
    if (window.hasNewer) client.chats.showNewest(key);
  }, [client, key, window.hasNewer, sync.unread, rows, virtualTimeline]);
}
