import { useRef, useState } from "react";
import type { KeyboardEvent, PointerEvent } from "react";
import styles from "./letter-rail.module.css";

export interface RailMarker {
  /** What is seen; empty: a dot. */
  readonly sign: string;
  readonly label: string;
}

interface LetterRailProps {
  /** Name of the rail for screen readers. */
  label: string;
  marks: readonly RailMarker[];
  /** Goes to a mark. */
  onGo: (index: number) => void;
  /** Enter was pressed: goes on in the list. */
  onEnter: () => void;
}

/** The parts of a long list, at its edge: a press, a finger that glides along and the arrow keys go there. One stop for Tab. */
export function LetterRail({ label, marks, onGo, onEnter }: LetterRailProps) {
  const rail = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(0);
  const active = Math.min(at, marks.length - 1);
  const go = (index: number) => {
    setAt(index);
    onGo(index);
  };
  const press = (event: KeyboardEvent) => {
    const next = { ArrowDown: active + 1, ArrowUp: active - 1, Home: 0, End: marks.length - 1 }[event.key];
    if (next === undefined || marks[next] === undefined) return;
    event.preventDefault();
    go(next);
    rail.current?.querySelectorAll("button")[next]?.focus();
  };
  const glide = (event: PointerEvent) => {
    if (event.buttons === 0) return;
    const below = document.elementFromPoint(event.clientX, event.clientY)?.closest("button");
    const index = below == null ? -1 : [...(rail.current?.children ?? [])].indexOf(below);
    if (index >= 0 && index !== active) go(index);
  };
  return (
    <div
      ref={rail}
      className={styles.rail}
      role="toolbar"
      aria-orientation="vertical"
      aria-label={label}
      onKeyDown={press}
      onPointerDown={(event) => {
        // A finger stays with the letter that it began on otherwise.
        if (event.target instanceof Element) event.target.releasePointerCapture(event.pointerId);
      }}
      onPointerMove={glide}
    >
      {marks.map(({ sign, label: name }, index) => (
        <button
          key={name}
          type="button"
          className={styles.mark}
          aria-label={name}
          tabIndex={index === active ? 0 : -1}
          onClick={({ detail }) => {
            go(index);
            // By a key, and not by a pointer.
            if (detail === 0) onEnter();
          }}
        >
          {sign === "" ? <span className={styles.dot} /> : sign}
        </button>
      ))}
    </div>
  );
}
