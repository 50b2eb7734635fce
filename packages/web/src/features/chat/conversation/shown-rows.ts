import type { TimelineRow } from "@parley/core/model/timeline";

/** Rows as the virtual list gets them, and whether the last change was one at the start. */
export interface ShownRows {
  readonly rows: readonly TimelineRow[];
  readonly isShift: boolean;
}

export const NO_ROWS: ShownRows = { rows: [], isShift: false };

/**
 * The next rows to show on the way to `wanted`. The list keeps its place only when one end changes at a time, so a change at both
 * ends takes two steps: first the start, then the rest. Call it again until it answers what it was given. Rows that say the same as
 * before change nothing.
 */
export function showRows(shown: ShownRows, wanted: readonly TimelineRow[]): ShownRows {
  if (isSame(shown.rows, wanted)) return shown;
  const last = shown.rows.at(-1)?.key;
  const end = last === undefined ? -1 : wanted.findLastIndex((row) => row.key === last);
  const hasNewStart = end >= 0 && startOf(wanted) !== startOf(shown.rows);
  if (!hasNewStart) return { rows: wanted, isShift: false };
  return { rows: end === wanted.length - 1 ? wanted : wanted.slice(0, end + 1), isShift: true };
}

/** The unread divider may stay on top of all rows while older ones come below it. */
function startOf(rows: readonly TimelineRow[]): string | undefined {
  return rows.find((row) => row.kind !== "unread")?.key;
}

function isSame(a: readonly TimelineRow[], b: readonly TimelineRow[]): boolean {
  return a === b || (a.length === b.length && a.every((row, index) => isSameRow(row, b[index])));
}

function isSameRow(a: TimelineRow, b: TimelineRow | undefined): boolean {
  if (b === undefined || a.key !== b.key || a.kind !== b.kind) return false;
  if (a.kind === "message" && b.kind === "message") return a.message === b.message && a.place === b.place;
  return a.kind !== "tip" || b.kind !== "tip" || a.message === b.message;
}
