import { EMOTICONS } from "@parley/protocol/emoticons";
import { readPreference, writePreference } from "../../../kit/preferences.ts";

const COLUMNS = 8;

/** The one taken last first, one row in all. */
export function withRecent(recent: readonly number[], number: number): readonly number[] {
  return [number, ...recent.filter((other) => other !== number)].slice(0, COLUMNS);
}

export function readRecent(): readonly number[] {
  const kept = readPreference("emoticons")?.split(",").map(Number) ?? [];
  return kept.filter((number) => EMOTICONS[number] !== undefined).slice(0, COLUMNS);
}

export function writeRecent(recent: readonly number[]): void {
  writePreference("emoticons", recent.join(","));
}

/** The recent ones in a row of their own, then all. */
export function gridRows(recent: readonly number[]): readonly (readonly number[])[] {
  const rows: number[][] = recent.length > 0 ? [[...recent]] : [];
  for (let from = 0; from < EMOTICONS.length; from += COLUMNS) {
    rows.push(
      Array.from({ length: Math.min(COLUMNS, EMOTICONS.length - from) }, (_, column) => from + column),
    );
  }
  return rows;
}

/** Where a key leads from the cell at this place, counted through all rows; null for keys that lead nowhere. */
export function moveInGrid(rows: readonly (readonly unknown[])[], place: number, key: string): number | null {
  const starts: number[] = [];
  let total = 0;
  for (const row of rows) {
    starts.push(total);
    total += row.length;
  }
  const row = Math.max(
    0,
    starts.findLastIndex((start) => start <= place),
  );
  const start = starts[row] ?? 0;
  const column = place - start;
  const inRow = (wanted: number) => {
    const to = Math.max(0, Math.min(wanted, rows.length - 1));
    return (starts[to] ?? 0) + Math.min(column, (rows[to]?.length ?? 1) - 1);
  };
  switch (key) {
    case "ArrowLeft":
      return Math.max(0, place - 1);
    case "ArrowRight":
      return Math.min(total - 1, place + 1);
    case "ArrowUp":
      return inRow(row - 1);
    case "ArrowDown":
      return inRow(row + 1);
    case "Home":
      return start;
    case "End":
      return start + (rows[row]?.length ?? 1) - 1;
    default:
      return null;
  }
}
