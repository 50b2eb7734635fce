import { useEffect, useSyncExternalStore } from "react";

/** [start, end) in UTF-16 units. */
export type Range = readonly [number, number];

/** Until the table is here names are found by their characters alone. */
let sounds: typeof import("./pinyin-sounds.ts") | null = null;
let loading: Promise<void> | null = null;
let match: NameMatch = { matches: matchesName, ranges: nameRanges, rank: nameRank, letter: nameLetter };
const listeners = new Set<() => void>();

/** Fetches the table of sounds; a fetch that failed is tried again by the next call. */
export function loadSounds(): Promise<void> {
  loading ??= import("./pinyin-sounds.ts").then(
    (loaded) => {
      sounds = loaded;
      match = { ...match };
      for (const listener of listeners) listener();
    },
    (error: unknown) => {
      loading = null;
      throw error;
    },
  );
  return loading;
}

/** The ways to compare names; a new object once more can be found. */
export interface NameMatch {
  readonly matches: typeof matchesName;
  readonly ranges: typeof nameRanges;
  readonly rank: typeof nameRank;
  readonly letter: typeof nameLetter;
}

/** Compares names; fetches the table once somebody searches. Without a network the search goes by characters alone. */
export function useNameMatch(isWanted: boolean): NameMatch {
  useEffect(() => {
    if (isWanted) loadSounds().catch(() => undefined);
  }, [isWanted]);
  const read = () => match;
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    read,
    read,
  );
}

/** Whether a name holds the query: as it stands, by its full pinyin, or by initials. Any sound of a character will do. */
export function matchesName(name: string, query: string): boolean {
  return nameRanges(name, query) !== null;
}

/** The parts of the name that the query found, for marking; null for no match. An empty query finds everything and marks nothing. */
export function nameRanges(name: string, query: string): readonly Range[] | null {
  const wanted = fold(query.trim());
  if (wanted === "") return [];
  const at = fold(name).indexOf(wanted);
  // Folding that changes the length moves what is marked; the match holds all the same.
  if (at >= 0) return fold(name).length === name.length ? [[at, at + wanted.length]] : [];
  const letters = lettersOf(wanted);
  return sounds !== null && letters !== null ? sounds.rangesBySound(name, letters) : null;
}

/**
 * How well the query, which is not empty, finds the name; null for not at all, and less is better. 0: the name begins with it. Then, from
 * its beginning too: 1 by full pinyin, 2 by initials, 3 by a sound that a character seldom has. 4: further inside.
 */
export function nameRank(name: string, query: string): number | null {
  const wanted = fold(query.trim());
  const at = fold(name).indexOf(wanted);
  if (at === 0) return 0;
  const letters = lettersOf(wanted);
  const rank = sounds !== null && letters !== null ? sounds.rankBySound(name, letters) : null;
  return rank === null ? (at > 0 ? 4 : null) : rank + 1;
}

/** Under which letter of an index a name stands, A to Z or #; null: the table that tells of Han characters is not here. */
export function nameLetter(name: string): string | null {
  const [first = ""] = name.trim().normalize("NFKD");
  if (/[a-z]/i.test(first)) return first.toUpperCase();
  if (!/\p{Script=Han}/u.test(first)) return "#";
  return sounds === null ? null : (sounds.initialLetter(name.trim()) ?? "#");
}

/** What may be typed for sounds. */
function lettersOf(wanted: string): string | null {
  const letters = wanted.replaceAll(/\s+/gu, "").replaceAll("ü", "v");
  return /[a-z]/.test(letters) ? letters : null;
}

function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}
