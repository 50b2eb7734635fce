import { useLocale, useText } from "../../kit/i18n.ts";
import { fullTime, tipTime } from "../../kit/time-text.ts";

/** A time as short as its distance allows; the whole one is its tooltip. `null`: never. */
export function TimeText({ time }: { time: number | null }) {
  const t = useText();
  const locale = useLocale();
  if (time === null) return t("admin.never");
  return (
    <time dateTime={new Date(time).toISOString()} title={fullTime(time, locale)}>
      {tipTime(time, Date.now(), locale, t)}
    </time>
  );
}
