import { useText } from "../../../../kit/i18n/i18n.ts";
import { SelectField } from "../../../../ui/select-field.tsx";
import { POLL_ENDS, type PollEnd } from "./poll-form.ts";

/** Asks when a poll ends. */
export function EndField({ value, onChange }: { value: PollEnd; onChange: (end: PollEnd) => void }) {
  const t = useText();
  return (
    <SelectField
      label={t("poll.ends")}
      value={value}
      options={Object.keys(POLL_ENDS).map((end) => ({ value: end, text: t(`poll.end.${end as PollEnd}`) }))}
      onChange={(end) => onChange(end as PollEnd)}
    />
  );
}
