import { useId } from "react";
import type { ReactNode } from "react";
import { ChevronDownIcon } from "./icons.tsx";
import styles from "./inline-select.module.css";

export interface InlineSelectProps {
  label: string;
  icon?: ReactNode;
  value: string;
  options: readonly { value: string; text: string; lang?: string }[];
  onChange: (value: string) => void;
}

/** A native select that looks like plain text with an arrow. */
export function InlineSelect({ label, icon, value, options, onChange }: InlineSelectProps) {
  const id = useId();
  return (
    <div className={styles.select}>
      {icon}
      <label htmlFor={id} className="visually-hidden">
        {label}
      </label>
      <select
        id={id}
        className={styles.native}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} lang={option.lang}>
            {option.text}
          </option>
        ))}
      </select>
      <span className={styles.arrow}>
        <ChevronDownIcon size={14} />
      </span>
    </div>
  );
}
