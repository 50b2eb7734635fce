import { messagesOf, type TimelineRow } from "@parley/core/model/chats/timeline";

/** The time of the row with this index, or of the next row below that has one. */
export function rowTime(rows: readonly TimelineRow[], index: number): number | null {
  for (const row of rows.slice(Math.max(0, index))) {
    if (row.kind === "time") return row.time;
    const [message] = messagesOf(row);
    if (message !== undefined) return message.sendTime;
  }
  return null;
}

/** Whether a time tip is among the rows from `first` on that begin within `px` below the upper edge of the view. `topOf`: where a row begins. */
export function hasTimeNearTop(
  rows: readonly TimelineRow[],
  first: number,
  topOf: (index: number) => number,
  px: number,
): boolean {
  for (let index = Math.max(0, first); index < rows.length && topOf(index) <= px; index++)
    if (rows[index]?.kind === "time") return true;
  return false;
}

/** The number of messages of others below the divider. */
export function countNewMessages(rows: readonly TimelineRow[], divider: number): number {
  const messages = rows.slice(divider + 1).flatMap((row) => (row.kind === "tip" ? [] : messagesOf(row)));
  return messages.filter(({ selfSend }) => !selfSend).length;
}
