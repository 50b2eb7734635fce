import { useLayoutEffect, useRef } from "react";
import type { KeyboardEvent } from "react";
import styles from "./choice-chips.module.css";

export interface ChoiceChipsProps<Value extends string> {
  /** Name of the group for screen readers. */
  label: string;
  value: Value;
  options: readonly { readonly value: Value; readonly text: string; readonly tooltip: string }[];
  onChange: (value: Value) => void;
}

/**
 * A choice among a few short words in one row: a group of radio buttons with arrow keys, Home and End. What does not fit is scrolled to.
 * They are buttons, because letters that are typed on a field do not go to the composer.
 */
export function ChoiceChips<Value extends string>({
  label,
  value,
  options,
  onChange,
}: ChoiceChipsProps<Value>) {
  const group = useRef<HTMLDivElement>(null);
  // scrollIntoView would move the boxes around the row too.
  useLayoutEffect(() => {
    const checked = group.current?.querySelector<HTMLElement>('[aria-checked="true"]');
    if (group.current === null || checked === null || checked === undefined) return;
    group.current.scrollLeft = checked.offsetLeft - (group.current.clientWidth - checked.offsetWidth) / 2;
  }, [value]);
  const handleKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const current = options.findIndex((option) => option.value === value);
    const index = stepChoice(event.key, current, options.length);
    const next = index === null ? undefined : options[index];
    if (index === null || next === undefined) return;
    event.preventDefault();
    onChange(next.value);
    group.current?.querySelectorAll<HTMLElement>('[role="radio"]')[index]?.focus({ preventScroll: true });
  };
  return (
    <div
      ref={group}
      role="radiogroup"
      aria-label={label}
      className={styles.group}
      onKeyDown={handleKeyDown}
      data-strip
    >
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          role="radio"
          aria-checked={option.value === value}
          tabIndex={option.value === value ? 0 : -1}
          className={styles.chip}
          data-tip={option.tooltip}
          onClick={() => onChange(option.value)}
        >
          <span>{option.text}</span>
        </button>
      ))}
    </div>
  );
}

/** The index to which a key moves among `count` choices, round at both ends; null for a key that does not move. */
function stepChoice(key: string, current: number, count: number): number | null {
  switch (key) {
    case "ArrowRight":
    case "ArrowDown":
      return (current + 1) % count;
    case "ArrowLeft":
    case "ArrowUp":
      return (current - 1 + count) % count;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}
