import { useId } from "react";
import {
  BIRTHDAY_MONTHS,
  birthdayDays,
  birthdayYears,
  changeBirthday,
  type Birthday,
} from "@parley/core/model/forms/profile-rules";
import { useLocale, useText } from "../../kit/i18n/i18n.ts";
import { FieldNote } from "../../ui/field.tsx";
import { Text } from "../../ui/layout.tsx";
import { SelectField } from "../../ui/select-field.tsx";
import styles from "./profile-dialog.module.css";

interface BirthdayFieldProps {
  birthday: Birthday;
  error: string | null;
  onChange: (birthday: Birthday) => void;
  /** The focus has left all three lists. */
  onLeave: () => void;
}

/** A birthday in three lists: year, month and day (spec §5). */
export function BirthdayField({ birthday, error, onChange, onLeave }: BirthdayFieldProps) {
  const t = useText();
  const locale = useLocale();
  const labelId = useId();
  const noteId = useId();
  const { year, month, day } = birthday;
  const texts = (part: "year" | "month" | "day", dateOf: (value: number) => Date) => {
    const format = new Intl.DateTimeFormat(locale, { [part]: part === "month" ? "short" : "numeric" });
    return (value: number) => format.format(dateOf(value));
  };
  const change = (part: keyof Birthday) => (value: string) =>
    onChange(changeBirthday(birthday, { [part]: value === "" ? null : Number(value) }));
  const list = (name: string, values: readonly number[], textOf: (value: number) => string) => [
    { value: "", text: name },
    ...values.map((value) => ({ value: String(value), text: textOf(value) })),
  ];
  const shared = { isLabelHidden: true, isWrong: error !== null, "aria-describedby": noteId } as const;
  return (
    <div
      role="group"
      aria-labelledby={labelId}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) onLeave();
      }}
    >
      <Text as="div" id={labelId} size={13} line={20} tone="secondary" className={styles.label}>
        {t("profile.birthday")}
      </Text>
      <div className={styles.birthday}>
        <SelectField
          {...shared}
          name="birthday"
          label={t("profile.year")}
          value={String(year ?? "")}
          options={list(
            t("profile.year"),
            birthdayYears(new Date().getFullYear()),
            texts("year", (value) => new Date(value, 0)),
          )}
          onChange={change("year")}
        />
        <SelectField
          {...shared}
          label={t("profile.month")}
          value={String(month ?? "")}
          options={list(
            t("profile.month"),
            BIRTHDAY_MONTHS,
            texts("month", (value) => new Date(2000, value - 1)),
          )}
          onChange={change("month")}
        />
        <SelectField
          {...shared}
          label={t("profile.day")}
          value={String(day ?? "")}
          options={list(
            t("profile.day"),
            birthdayDays(birthday),
            texts("day", (value) => new Date(2000, 0, value)),
          )}
          onChange={change("day")}
        />
      </div>
      <FieldNote id={noteId} error={error} />
    </div>
  );
}
