import { useRef, useState } from "react";
import { CalendarDays } from "lucide-react";
import { IconButton } from "../ui/button.tsx";
import { readDay } from "../ui/day.ts";
import { ICON_PROPS_16 } from "../ui/icon-props.ts";
import { DayPicker } from "./day-picker.tsx";
import styles from "./day-field.module.css";

interface DayFieldProps {
  label: string;
  /** Names the button that opens the calendar. */
  pickLabel: string;
  /** Days of a month that are marked in the calendar. */
  findMarkedDays?: (month: string) => Promise<ReadonlySet<string> | null>;
  /** YYYY-MM-DD; null: none, or not yet one. */
  onChange: (day: string | null) => void;
}

/**
 * A day as YYYY-MM-DD, written or chosen in a calendar. The browser's own field would show both in the order and the words of the browser's
 * language, whatever the page speaks.
 */
export function DayField({ label, pickLabel, findMarkedDays, onChange }: DayFieldProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState("");
  const [isLeft, setLeft] = useState(false);
  const isWrong = isLeft && text.trim() !== "" && readDay(text) === null;
  const [reported, setReported] = useState<string | null>(null);
  const report = (day: string | null) => {
    setReported(day);
    if (day !== reported) onChange(day);
  };
  return (
    <span className={styles.day}>
      <input
        className={styles.field}
        inputMode="numeric"
        autoComplete="off"
        spellCheck={false}
        // A format, the same in every language.
        placeholder="YYYY-MM-DD"
        maxLength={12}
        aria-label={label}
        aria-invalid={isWrong || undefined}
        value={text}
        onChange={(event) => {
          const { value } = event.currentTarget;
          setLeft(false);
          setText(value);
          // A day of one figure may become one of two.
          if (value.trim() === "" || /\d\d日?$/.test(value.trim())) report(readDay(value));
        }}
        onBlur={() => {
          const day = readDay(text);
          setLeft(true);
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
    </span>
  );
}
