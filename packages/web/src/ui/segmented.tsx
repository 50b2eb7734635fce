import { useId } from "react";
import type { ReactNode } from "react";
import styles from "./segmented.module.css";

export interface SegmentedProps<Value extends string> {
  /** Id of the element that names the group. */
  labelId: string;
  value: Value;
  options: readonly {
    readonly value: Value;
    readonly text: ReactNode;
    readonly lang?: string;
    /** Name for screen readers, if the text alone is not enough. */
    readonly name?: string;
  }[];
  onChange: (value: Value) => void;
}

/** A choice among a few visible options: a group of radio buttons. */
export function Segmented<Value extends string>({
  labelId,
  value,
  options,
  onChange,
}: SegmentedProps<Value>) {
  const name = useId();
  return (
    <div className={styles.group} role="radiogroup" aria-labelledby={labelId}>
      {options.map((option) => (
        <label key={option.value} className={styles.option} lang={option.lang}>
          <input
            type="radio"
            className="visually-hidden"
            name={name}
            aria-label={option.name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span>{option.text}</span>
        </label>
      ))}
    </div>
  );
}
