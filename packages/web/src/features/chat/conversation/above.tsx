import { useEffect, useRef, useState } from "react";
import type { RefObject } from "react";
import { ArrowUp } from "lucide-react";
import type { ChatKey } from "@parley/core/model/state";
import type { TimelineRow } from "@parley/core/model/timeline";
import { useLocale, useText } from "../../../kit/i18n.ts";
import { dayName } from "../../../kit/time-text.ts";
import { ICON_16 } from "../../../ui/icon.ts";
import { countNew, timeAt } from "./above-rows.ts";
import { DayPill } from "./day-pill.tsx";
import type { Stage } from "./stage.ts";
import styles from "./timeline.module.css";

/** The day pill goes this long after the last turn of the wheel. */
const PILL_MS = 1_200;
/** What a person scrolls with; a chat that opens or follows scrolls by itself, and nobody asks for the day then. */
const HANDS = ["wheel", "touchmove", "pointerdown", "keydown"] as const;

interface AboveProps {
  chatKey: ChatKey;
  scroller: RefObject<HTMLDivElement | null>;
  stage: Stage;
  rows: readonly TimelineRow[];
}

/**
 * What lies over the upper edge of a conversation (interface §6, §7): the day of what is seen, while somebody scrolls, and the way up to the
 * unread divider when it stands above the view, once for each divider.
 */
export function Above({ chatKey, scroller, stage, rows }: AboveProps) {
  const t = useText();
  const locale = useLocale();
  const [time, setTime] = useState<number | null>(null);
  const divider = rows.findIndex((row) => row.kind === "unread");
  const key = rows[divider + 1]?.key;
  const [isAbove, setAbove] = useState(false);
  /** The divider that was seen, or gone to. */
  const [done, setDone] = useState<string | undefined>();

  const lookForDivider = () => {
    if (divider < 0 || done === key) return;
    const { top } = stage.boxOf(divider);
    if (top < 0 !== isAbove) setAbove(top < 0);
    // One that passes by while nobody looks at the window was not seen.
    if (top >= 0 && top < stage.view().height && document.hasFocus()) setDone(key);
  };
  const latest = useRef({ rows, lookForDivider });
  useEffect(() => {
    latest.current = { rows, lookForDivider };
    const frame = requestAnimationFrame(lookForDivider);
    return () => cancelAnimationFrame(frame);
  });

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    let timer = 0;
    let handAt = -Infinity;
    const hand = () => {
      handAt = performance.now();
    };
    const scroll = () => {
      latest.current.lookForDivider();
      if (performance.now() - handAt > PILL_MS) return;
      setTime(timeAt(latest.current.rows, stage.topIndex()));
      window.clearTimeout(timer);
      timer = window.setTimeout(() => setTime(null), PILL_MS);
    };
    element.addEventListener("scroll", scroll, { passive: true });
    for (const name of HANDS) element.addEventListener(name, hand, { passive: true });
    return () => {
      window.clearTimeout(timer);
      element.removeEventListener("scroll", scroll);
      for (const name of HANDS) element.removeEventListener(name, hand);
    };
  }, [scroller, stage]);

  const row = rows[divider];
  if (row !== undefined && isAbove && done !== key) {
    return (
      <button
        type="button"
        className={styles.newAbove}
        onClick={() => {
          setDone(key);
          stage.toRow(row.key);
        }}
      >
        {t("chat.newAbove", { count: countNew(rows, divider) })}
        <ArrowUp {...ICON_16} />
      </button>
    );
  }
  return (
    <DayPill
      chatKey={chatKey}
      day={time === null ? null : dayName(time, Date.now(), locale, t)}
      timeInView={() => timeAt(rows, stage.topIndex())}
    />
  );
}
