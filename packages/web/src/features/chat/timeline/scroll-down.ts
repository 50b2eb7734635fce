import { positionOf } from "@parley/core/model/chats/chat-rows";
import type { Chat } from "@parley/core/model/state";
import { messagesOf, type TimelineRow } from "@parley/core/model/chats/timeline";
import type { VirtualTimeline } from "./virtual-timeline.ts";

/** The scroll-down button is shown if more than this, or an unread message, is below the view. */
const BUTTON_PX = 240;

type ChatPart = Pick<Chat, "sync" | "window">;

/** Where rows and view are. */
type Positions = Pick<VirtualTimeline, "rowBox" | "view">;

/** Whether the scroll-down button is shown. */
export function hasScrollDownButton(
  { sync, window }: ChatPart,
  rows: readonly TimelineRow[],
  positions: Positions,
): boolean {
  const { below, height } = positions.view();
  if (window.hasNewer || below > BUTTON_PX) return true;
  const newest = sync.unread.at(-1);
  const index = newest === undefined ? -1 : indexAt(rows, newest);
  return index >= 0 && positions.rowBox(index).bottom > height;
}

/**
 * The first unread message, if a click on the button leads there: other messages are between it and the view, and no earlier click has
 * led to the unread messages up to the position `visited`. null: the click leads to the end. `row` is missing while it is not loaded.
 */
export function unreadToVisit(
  { sync, window }: ChatPart,
  rows: readonly TimelineRow[],
  positions: Positions,
  visited: number,
): { position: number; row: TimelineRow | undefined } | null {
  const [position] = sync.unread;
  const newest = sync.unread.at(-1);
  if (position === undefined || newest === undefined || newest <= visited) return null;
  const index = indexAt(rows, position);
  if (index < 0) return window.hasNewer ? { position, row: undefined } : null;
  const previous = rows.findLastIndex((row, rowIndex) => rowIndex < index && isRunRow(row));
  const isFurther = previous >= 0 && positions.rowBox(previous).top >= positions.view().height;
  return isFurther ? { position, row: rows[index] } : null;
}

/** The index of the row with the message of others at this position; -1 if there is none. */
function indexAt(rows: readonly TimelineRow[], position: number): number {
  return rows.findLastIndex(
    (row) => isRunRow(row) && messagesOf(row).some((one) => !one.selfSend && positionOf(one) === position),
  );
}

function isRunRow({ kind }: TimelineRow): boolean {
  return kind === "message" || kind === "pictures";
}
