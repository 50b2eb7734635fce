import { useCallback, useRef } from "react";
import { positionOf } from "@parley/core/model/rows";
import type { Chat } from "@parley/core/model/state";
import type { TimelineRow } from "@parley/core/model/timeline";
import { useClient } from "../../../kit/use-client.ts";
import type { Stage } from "./stage.ts";

/** What the down button does: its first press leads to the first message not seen, if that is below the view; the next one to the end. */
export function useDown(chat: Chat, rows: readonly TimelineRow[], stage: Stage): () => void {
  const client = useClient();
  /** The unseen message that was gone to. */
  const gone = useRef(-1);
  const { key, window, book } = chat;
  return useCallback(() => {
    const newest = book.unread.at(-1) ?? -1;
    const [unseen] = book.unread;
    const index = rows.findIndex(
      (row) => row.kind === "message" && !row.message.selfSend && positionOf(row.message) === unseen,
    );
    const isBelow = index >= 0 ? stage.boxOf(index).bottom > stage.view().height : window.hasNewer;
    if (unseen !== undefined && newest > gone.current && isBelow) {
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
