import { useEffect, useState } from "react";
import type { RefObject } from "react";
import { ArrowUp } from "lucide-react";
import type { VirtualizerHandle } from "virtua";
import type { TimelineRow } from "@parley/core/model/timeline";
import { useLocale, useText } from "../../../kit/i18n.ts";
import { dayName } from "../../../kit/time-text.ts";
import { ICON_16 } from "../../../ui/icon.ts";
import { countNew, timeAt } from "./above-rows.ts";
import { HEAD_PX } from "./use-timeline-scroll.ts";
import styles from "./timeline.module.css";

/** The day pill goes this long after the last turn of the wheel. */
const PILL_MS = 1_200;
/** What a person scrolls with; a chat that opens or follows scrolls by itself, and nobody asks for the day then. */
const HANDS = ["wheel", "touchmove", "pointerdown", "keydown"] as const;

interface AboveProps {
  scroller: RefObject<HTMLDivElement | null>;
  list: RefObject<VirtualizerHandle | null>;
  rows: readonly TimelineRow[];
  /** To this row. */
  onGo: (index: number) => void;
}

/**
 * What lies over the upper edge of a conversation (interface §6, §7): the day of what is seen, while somebody scrolls, and the way up to the
 * unread divider when it stands above the view, once for each divider.
 */
export function Above({ scroller, list, rows, onGo }: AboveProps) {
  const t = useText();
  const locale = useLocale();
  const [day, setDay] = useState<string | null>(null);
  const divider = rows.findIndex((row) => row.kind === "unread");
  const key = rows[divider + 1]?.key;
  const [isAbove, setAbove] = useState(false);
  /** The divider that was seen, or gone to. */
  const [done, setDone] = useState<string | undefined>();

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    let timer = 0;
    let handAt = -Infinity;
    const hand = () => {
      handAt = performance.now();
    };
    const lookForDivider = () => {
      const handle = list.current;
      if (handle === null || divider < 0 || !element.hasAttribute("data-placed")) return;
      const at = HEAD_PX + handle.getItemOffset(divider) - element.scrollTop;
      setAbove(at < 0);
      if (at >= 0 && at < element.clientHeight) setDone(key);
    };
    const scroll = () => {
      lookForDivider();
      const handle = list.current;
      if (handle === null || performance.now() - handAt > PILL_MS) return;
      const time = timeAt(rows, handle.findItemIndex(element.scrollTop - HEAD_PX));
      setDay(time === null ? null : dayName(time, Date.now(), locale, t));
      window.clearTimeout(timer);
      timer = window.setTimeout(() => setDay(null), PILL_MS);
    };
    const frame = requestAnimationFrame(lookForDivider);
    element.addEventListener("scroll", scroll, { passive: true });
    for (const name of HANDS) element.addEventListener(name, hand, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      window.clearTimeout(timer);
      element.removeEventListener("scroll", scroll);
      for (const name of HANDS) element.removeEventListener(name, hand);
    };
  }, [scroller, list, rows, divider, key, locale, t]);

  if (divider >= 0 && isAbove && done !== key) {
    return (
      <button
        type="button"
        className={styles.newAbove}
        onClick={() => {
          setDone(key);
          onGo(divider);
        }}
      >
        {t("chat.newAbove", { count: countNew(rows, divider) })}
        <ArrowUp {...ICON_16} />
      </button>
    );
  }
  return day === null ? null : (
    <div className={styles.day} aria-hidden="true">
      {day}
    </div>
  );
}
