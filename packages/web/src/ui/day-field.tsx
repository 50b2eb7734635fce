import { useRef, useState } from "react";
import { CalendarDays } from "lucide-react";
import { IconButton } from "./button.tsx";
import { readDay } from "./day.ts";
import { ICON_16 } from "./icon.ts";
import styles from "./day-field.module.css";

interface DayFieldProps {
  label: string;
  /** Names the button that opens the calendar. */
  pickLabel: string;
  /** YYYY-MM-DD; null: none, or not yet one. */
  onChange: (day: string | null) => void;
}

/**
 * A day as YYYY-MM-DD, written or chosen in the browser's calendar. The browser's own field would show it in the order of the browser's
 * language, whatever the page speaks.
 */
export function DayField({ label, pickLabel, onChange }: DayFieldProps) {
  const calendar = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const [isLeft, setLeft] = useState(false);
  const isWrong = isLeft && text.trim() !== "" && readDay(text) === null;
  const [told, setTold] = useState<string | null>(null);
  const tell = (day: string | null) => {
    setTold(day);
    if (day !== told) onChange(day);
  };
  const open = () => {
    const field = calendar.current;
    if (field === null) return;
    field.value = readDay(text) ?? "";
    field.showPicker();
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
          if (value.trim() === "" || /\d\d日?$/.test(value.trim())) tell(readDay(value));
        }}
        onBlur={() => {
          const day = readDay(text);
          setLeft(true);
          setText(day ?? text);
          tell(day);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") tell(readDay(text));
        }}
      />
      <IconButton label={pickLabel} size={32} onClick={open}>
        <CalendarDays {...ICON_16} />
      </IconButton>
      <input
        ref={calendar}
        type="date"
        className={styles.calendar}
        tabIndex={-1}
        aria-hidden="true"
        onChange={(event) => {
          const { value } = event.currentTarget;
          setText(value);
          tell(readDay(value));
        }}
      />
    </span>
  );
}
