import { useEffect, useRef, useState } from "react";
import type { RefObject } from "react";
import { ArrowUp } from "lucide-react";
import type { ChatKey } from "@parley/core/model/state";
import type { TimelineRow } from "@parley/core/model/chats/timeline";
import { useLocale, useText } from "../../../kit/i18n.ts";
import { dayName } from "../../../kit/time-text.ts";
import { ICON_PROPS_16 } from "../../../ui/icon-props.ts";
import { countNewMessages, rowTime } from "./row-time.ts";
import { DayPill } from "./day-pill.tsx";
import type { VirtualTimeline } from "./virtual-timeline.ts";
import styles from "./timeline.module.css";

/** The day pill goes this long after the last turn of the wheel. */
const PILL_MS = 1_200;
/** What a person scrolls with; a chat that opens or follows scrolls by itself, and nobody asks for the day then. */
const USER_SCROLL_EVENTS = ["wheel", "touchmove", "pointerdown", "keydown"] as const;

interface TopOverlayProps {
  chatKey: ChatKey;
  scroller: RefObject<HTMLDivElement | null>;
  virtualTimeline: VirtualTimeline;
  rows: readonly TimelineRow[];
}

/**
 * What lies over the upper edge of a conversation (interface §6, §7): the day of what is seen, while somebody scrolls, and the way up to the
 * unread divider when it stands above the view, once for each divider.
 */
export function TopOverlay({ chatKey, scroller, virtualTimeline, rows }: TopOverlayProps) {
  const t = useText();
  const locale = useLocale();
  const [time, setTime] = useState<number | null>(null);
  const divider = rows.findIndex((row) => row.kind === "unread");
  const key = rows[divider + 1]?.key;
  const [isAbove, setAbove] = useState(false);
  /** The divider that was seen, or gone to. */
  const [handledKey, setHandledKey] = useState<string | undefined>();

  const checkDivider = () => {
    if (divider < 0 || handledKey === key) return;
    const { top } = virtualTimeline.rowBox(divider);
    if (top < 0 !== isAbove) setAbove(top < 0);
    // One that passes by while nobody looks at the window was not seen.
    if (top >= 0 && top < virtualTimeline.view().height && document.hasFocus()) setHandledKey(key);
  };
  const latest = useRef({ rows, lookForDivider: checkDivider });
  useEffect(() => {
    latest.current = { rows, lookForDivider: checkDivider };
    const frame = requestAnimationFrame(checkDivider);
    return () => cancelAnimationFrame(frame);
  });

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    let timer = 0;
    let lastUserScroll = -Infinity;
    const noteUserScroll = () => {
      lastUserScroll = performance.now();
    };
    const scroll = () => {
      latest.current.lookForDivider();
      if (performance.now() - lastUserScroll > PILL_MS) return;
      setTime(rowTime(latest.current.rows, virtualTimeline.firstVisibleIndex()));
      window.clearTimeout(timer);
      timer = window.setTimeout(() => setTime(null), PILL_MS);
    };
    element.addEventListener("scroll", scroll, { passive: true });
    for (const name of USER_SCROLL_EVENTS) element.addEventListener(name, noteUserScroll, { passive: true });
    return () => {
      window.clearTimeout(timer);
      element.removeEventListener("scroll", scroll);
      for (const name of USER_SCROLL_EVENTS) element.removeEventListener(name, noteUserScroll);
    };
  }, [scroller, virtualTimeline]);

  const row = rows[divider];
  if (row !== undefined && isAbove && handledKey !== key) {
    return (
      <button
        type="button"
        className={styles.newAbove}
        onClick={() => {
          setHandledKey(key);
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
