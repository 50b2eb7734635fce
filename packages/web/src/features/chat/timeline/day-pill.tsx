import { useRef, useState } from "react";
import { CalendarDays } from "lucide-react";
import type { ChatKey } from "@parley/core/model/state";
import { useText } from "../../../kit/i18n.ts";
import { lazyComponent } from "../../../kit/lazy-component.tsx";
import { showTime } from "../../../kit/show-message.ts";
import { classNames } from "../../../ui/class-names.ts";
import { isoDay, startOfDay } from "../../../ui/day.ts";
import { ICON_PROPS_16 } from "../../../ui/icon-props.ts";
import { useDaysWithMessages } from "./use-days-with-messages.ts";
import styles from "./timeline.module.css";

const DayPicker = lazyComponent(() => import("../../../kit/day-picker.tsx").then((part) => part.DayPicker));

interface DayPillProps {
  chatKey: ChatKey;
  /** The day of the first visible message; null hides the pill, but it stays reachable by keyboard. */
  day: string | null;
  timeInView: () => number | null;
}

/** Shows the day of the visible messages. A click opens a calendar with the days that have messages; selecting a day scrolls to it. */
export function DayPill({ chatKey, day, timeInView }: DayPillProps) {
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
