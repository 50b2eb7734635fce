import type { ChatSync, IdRange } from "../state.ts";

/**
 * Which parts of a chat the disk holds without holes. The head reaches from `knownFrom` up to whatever comes; below it lie islands, left by
 * jumps and by pulls that left rows out. A page is only ever read within one of them.
 */
export type KnownRanges = Pick<ChatSync, "knownFrom" | "olderRanges">;

const NO_RANGES: readonly IdRange[] = [];

/** The span that holds what stands right below this id; null: only the server knows. */
export function rangeBelow({ knownFrom, olderRanges }: KnownRanges, id: number): IdRange | null {
  if (knownFrom < id) return { from: knownFrom, to: Infinity };
  return olderRanges.find(({ from, to }) => from < id && id <= to) ?? null;
}

/** The span that this id lies in. */
export function rangeAt({ knownFrom, olderRanges }: KnownRanges, id: number): IdRange | null {
  if (knownFrom <= id) return { from: knownFrom, to: Infinity };
  return olderRanges.find(({ from, to }) => from <= id && id < to) ?? null;
}

/** With one more part known; parts that touch become one. Of a page its ends alone are kept. */
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

/** Rows above `upTo` and below `fromId` were left out: what was the head ends there, and a new one begins. */
export function addGap(known: KnownRanges, fromId: number, upTo: number): KnownRanges {
  if (known.knownFrom >= fromId) return known;
  const old = { from: known.knownFrom, to: Math.min(upTo + 1, fromId) };
  return {
    knownFrom: fromId,
    olderRanges: old.from < old.to ? [...known.olderRanges, old] : known.olderRanges,
  };
}

/** Nothing below this id is on the disk any more. */
export function dropBelow({ knownFrom, olderRanges }: KnownRanges, id: number): KnownRanges {
  const remaining = olderRanges.flatMap(({ from, to }) =>
    to > id ? [{ from: Math.max(from, id), to }] : [],
  );
  return { knownFrom: Math.max(knownFrom, id), olderRanges: remaining.length === 0 ? NO_RANGES : remaining };
}
