/**
 * The one rule of search, for servers and clients alike: Han characters by single characters and neighbouring pairs, everything else by words
 * and their beginnings. An index finds candidates by `indexTerms` and `queryTerms`; `matches` decides.
 */

const HAN = /\p{Script=Han}/u;
const WORD = /[\p{L}\p{N}\p{M}_]/u;

/** The form in which texts and queries are compared: compatibility forms folded, lower case. May differ in length from the text. */
function foldText(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

/** Terms of a message: each Han character, each pair of neighbouring ones, each word of other letters and digits. Once each. */
export function indexTerms(content: string): string[] {
  const terms = new Set<string>();
  for (const run of runsOf(foldText(content))) {
    if (!run.isHan) {
      terms.add(run.text);
      continue;
    }
    const characters = [...run.text];
    characters.forEach((character, i) => {
      terms.add(character);
      const next = characters[i + 1];
      if (next !== undefined) terms.add(character + next);
    });
  }
  return [...terms];
}

export interface QueryTerm {
  readonly text: string;
  /** A word that may go on: the index is asked for terms that begin with it. */
  readonly isPrefix: boolean;
}

/** What an index must have for a message to be a candidate: all of these. Empty when the query holds no letter or digit. */
export function queryTerms(query: string): QueryTerm[] {
  const terms = new Map<string, QueryTerm>();
  for (const run of runsOf(foldText(query))) {
    if (!run.isHan) {
      terms.set(run.text, { text: run.text, isPrefix: true });
      continue;
    }
    const characters = [...run.text];
    if (characters.length === 1) terms.set(run.text, { text: run.text, isPrefix: false });
    for (let i = 0; i + 1 < characters.length; i++) {
      const pair = `${characters[i]}${characters[i + 1]}`;
      terms.set(pair, { text: pair, isPrefix: false });
    }
  }
  return [...terms.values()];
}

/** Whether every part of the query stands in the content: Han parts anywhere, words at the beginning of a word. */
export function matches(content: string, query: string): boolean {
  const text = foldText(content);
  const parts = queryPartsOf(query);
  return parts.length > 0 && parts.every((part) => positionsIn(text, part).length > 0);
}

/** Where the query's parts stand in the content, for marking: [start, end) in UTF-16 units, ascending, not overlapping. */
export function matchRanges(content: string, query: string): (readonly [number, number])[] {
  const { text, origin } = foldWithOrigins(content);
  const found = queryPartsOf(query)
    .flatMap((part) => positionsIn(text, part).map((at) => [at, at + part.length] as const))
    .map(([start, end]) => [origin[start] ?? 0, origin[end] ?? content.length] as const)
    .toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
  const joined: [number, number][] = [];
  for (const [start, end] of found) {
    const last = joined.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else joined.push([start, end]);
  }
  return joined;
}

interface Run {
  readonly text: string;
  readonly isHan: boolean;
}

/** Maximal runs of Han characters and of other word characters. */
function runsOf(text: string): Run[] {
  const runs: { text: string; isHan: boolean }[] = [];
  let last: { text: string; isHan: boolean } | null = null;
  for (const character of text) {
    if (!WORD.test(character)) {
      last = null;
      continue;
    }
    const isHan = HAN.test(character);
    if (last === null || last.isHan !== isHan) {
      last = { text: "", isHan };
      runs.push(last);
    }
    last.text += character;
  }
  return runs;
}

function queryPartsOf(query: string): string[] {
  return foldText(query)
    .split(/\s+/u)
    .filter((part) => WORD.test(part));
}

/** Every place of the part; one that begins with a word character must begin a word there, unless it is Han. */
function positionsIn(text: string, part: string): number[] {
  const places: number[] = [];
  const [first = ""] = part;
  const isFree = HAN.test(first) || !WORD.test(first);
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    if (isFree || isWordStart(text, at)) places.push(at);
  }
  return places;
}

function isWordStart(text: string, at: number): boolean {
  const before = Array.from(text.slice(Math.max(0, at - 2), at)).at(-1);
  return before === undefined || !WORD.test(before) || HAN.test(before);
}

/** The folded text, and for each of its units (and its end) where in the content it comes from. */
function foldWithOrigins(content: string): { text: string; origin: number[] } {
  let text = "";
  const origin: number[] = [];
  let at = 0;
  for (const character of content) {
    const folded = foldText(character);
    for (let i = 0; i < folded.length; i++) origin.push(at);
    text += folded;
    at += character.length;
  }
  origin.push(at);
  return { text, origin };
}
