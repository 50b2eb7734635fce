import { Calendar } from "../../../ui/calendar.tsx";
import type { CalendarProps } from "../../../ui/calendar.tsx";
import { isoDay } from "../../../ui/day.ts";
import { useLocale, useText } from "../../../kit/i18n/i18n.ts";

/** No message is older. */
const FIRST_DAY = "2000-01-01";
const SUNDAY = 0;
const MONDAY = 1;

type DayPickerProps = Pick<
  CalendarProps,
  "label" | "opener" | "value" | "findMarkedDays" | "onChoose" | "onClose"
>;

/** Picks a day up to today from a calendar in the reader's language. */
export function DayPicker(props: DayPickerProps) {
  const t = useText();
  const locale = useLocale();
  const today = isoDay(new Date());
  return (
    <Calendar
      {...props}
      locale={locale}
      firstWeekday={locale === "zh-CN" ? MONDAY : SUNDAY}
      today={today}
      min={FIRST_DAY}
      max={today}
      texts={{
        previousYear: t("calendar.previousYear"),
        previousMonth: t("calendar.previousMonth"),
        nextMonth: t("calendar.nextMonth"),
        nextYear: t("calendar.nextYear"),
        day: (day, isMarked) => (isMarked ? t("calendar.marked", { day }) : day),
      }}
    />
  );
}
