import { useEffect, useRef, useState } from "react";
import type { RefObject } from "react";
import { ArrowUp } from "lucide-react";
import type { ChatKey } from "@parley/core/model/state";
import type { TimelineRow } from "@parley/core/model/chats/timeline";
import { useLocale, useText } from "../../../kit/i18n.ts";
import { dayName } from "../../../kit/time-text.ts";
import { ICON_PROPS_16 } from "../../../ui/icon-props.ts";
import { countNewMessages, hasTimeNearTop, rowTime } from "./row-time.ts";
import { DayPill } from "./day-pill.tsx";
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
