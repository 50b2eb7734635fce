import { useRef, useState } from "react";
import type { KeyboardEvent, PointerEvent } from "react";
import { Stack } from "../../ui/layout.tsx";
import styles from "./letter-rail.module.css";

/** An entry of the rail. */
export interface RailMarker {
  /** The visible character; empty for a dot. */
  readonly sign: string;
  readonly label: string;
}

interface LetterRailProps {
  /** Name of the rail for screen readers. */
  label: string;
  markers: readonly RailMarker[];
  /** Goes to a marker. */
  onGo: (index: number) => void;
  /** Enter was pressed: moves the focus to the list. */
  onEnter: () => void;
}

/** Letters at the edge of a long list; a press, a gliding finger or the arrow keys jump to a section. A single tab stop. */
export function LetterRail({ label, markers, onGo, onEnter }: LetterRailProps) {
  const rail = useRef<HTMLDivElement>(null);
  const [position, setPosition] = useState(0);
  const active = Math.min(position, markers.length - 1);
  const select = (index: number) => {
    setPosition(index);
    onGo(index);
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    const next = { ArrowDown: active + 1, ArrowUp: active - 1, Home: 0, End: markers.length - 1 }[event.key];
    if (next === undefined || markers[next] === undefined) return;
    event.preventDefault();
    select(next);
    rail.current?.querySelectorAll("button")[next]?.focus();
  };
  const handlePointerMove = (event: PointerEvent) => {
    if (event.buttons === 0) return;
    const button = document.elementFromPoint(event.clientX, event.clientY)?.closest("button");
    const index = button == null ? -1 : [...(rail.current?.children ?? [])].indexOf(button);
    if (index >= 0 && index !== active) select(index);
  };
  return (
    <Stack
      ref={rail}
      justify="center"
      shrink={false}
      paddingY={4}
      className={styles.rail}
      role="toolbar"
      aria-orientation="vertical"
      aria-label={label}
      onKeyDown={handleKeyDown}
      onPointerDown={(event) => {
        // Otherwise all events of the finger would go to the letter where it started.
        if (event.target instanceof Element) event.target.releasePointerCapture(event.pointerId);
      }}
      onPointerMove={handlePointerMove}
    >
      {markers.map(({ sign, label: name }, index) => (
        <button
          key={name}
          type="button"
          className={styles.mark}
          aria-label={name}
          tabIndex={index === active ? 0 : -1}
          onClick={({ detail }) => {
            select(index);
            // `detail` is 0 for a key press.
            if (detail === 0) onEnter();
          }}
        >
          {sign === "" ? <span className={styles.dot} /> : sign}
        </button>
      ))}
    </Stack>
  );
}

/** Names under their index letter. */
export interface LetterSection {
  readonly letter: string;
  readonly ids: readonly number[];
}

/**
 * Sorts ids under the letters of their names: A to Z, then #; within a letter they keep their order. While a letter is not known (null, see
 * `nameLetter`), all are under the letter "", so that nothing moves twice.
 */
export function letterSections(
  ids: readonly number[],
  letterOf: (id: number) => string | null,
): readonly LetterSection[] {
  const byLetter = new Map<string, number[]>();
  for (const id of ids) {
    const letter = letterOf(id);
    if (letter === null) return [{ letter: "", ids }];
    const section = byLetter.get(letter);
    if (section === undefined) byLetter.set(letter, [id]);
    else section.push(id);
  }
  const sortKey = (letter: string) => (letter === "#" ? "~" : letter);
  return [...byLetter]
    .map(([letter, sectionIds]) => ({ letter, ids: sectionIds }))
    .toSorted((a, b) => (sortKey(a.letter) < sortKey(b.letter) ? -1 : 1));
}
