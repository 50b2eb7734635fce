import { useRef, useState } from "react";
import { CalendarDays } from "lucide-react";
import type { ChatKey } from "@parley/core/model/state";
import { useText } from "../../../kit/i18n.ts";
import { showTime } from "../../../kit/show-message.ts";
import { classNames } from "../../../ui/class-names.ts";
import { isoDay, readDay, startOfDay } from "../../../ui/day.ts";
import { ICON_16 } from "../../../ui/icon.ts";
import styles from "./timeline.module.css";

interface DayPillProps {
  chatKey: ChatKey;
  /** Of what is seen; null when nobody asks, and then only the keyboard finds the pill. */
  day: string | null;
  timeInView: () => number | null;
}

/** The day of what is seen. Pressed, the browser's calendar opens, and the chosen day is gone to. */
export function DayPill({ chatKey, day, timeInView }: DayPillProps) {
  const t = useText();
  const calendar = useRef<HTMLInputElement>(null);
  const [isHovered, setHovered] = useState(false);
  const [last, setLast] = useState(day);
  if (day !== null && day !== last) setLast(day);
  const open = () => {
    const field = calendar.current;
    if (field === null) return;
    const time = timeInView();
    field.value = time === null ? "" : isoDay(new Date(time));
    field.max = isoDay(new Date());
    field.showPicker();
  };
  return (
    <div
      className={classNames(styles.day, (day !== null || isHovered) && styles.dayShown)}
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
    >
      <button type="button" className={styles.dayButton} aria-label={t("chat.goToDate")} onClick={open}>
        {last ?? <CalendarDays {...ICON_16} />}
      </button>
      <input
        ref={calendar}
        type="date"
        className={styles.calendar}
        aria-label={t("chat.goToDate")}
        tabIndex={-1}
        onChange={(event) => {
          const chosen = readDay(event.currentTarget.value);
          if (chosen !== null) showTime(chatKey, startOfDay(chosen));
        }}
      />
    </div>
  );
}
