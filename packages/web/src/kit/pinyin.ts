import { useEffect, useSyncExternalStore } from "react";

/** [start, end) in UTF-16 units. */
export type Range = readonly [number, number];

/** Until the table is here names are found by their characters alone. */
let bySound: ((name: string, letters: string) => readonly Range[] | null) | null = null;
let loading: Promise<void> | null = null;
let match: NameMatch = { matches: matchesName, ranges: nameRanges };
const listeners = new Set<() => void>();

/** Fetches the table of sounds; a fetch that failed is tried again by the next call. */
export function loadSounds(): Promise<void> {
  loading ??= import("./pinyin-sounds.ts").then(
    ({ rangesBySound }) => {
      bySound = rangesBySound;
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
}

/** Compares names; fetches the table once somebody searches. Without a network the search goes by characters alone. */
export function useNameMatch(isWanted: boolean): NameMatch {
  useEffect(() => {
    if (isWanted) loadSounds().catch(() => undefined);
  }, [isWanted]);
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => match,
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
  const letters = wanted.replaceAll(/\s+/gu, "").replaceAll("ü", "v");
  return bySound !== null && /[a-z]/.test(letters) ? bySound(name, letters) : null;
}

function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}
