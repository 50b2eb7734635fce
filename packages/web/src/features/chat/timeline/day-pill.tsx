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
  /** Of what is seen; null when nobody asks, and then only the keyboard finds the pill. */
  day: string | null;
  timeInView: () => number | null;
}

/** The day of what is seen. Pressed, a calendar opens in which days with messages are marked, and the chosen day is gone to. */
export function DayPill({ chatKey, day, timeInView }: DayPillProps) {
  const t = useText();
  const button = useRef<HTMLButtonElement>(null);
  const findDays = useDaysWithMessages(chatKey);
  /** The day that the calendar opens with; null: it is closed. */
  const [asked, setAsked] = useState<{ day: string | null } | null>(null);
  const [isHovered, setHovered] = useState(false);
  const [last, setLast] = useState(day);
  if (day !== null && day !== last) setLast(day);
  const open = () => {
    const time = timeInView();
    setAsked({ day: time === null ? null : isoDay(new Date(time)) });
  };
  const close = () => setAsked(null);
  return (
    <div
      className={classNames(styles.day, (day !== null || isHovered || asked !== null) && styles.dayShown)}
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
    >
      <button
        ref={button}
        type="button"
        className={styles.dayButton}
        aria-label={t("chat.goToDate")}
        aria-haspopup="dialog"
        aria-expanded={asked !== null}
        onClick={asked === null ? open : close}
      >
        {last ?? <CalendarDays {...ICON_PROPS_16} />}
      </button>
      {asked !== null && (
        <DayPicker
          label={t("chat.goToDate")}
          opener={button}
          value={asked.day}
          findMarkedDays={findDays}
          onChoose={(goToDay) => showTime(chatKey, startOfDay(goToDay))}
          onClose={close}
          onMissing={close}
        />
      )}
    </div>
  );
}
