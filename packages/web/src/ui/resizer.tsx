import { useRef } from "react";
import type { KeyboardEvent, PointerEvent } from "react";
import { textScale } from "./use-text-scale.ts";
import styles from "./resizer.module.css";

const STEP_PX = 10;

export interface ResizerProps {
  label: string;
  /** Width of the pane before it, in px at the default text size. */
  value: number;
  min: number;
  max: number;
  defaultValue: number;
  onChange: (width: number) => void;
}

/** The border between two panes: it can be dragged; arrow keys move it by 10 px; a double click restores the default. */
export function Resizer({ label, value, min, max, defaultValue, onChange }: ResizerProps) {
  const drag = useRef<{ x: number; width: number } | null>(null);
  const change = (width: number) => {
    const next = Math.round(Math.min(max, Math.max(min, width)));
    if (next !== value) onChange(next);
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    const width = { ArrowLeft: value - STEP_PX, ArrowRight: value + STEP_PX, Home: min, End: max }[event.key];
    if (width === undefined) return;
    event.preventDefault();
    change(width);
  };
  const handlePointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { x: event.clientX, width: value };
  };
  const handlePointerMove = (event: PointerEvent) => {
    if (drag.current !== null) {
      change(drag.current.width + (event.clientX - drag.current.x) / textScale());
    }
  };
  const handlePointerUp = () => {
    drag.current = null;
  };
  return (
    <div
      className={styles.resizer}
      // By ARIA a movable separator is a control; `hr` is only for the static kind.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      onKeyDown={handleKeyDown}
      onPointerDown={handlePointerDown}
      onPointerMove={handlePointerMove}
      onPointerUp={handlePointerUp}
      onPointerCancel={handlePointerUp}
      onDoubleClick={() => onChange(defaultValue)}
    />
  );
}
