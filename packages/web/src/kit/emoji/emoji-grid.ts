import { emoticonOf, EMOTICONS, emoticonToken } from "@parley/protocol/emoticons";
import { isReactionKey } from "@parley/protocol/message-extra";
import { readPreference, writePreference } from "../settings/preferences.ts";
import { TONES } from "./emoji-list.ts";

const COLUMNS = 8;
const RECENT_MAX = 24;

/** Puts a key in front of the recent ones. */
export function withRecent(recent: readonly string[], key: string): readonly string[] {
  return [key, ...recent.filter((other) => other !== key)].slice(0, RECENT_MAX);
}

/** The keys that were used recently in this browser; what is stored and no key is left out. */
export function readRecent(): readonly string[] {
  const stored = readPreference("emoticons")?.split(",") ?? [];
  return stored.map(storedKey).filter((key) => isReactionKey(key));
}

/** An emoticon is stored as its number. */
function storedKey(stored: string): string {
  return /^\d+$/.test(stored) && Number(stored) < EMOTICONS.length ? emoticonToken(Number(stored)) : stored;
}

/** Stores the recently used keys. */
export function writeRecent(recent: readonly string[]): void {
  writePreference("emoticons", recent.map((key) => emoticonOf(key) ?? key).join(","));
}

/** The skin tone that was chosen in this browser; null is the yellow one. */
export function readTone(): string | null {
  const stored = readPreference("skinTone");
  return TONES.find((tone) => tone === stored) ?? null;
}

/** Stores the skin tone. */
export function writeTone(tone: string | null): void {
  writePreference("skinTone", tone);
}

/** The rows of a part of the grid. */
export function gridRows<Cell>(cells: readonly Cell[]): readonly (readonly Cell[])[] {
  const rows: (readonly Cell[])[] = [];
  for (let from = 0; from < cells.length; from += COLUMNS) rows.push(cells.slice(from, from + COLUMNS));
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
