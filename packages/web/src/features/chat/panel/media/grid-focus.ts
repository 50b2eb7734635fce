import type { KeyboardEvent } from "react";

/** The pictures in a row of the side panel. */
const GRID_COLUMNS = 3;

/** The index that a key leads to in a grid of this many cells; null: it is no key of a grid. */
export function gridTarget(key: string, index: number, count: number): number | null {
  const target = {
    ArrowLeft: index - 1,
    ArrowRight: index + 1,
    ArrowUp: index - GRID_COLUMNS,
    ArrowDown: index + GRID_COLUMNS,
    Home: 0,
    End: count - 1,
  }[key];
  if (target === undefined) return null;
  return target < 0 || target >= count ? index : target;
}

/** The arrow keys, Home and End move the focus between the buttons of a grid. */
export function moveGridFocus(event: KeyboardEvent<HTMLElement>): void {
  const cells = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-cell]")];
  const index = cells.findIndex((cell) => cell === document.activeElement);
  if (index < 0) return;
  const target = gridTarget(event.key, index, cells.length);
  if (target === null) return;
  event.preventDefault();
  cells[target]?.focus();
}
