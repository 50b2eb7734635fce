import { useEffect } from "react";
import { create } from "zustand";
import type { PinyinSounds, PinyinTable } from "./pinyin-sounds.ts";
import tableUrl from "./pinyin-table.json?url";

/** [start, end) in UTF-16 units. */
export type Range = readonly [number, number];

/** Until the table is loaded, names are found by their characters only. */
let sounds: PinyinSounds | null = null;
let loading: Promise<void> | null = null;
const useStore = create<{ readonly match: NameMatch }>(() => ({ match: createMatch() }));

/** Loads the pinyin table; after a failure the next call tries again. */
export function loadSounds(): Promise<void> {
  loading ??= readSounds().then(
    (loaded) => {
      sounds = loaded;
      useStore.setState({ match: createMatch() });
    },
    (error: unknown) => {
      loading = null;
      throw error;
    },
  );
  return loading;
}

async function readSounds(): Promise<PinyinSounds> {
  const [{ createPinyinSounds }, answer] = await Promise.all([import("./pinyin-sounds.ts"), fetch(tableUrl)]);
  if (!answer.ok) throw new Error(`the pinyin table could not be loaded: ${answer.status}`);
  return createPinyinSounds((await answer.json()) as PinyinTable);
}

/** Functions that compare names. All of them are new ones after the pinyin table is loaded, so that what was found by them is found anew. */
export interface NameMatch {
  readonly matches: typeof matchesName;
  readonly ranges: typeof nameRanges;
  readonly rank: typeof nameRank;
  readonly letter: typeof nameLetter;
}

function createMatch(): NameMatch {
  return {
    matches: (name, query) => matchesName(name, query),
    ranges: (name, query) => nameRanges(name, query),
    rank: (name, query) => nameRank(name, query),
    letter: (name) => nameLetter(name),
  };
}

/** Functions that compare names. Loads the pinyin table once somebody searches; without a network, names are compared by characters only. */
export function useNameMatch(isWanted: boolean): NameMatch {
  useEffect(() => {
    if (isWanted) loadSounds().catch(() => undefined);
  }, [isWanted]);
  return useStore(({ match }) => match);
}

/** Whether a name contains the query: literally, in full pinyin, or by initials. Any reading of a character matches. */
export function matchesName(name: string, query: string): boolean {
  return nameRanges(name, query) !== null;
}

/** The ranges of the name to highlight; null for no match. An empty query matches everything and highlights nothing. */
export function nameRanges(name: string, query: string): readonly Range[] | null {
  const foldedQuery = fold(query.trim());
  if (foldedQuery === "") return [];
  const index = fold(name).indexOf(foldedQuery);
  // If folding changes the length, the positions are unknown: match without highlighting.
  if (index >= 0) return fold(name).length === name.length ? [[index, index + foldedQuery.length]] : [];
  const letters = lettersOf(foldedQuery);
  return sounds !== null && letters !== null ? sounds.rangesBySound(name, letters) : null;
}

/**
 * How well a query (not empty) matches the name; lower is better, null for no match. At the beginning of the name: 0 literally, 1 in full
 * pinyin, 2 with initials, 3 with a rare reading of a character. 4: further inside.
 */
export function nameRank(name: string, query: string): number | null {
  const foldedQuery = fold(query.trim());
  const index = fold(name).indexOf(foldedQuery);
  if (index === 0) return 0;
  const letters = lettersOf(foldedQuery);
  const rank = sounds !== null && letters !== null ? sounds.rankBySound(name, letters) : null;
  return rank === null ? (index > 0 ? 4 : null) : rank + 1;
}

/** The index letter of a name, A to Z or #; null for Han characters while the pinyin table is not loaded. */
export function nameLetter(name: string): string | null {
  const [first = ""] = name.trim().normalize("NFKD");
  if (/[a-z]/i.test(first)) return first.toUpperCase();
  if (!/\p{Script=Han}/u.test(first)) return "#";
  return sounds === null ? null : (sounds.initialLetter(name.trim()) ?? "#");
}

/** The letters of a query to match as pinyin; null if it has none. */
function lettersOf(foldedQuery: string): string | null {
  const letters = foldedQuery.replaceAll(/\s+/gu, "").replaceAll("ü", "v");
  return /[a-z]/.test(letters) ? letters : null;
}

function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}
