import type { TimelineRow } from "@parley/core/model/chats/timeline";

/** When the row at this place was sent, or the next one below that has a time. */
export function rowTime(rows: readonly TimelineRow[], index: number): number | null {
  for (const row of rows.slice(Math.max(0, index))) {
    if (row.kind === "time") return row.time;
    if (row.kind !== "unread") return row.message.sendTime;
  }
  return null;
}

/** Messages of others below the divider. */
export function countNewMessages(rows: readonly TimelineRow[], divider: number): number {
  return rows.slice(divider + 1).filter((row) => row.kind === "message" && !row.message.selfSend).length;
}
