import { useCallback, useRef, useState } from "react";
import type { ComponentProps } from "react";
import { ArrowDown } from "lucide-react";
import { positionOf } from "@parley/core/model/chats/chat-rows";
import { messagesOf, type TimelineRow } from "@parley/core/model/chats/timeline";
import type { Chat } from "@parley/core/model/state";
import { useText } from "../../../kit/i18n/i18n.ts";
import { useClient } from "../../../kit/loading/use-client.ts";
import { Badge } from "../../../ui/badge.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { ICON_PROPS } from "../../../ui/icon-props.ts";
import { DIVIDER_POSITION } from "./scroll-position.ts";
import type { VirtualTimeline } from "./virtual-timeline.ts";
import styles from "./timeline.module.css";

/** A button that scrolls to the newest message, with the number of unread messages. */
export function ScrollDownButton({ unreadCount, onClick }: { unreadCount: number; onClick: () => void }) {
  const t = useText();
  const label = unreadCount > 0 ? t("chat.downUnseen", { count: unreadCount }) : t("chat.down");
  return (
    <TimelineButton label={label} count={unreadCount} className={styles.scrollDown} onClick={onClick}>
      <ArrowDown {...ICON_PROPS} />
    </TimelineButton>
  );
}

interface TimelineButtonProps extends ComponentProps<"button"> {
  /** Accessible name and tooltip. */
  label: string;
  /** Shown in a badge on the button. */
  count: number;
}

/** A round button over the end of the messages that scrolls to others. */
export function TimelineButton({ label, count, className, children, ...button }: TimelineButtonProps) {
  return (
    <button
      {...button}
      type="button"
      className={classNames(styles.roundButton, className)}
      aria-label={label}
      data-tip={label}
      data-tip-side="top"
    >
      {children}
      <Badge count={count} className={styles.roundButtonBadge} />
    </button>
  );
}

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
