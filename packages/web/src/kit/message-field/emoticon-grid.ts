import { EMOTICONS } from "@parley/protocol/emoticons";
import { readPreference, writePreference } from "../settings/preferences.ts";

const COLUMNS = 8;

/** Puts an emoticon in front of the recent ones, which are at most one row. */
export function withRecent(recent: readonly number[], number: number): readonly number[] {
  return [number, ...recent.filter((other) => other !== number)].slice(0, COLUMNS);
}

/** The stored recent emoticons; invalid numbers are left out. */
export function readRecent(): readonly number[] {
  const stored = readPreference("emoticons")?.split(",").map(Number) ?? [];
  return stored.filter((number) => EMOTICONS[number] !== undefined).slice(0, COLUMNS);
}

/** Stores the recent emoticons. */
export function writeRecent(recent: readonly number[]): void {
  writePreference("emoticons", recent.join(","));
}

/** The rows of the picker: the recent emoticons in a row of their own, then all. */
export function gridRows(recent: readonly number[]): readonly (readonly number[])[] {
  const rows: number[][] = recent.length > 0 ? [[...recent]] : [];
  for (let from = 0; from < EMOTICONS.length; from += COLUMNS) {
    rows.push(
      Array.from({ length: Math.min(COLUMNS, EMOTICONS.length - from) }, (_, column) => from + column),
    );
  }
  return rows;
}

/** The cell that a key moves to from the cell with this index, counted through all rows; null for keys that do not move. */
export function moveInGrid(rows: readonly (readonly unknown[])[], index: number, key: string): number | null {
  const starts: number[] = [];
  let total = 0;
  for (const row of rows) {
    starts.push(total);
    total += row.length;
  }
  const row = Math.max(
    0,
    starts.findLastIndex((start) => start <= index),
  );
  const start = starts[row] ?? 0;
  const column = index - start;
  const cellInRow = (wanted: number) => {
    const target = Math.max(0, Math.min(wanted, rows.length - 1));
    return (starts[target] ?? 0) + Math.min(column, (rows[target]?.length ?? 1) - 1);
  };
  switch (key) {
    case "ArrowLeft":
      return Math.max(0, index - 1);
    case "ArrowRight":
      return Math.min(total - 1, index + 1);
    case "ArrowUp":
      return cellInRow(row - 1);
    case "ArrowDown":
      return cellInRow(row + 1);
    case "Home":
      return start;
    case "End":
      return start + (rows[row]?.length ?? 1) - 1;
    default:
      return null;
  }
}
