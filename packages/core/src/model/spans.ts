import type { ChatBook, Span } from "./state.ts";

/**
 * Which parts of a chat the disk holds without holes. The head reaches from `knownFrom` up to whatever comes; below it lie islands, left by
 * jumps and by pulls that left rows out. A page is only ever read within one of them.
 */
export type KnownSpans = Pick<ChatBook, "knownFrom" | "islands">;

const NO_SPANS: readonly Span[] = [];

/** The span that holds what stands right below this id; null: only the server knows. */
export function spanBelow({ knownFrom, islands }: KnownSpans, id: number): Span | null {
  if (knownFrom < id) return { from: knownFrom, to: Infinity };
  return islands.find(({ from, to }) => from < id && id <= to) ?? null;
}

/** The span that this id lies in. */
export function spanAt({ knownFrom, islands }: KnownSpans, id: number): Span | null {
  if (knownFrom <= id) return { from: knownFrom, to: Infinity };
  return islands.find(({ from, to }) => from <= id && id < to) ?? null;
}

/** With one more part known; parts that touch become one. Of a page its ends alone are kept. */
export function withKnown({ knownFrom, islands }: KnownSpans, { from, to }: Span): KnownSpans {
  const sorted = [...islands, { from: knownFrom, to: Infinity }, { from, to }].sort(
    (a, b) => a.from - b.from,
  );
  const joined: Span[] = [];
  for (const span of sorted) {
    const last = joined.at(-1);
    if (last === undefined || span.from > last.to) joined.push(span);
    else joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, span.to) };
  }
  const head = joined.pop();
  return { knownFrom: head?.from ?? knownFrom, islands: joined };
}

/** Rows above `upTo` and below `fromId` were left out: what was the head ends there, and a new one begins. */
export function withGap(known: KnownSpans, fromId: number, upTo: number): KnownSpans {
  if (known.knownFrom >= fromId) return known;
  const old = { from: known.knownFrom, to: Math.min(upTo + 1, fromId) };
  return { knownFrom: fromId, islands: old.from < old.to ? [...known.islands, old] : known.islands };
}

/** Nothing below this id is on the disk any more. */
export function withoutBelow({ knownFrom, islands }: KnownSpans, id: number): KnownSpans {
  const left = islands.flatMap(({ from, to }) => (to > id ? [{ from: Math.max(from, id), to }] : []));
  return { knownFrom: Math.max(knownFrom, id), islands: left.length === 0 ? NO_SPANS : left };
}
