import type { TimelineRow } from "@parley/core/model/chats/timeline";

/** The time of the row with this index, or of the next row below that has one. */
export function rowTime(rows: readonly TimelineRow[], index: number): number | null {
  for (const row of rows.slice(Math.max(0, index))) {
    if (row.kind === "time") return row.time;
    if (row.kind !== "unread") return row.message.sendTime;
  }
  return null;
}

/** The number of messages of others below the divider. */
export function countNewMessages(rows: readonly TimelineRow[], divider: number): number {
  return rows.slice(divider + 1).filter((row) => row.kind === "message" && !row.message.selfSend).length;
}
