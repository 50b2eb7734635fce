import { useEffect, useSyncExternalStore } from "react";

/** [start, end) in UTF-16 units. */
export type Range = readonly [number, number];

/** All sounds of a Han character without tones, ü as v; none for one that is not in the table. */
type Sounds = (character: string) => readonly string[];

/** Until the table is here names are found by their characters alone. */
let sounds: Sounds | null = null;
let loading: Promise<void> | null = null;
let match: NameMatch = { matches: matchesName, ranges: nameRanges };
const listeners = new Set<() => void>();

const FIRST = 0x4e00;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Fetches the table of sounds; a fetch that failed is tried again by the next call. */
export function loadSounds(): Promise<void> {
  loading ??= import("./pinyin-table.ts").then(
    (table) => {
      sounds = soundsOf(table);
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

type Table = typeof import("./pinyin-table.ts");

function soundsOf({ USUAL, OTHERS, INITIALS, FINALS }: Table): Sounds {
  const initials = INITIALS.split(" ");
  const finals = FINALS.split(" ");
  const syllable = (code: string): string =>
    `${initials[LETTERS.indexOf(code.charAt(0))] ?? ""}${finals[LETTERS.indexOf(code.charAt(1))] ?? ""}`;
  const others = new Map(
    [...OTHERS.matchAll(/(\p{Script=Han})([A-Za-z0-9]+)/gu)].map(
      ([, character = "", codes = ""]) => [character, codes] as const,
    ),
  );
  return (character) => {
    const at = ((character.codePointAt(0) ?? 0) - FIRST) * 2;
    const usual = at < 0 ? "" : USUAL.slice(at, at + 2).trim();
    const codes = usual + (others.get(character) ?? "");
    return Array.from({ length: codes.length / 2 }, (_, index) => syllable(codes.slice(index * 2)));
  };
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
  if (!/[a-z]/.test(letters)) return null;
  const units = unitsOf(name);
  for (let first = 0; first < units.length; first++) {
    const found = consume(units, first, letters);
    if (found !== null) return joined(found);
  }
  return null;
}

function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

/** A Han character, or a word of other letters. */
interface Unit {
  readonly start: number;
  readonly end: number;
  readonly isHan: boolean;
  /** Ways to type it in full. */
  readonly forms: readonly string[];
}

function unitsOf(name: string): Unit[] {
  return [...name.matchAll(/\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{N}\p{M}_])+/gu)].map((match) => {
    const [text] = match;
    const isHan = /^\p{Script=Han}/u.test(text);
    const forms = isHan ? [text, ...(sounds?.(text) ?? [])] : [fold(text)];
    return { start: match.index, end: match.index + text.length, isHan, forms };
  });
}

/** Takes the letters away unit by unit from `index` on: in full, by initials, and the last one by its beginning. */
function consume(units: readonly Unit[], index: number, letters: string): readonly Range[] | null {
  if (letters === "") return [];
  const unit = units[index];
  if (unit === undefined) return null;
  for (const length of waysInto(unit.forms, letters)) {
    const rest = consume(units, index + 1, letters.slice(length));
    const end = unit.isHan ? unit.end : Math.min(unit.end, unit.start + length);
    if (rest !== null) return [[unit.start, end], ...rest];
  }
  return null;
}

/** How many of the letters this unit may stand for, the most first. */
function waysInto(forms: readonly string[], letters: string): readonly number[] {
  const lengths = new Set<number>();
  for (const form of forms) {
    if (letters.startsWith(form)) lengths.add(form.length);
    if (form.startsWith(letters)) lengths.add(letters.length);
    const [initial = ""] = /^[zcs]h/.exec(form) ?? [];
    if (initial !== "" && letters.startsWith(initial)) lengths.add(initial.length);
    if (letters.startsWith(form.charAt(0))) lengths.add(1);
  }
  return [...lengths].sort((a, b) => b - a);
}

function joined(ranges: readonly Range[]): readonly Range[] {
  const found: [number, number][] = [];
  for (const [start, end] of ranges) {
    const last = found.at(-1);
    if (last?.[1] === start) last[1] = end;
    else found.push([start, end]);
  }
  return found;
}
