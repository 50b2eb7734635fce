import type { ChatSync, IdRange } from "../state.ts";

/**
 * Which parts of a chat the local database has without gaps. The newest range has no upper end and begins at `knownFrom`. Below it are older
 * ranges, from jumps and from pulls that left rows out. A page is read within one range.
 */
export type KnownRanges = Pick<ChatSync, "knownFrom" | "olderRanges">;

const NO_RANGES: readonly IdRange[] = [];

/** The range that contains the messages right below this id; null: only the server has them. */
export function rangeBelow({ knownFrom, olderRanges }: KnownRanges, id: number): IdRange | null {
  if (knownFrom < id) return { from: knownFrom, to: Infinity };
  return olderRanges.find(({ from, to }) => from < id && id <= to) ?? null;
}

/** The range that contains this id; null for none. */
export function rangeAt({ knownFrom, olderRanges }: KnownRanges, id: number): IdRange | null {
  if (knownFrom <= id) return { from: knownFrom, to: Infinity };
  return olderRanges.find(({ from, to }) => from <= id && id < to) ?? null;
}

/** Adds a range; ranges that touch are joined. Only the ends are stored, also if `range` is a whole page. */
export function addKnownRange({ knownFrom, olderRanges }: KnownRanges, { from, to }: IdRange): KnownRanges {
  const sorted = [...olderRanges, { from: knownFrom, to: Infinity }, { from, to }].sort(
    (a, b) => a.from - b.from,
  );
  const joined: IdRange[] = [];
  for (const range of sorted) {
    const last = joined.at(-1);
    if (last === undefined || range.from > last.to) joined.push(range);
    else joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, range.to) };
  }
  const newestRange = joined.pop();
  return { knownFrom: newestRange?.from ?? knownFrom, olderRanges: joined };
}

/** A pull left out the rows above `upTo` and below `fromId`: the newest range ends there, and a new one begins. */
export function addGap(known: KnownRanges, fromId: number, upTo: number): KnownRanges {
  if (known.knownFrom >= fromId) return known;
  const closedRange = { from: known.knownFrom, to: Math.min(upTo + 1, fromId) };
  return {
    knownFrom: fromId,
    olderRanges: closedRange.from < closedRange.to ? [...known.olderRanges, closedRange] : known.olderRanges,
  };
}

/** Everything below this id has left the local database. */
export function dropBelow({ knownFrom, olderRanges }: KnownRanges, id: number): KnownRanges {
  const remaining = olderRanges.flatMap(({ from, to }) =>
    to > id ? [{ from: Math.max(from, id), to }] : [],
  );
  return { knownFrom: Math.max(knownFrom, id), olderRanges: remaining.length === 0 ? NO_RANGES : remaining };
}
