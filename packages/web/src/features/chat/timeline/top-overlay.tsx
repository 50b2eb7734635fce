import { useEffect, useRef, useState } from "react";
import type { RefObject } from "react";
import { ArrowUp, CalendarDays } from "lucide-react";
import { messagesOf, type TimelineRow } from "@parley/core/model/chats/timeline";
import type { ChatKey } from "@parley/core/model/state";
import { useLocale, useText } from "../../../kit/i18n/i18n.ts";
import { lazyComponent } from "../../../kit/loading/lazy-component.tsx";
import { showTime } from "../../../kit/chats/show-message.ts";
import { dayName } from "../../../kit/i18n/time-text.ts";
import { classNames } from "../../../ui/class-names.ts";
import { isoDay, startOfDay } from "../../../ui/day.ts";
import { ICON_PROPS_16 } from "../../../ui/icon-props.ts";
import { useDaysWithMessages } from "./use-days-with-messages.ts";
import type { VirtualTimeline } from "./virtual-timeline.ts";
import styles from "./timeline.module.css";

/** The day pill is hidden this long after the last scroll event. */
const PILL_MS = 1_200;
/** The pill lies above this much of the view. */
const PILL_PX = 40;
/** Input events of a person. When the chat scrolls by itself, e.g. while opening, no day is shown. */
const USER_SCROLL_EVENTS = ["wheel", "touchmove", "pointerdown", "keydown"] as const;

interface TopOverlayProps {
  chatKey: ChatKey;
  scroller: RefObject<HTMLDivElement | null>;
  virtualTimeline: VirtualTimeline;
  rows: readonly TimelineRow[];
}

/**
 * The overlay at the top of a conversation (interface §6, §7): the day of the visible messages while somebody scrolls, or a button that
 * scrolls up to the unread divider if it is above the view, once for each divider.
 */
export function TopOverlay({ chatKey, scroller, virtualTimeline, rows }: TopOverlayProps) {
  const t = useText();
  const locale = useLocale();
  const [time, setTime] = useState<number | null>(null);
  const divider = rows.findIndex((row) => row.kind === "unread");
  const firstUnreadKey = rows[divider + 1]?.key;
  const [isAbove, setAbove] = useState(false);
  /** The row below the divider that was already seen or scrolled to. */
  const [handledKey, setHandledKey] = useState<string | undefined>();

  const checkDivider = () => {
    if (divider < 0 || handledKey === firstUnreadKey) return;
    const { top } = virtualTimeline.rowBox(divider);
    if (top < 0 !== isAbove) setAbove(top < 0);
    // A divider in view does not count as seen while the window has no focus.
    if (top >= 0 && top < virtualTimeline.view().height && document.hasFocus()) setHandledKey(firstUnreadKey);
  };
  const latest = useRef({ rows, checkDivider });
  useEffect(() => {
    latest.current = { rows, checkDivider };
    const frame = requestAnimationFrame(checkDivider);
    return () => cancelAnimationFrame(frame);
  });

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    let timer = 0;
    let lastUserScroll = -Infinity;
    const recordUserScroll = () => {
      lastUserScroll = performance.now();
    };
    const handleScroll = () => {
      latest.current.checkDivider();
      if (performance.now() - lastUserScroll > PILL_MS) return;
      const { rows: shownRows } = latest.current;
      const first = virtualTimeline.firstVisibleIndex();
      // A time tip says the same, so that the pill need not cover it.
      const isTimeShown = hasTimeNearTop(
        shownRows,
        first,
        (index) => virtualTimeline.rowBox(index).top,
        PILL_PX,
      );
      setTime(isTimeShown ? null : rowTime(shownRows, first));
      window.clearTimeout(timer);
      timer = window.setTimeout(() => setTime(null), PILL_MS);
    };
    element.addEventListener("scroll", handleScroll, { passive: true });
    for (const name of USER_SCROLL_EVENTS)
      element.addEventListener(name, recordUserScroll, { passive: true });
    return () => {
      window.clearTimeout(timer);
      element.removeEventListener("scroll", handleScroll);
      for (const name of USER_SCROLL_EVENTS) element.removeEventListener(name, recordUserScroll);
    };
  }, [scroller, virtualTimeline]);

  const row = rows[divider];
  if (row !== undefined && isAbove && handledKey !== firstUnreadKey) {
    return (
      <button
        type="button"
        className={styles.newAbove}
        onClick={() => {
          setHandledKey(firstUnreadKey);
          virtualTimeline.scrollToRow(row.key);
        }}
      >
        {t("chat.newAbove", { count: countNewMessages(rows, divider) })}
        <ArrowUp {...ICON_PROPS_16} />
      </button>
    );
  }
  return (
    <DayPill
      chatKey={chatKey}
      day={time === null ? null : dayName(time, Date.now(), locale, t)}
      timeInView={() => rowTime(rows, virtualTimeline.firstVisibleIndex())}
    />
  );
}

const DayPicker = lazyComponent(() => import("./day-picker.tsx").then((part) => part.DayPicker));

interface DayPillProps {
  chatKey: ChatKey;
  /** The day of the first visible message; null hides the pill, but it stays reachable by keyboard. */
  day: string | null;
  timeInView: () => number | null;
}

/** Shows the day of the visible messages. A click opens a calendar with the days that have messages; selecting a day scrolls to it. */
function DayPill({ chatKey, day, timeInView }: DayPillProps) {
  const t = useText();
  const button = useRef<HTMLButtonElement>(null);
  const findDays = useDaysWithMessages(chatKey);
  /** The open calendar with its initial day; null if it is closed. */
  const [picker, setPicker] = useState<{ day: string | null } | null>(null);
  const [isHovered, setHovered] = useState(false);
  const [lastDay, setLastDay] = useState(day);
  if (day !== null && day !== lastDay) setLastDay(day);
  const open = () => {
    const time = timeInView();
    setPicker({ day: time === null ? null : isoDay(new Date(time)) });
  };
  const close = () => setPicker(null);
  return (
    <div
      className={classNames(styles.day, (day !== null || isHovered || picker !== null) && styles.dayShown)}
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
    >
      <button
        ref={button}
        type="button"
        className={styles.dayButton}
        aria-label={lastDay === null ? t("chat.goToDate") : `${lastDay}, ${t("chat.goToDate")}`}
        aria-haspopup="dialog"
        aria-expanded={picker !== null}
        onClick={picker === null ? open : close}
      >
        {lastDay ?? <CalendarDays {...ICON_PROPS_16} />}
      </button>
      {picker !== null && (
        <DayPicker
          label={t("chat.goToDate")}
          opener={button}
          value={picker.day}
          findMarkedDays={findDays}
          onChoose={(selectedDay) => showTime(chatKey, startOfDay(selectedDay))}
          onClose={close}
          onMissing={close}
        />
      )}
    </div>
  );
}

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
