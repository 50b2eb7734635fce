import { useCallback, useRef } from "react";
import { positionOf } from "@parley/core/model/rows";
import type { Chat } from "@parley/core/model/state";
import type { TimelineRow } from "@parley/core/model/timeline";
import { useClient } from "../../../kit/use-client.ts";
import type { Stage } from "./stage.ts";

/** The row of somebody else's message; -1: it is not among these. */
function indexAt(rows: readonly TimelineRow[], position: number | undefined): number {
  return rows.findLastIndex(
    (row) => row.kind === "message" && !row.message.selfSend && positionOf(row.message) === position,
  );
}

/** Whether the end of the newest message not seen yet lies below the view. */
export function isUnseenBelow({ book }: Chat, rows: readonly TimelineRow[], stage: Stage): boolean {
  const newest = book.unread.at(-1);
  const index = newest === undefined ? -1 : indexAt(rows, newest);
  return index >= 0 && stage.boxOf(index).bottom > stage.view().height;
}

/**
 * What the down button does: its first press leads to the first message not seen, if others stand between the view and that; the next
 * one to the end.
 */
export function useDown(chat: Chat, rows: readonly TimelineRow[], stage: Stage): () => void {
  const client = useClient();
  /** The unseen message that was gone to. */
  const gone = useRef(-1);
  const { key, window, book } = chat;
  return useCallback(() => {
    const newest = book.unread.at(-1) ?? -1;
    const [unseen] = book.unread;
    const index = indexAt(rows, unseen);
    const before = rows.findLastIndex((row, at) => at < index && row.kind === "message");
    const isFurther =
      index < 0 ? window.hasNewer : before >= 0 && stage.boxOf(before).top >= stage.view().height;
    if (unseen !== undefined && newest > gone.current && isFurther) {
      gone.current = newest;
      const row = rows[index];
      if (row !== undefined) return stage.toRow(row.key);
      const isUnseen = (candidate: TimelineRow) =>
        candidate.kind === "message" && positionOf(candidate.message) === unseen;
      stage.seek(isUnseen, 0.25);
      void client.chats.jumpTo(key, { id: unseen });
      return;
    }
    stage.toEnd(true);
    if (window.hasNewer) client.chats.toNewest(key);
  }, [client, key, window.hasNewer, book.unread, rows, stage]);
}
