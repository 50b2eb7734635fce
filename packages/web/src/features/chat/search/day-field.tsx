import { useRef, useState } from "react";
import { CalendarDays } from "lucide-react";
import { IconButton } from "../../../ui/button.tsx";
import { readDay } from "../../../ui/day.ts";
import { ICON_PROPS_16 } from "../../../ui/icon-props.ts";
import { Row } from "../../../ui/layout.tsx";
import { DayPicker } from "../timeline/day-picker.tsx";
import styles from "./day-field.module.css";

interface DayFieldProps {
  label: string;
  /** Name of the button that opens the calendar. */
  pickLabel: string;
  /** Finds the days of a month that the calendar marks. */
  findMarkedDays?: (month: string) => Promise<ReadonlySet<string> | null>;
  /** YYYY-MM-DD; null if the field is empty or incomplete. */
  onChange: (day: string | null) => void;
}

/**
 * A day as YYYY-MM-DD, typed or picked in a calendar. The browser's own date field would use the order and the words of the browser's
 * language instead of the page's.
 */
export function DayField({ label, pickLabel, findMarkedDays, onChange }: DayFieldProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState("");
  const [wasLeft, setWasLeft] = useState(false);
  const isInvalid = wasLeft && text.trim() !== "" && readDay(text) === null;
  const [reported, setReported] = useState<string | null>(null);
  const report = (day: string | null) => {
    setReported(day);
    if (day !== reported) onChange(day);
  };
  return (
    <Row as="span" tone="secondary" className={styles.day}>
      <input
        className={styles.field}
        inputMode="numeric"
        autoComplete="off"
        spellCheck={false}
        // The format is the same in every language.
        placeholder="YYYY-MM-DD"
        maxLength={12}
        aria-label={label}
        aria-invalid={isInvalid || undefined}
        value={text}
        onChange={(event) => {
          const { value } = event.currentTarget;
          setWasLeft(false);
          setText(value);
          // Wait after a single digit: a second one may follow.
          if (value.trim() === "" || /\d\d日?$/.test(value.trim())) report(readDay(value));
        }}
        onBlur={() => {
          const day = readDay(text);
          setWasLeft(true);
          setText(day ?? text);
          report(day);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") report(readDay(text));
        }}
      />
      <IconButton
        ref={button}
        label={pickLabel}
        size={32}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <CalendarDays {...ICON_PROPS_16} />
      </IconButton>
      {isOpen && (
        <DayPicker
          label={pickLabel}
          opener={button}
          value={readDay(text)}
          {...(findMarkedDays !== undefined && { findMarkedDays })}
          onChoose={(day) => {
            setText(day);
            report(day);
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </Row>
  );
}
