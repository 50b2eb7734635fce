import { useRef } from "react";
import type { KeyboardEvent, PointerEvent } from "react";
import styles from "./resizer.module.css";

const STEP = 10;

export interface ResizerProps {
  label: string;
  /** Width of the pane before it, px. */
  value: number;
  min: number;
  max: number;
  defaultValue: number;
  onChange: (width: number) => void;
}

/** The border between two panes: drag it, arrow keys 10 px, Home and End, double click for the default. */
export function Resizer({ label, value, min, max, defaultValue, onChange }: ResizerProps) {
  const drag = useRef<{ x: number; width: number } | null>(null);
  const change = (width: number) => {
    const next = Math.round(Math.min(max, Math.max(min, width)));
    if (next !== value) onChange(next);
  };
  const keyDown = (event: KeyboardEvent) => {
    const wanted = { ArrowLeft: value - STEP, ArrowRight: value + STEP, Home: min, End: max }[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    change(wanted);
  };
  const pointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { x: event.clientX, width: value };
  };
  const pointerMove = (event: PointerEvent) => {
    if (drag.current !== null) change(drag.current.width + event.clientX - drag.current.x);
  };
  const pointerUp = () => {
    drag.current = null;
  };
  return (
    <div
      className={styles.resizer}
      // A separator that moves is a control by ARIA's own words; `hr` is only the still kind.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      onKeyDown={keyDown}
      onPointerDown={pointerDown}
      onPointerMove={pointerMove}
      onPointerUp={pointerUp}
      onPointerCancel={pointerUp}
      onDoubleClick={() => onChange(defaultValue)}
    />
  );
}
