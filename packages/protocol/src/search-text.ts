/**
 * How search compares texts, on servers and clients: Han text by single characters and pairs of neighbours, other text by words and their
 * prefixes. An index finds candidates with `indexTerms` and `queryTerms`; `matches` decides.
 */

const HAN = /\p{Script=Han}/u;
const WORD = /[\p{L}\p{N}\p{M}_]/u;

/** The form in which texts and queries are compared: NFKC and lower case. Its length may differ from that of the text. */
function foldText(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

/** The terms of a message without duplicates: each Han character, each pair of neighbouring Han characters, each word of other letters and digits. */
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

/** A term that the index must contain. */
export interface QueryTerm {
  readonly text: string;
  /** Whether terms that begin with it count too, because the word of the query may be incomplete. */
  readonly isPrefix: boolean;
}

/** The terms that a message must all have to be a candidate. Empty if the query has no letter or digit. */
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

/** Whether the content contains every part of the query: Han text anywhere, words at the beginning of a word. */
export function matches(content: string, query: string): boolean {
  const text = foldText(content);
  const parts = queryPartsOf(query);
  return parts.length > 0 && parts.every((part) => positionsIn(text, part).length > 0);
}

/** The ranges of the content that match the query, for highlighting: [start, end) in UTF-16 units, ascending, not overlapping. */
export function matchRanges(content: string, query: string): (readonly [number, number])[] {
  const { text, origin } = foldWithOrigins(content);
  const ranges = queryPartsOf(query)
    .flatMap((part) => positionsIn(text, part).map((at) => [at, at + part.length] as const))
    .map(([start, end]) => [origin[start] ?? 0, origin[end] ?? content.length] as const)
    .toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
  const joined: [number, number][] = [];
  for (const [start, end] of ranges) {
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

/** Splits a text into maximal runs of Han characters and of other word characters. */
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

/** All positions of the part. A part that begins with a word character other than Han must be at the beginning of a word. */
function positionsIn(text: string, part: string): number[] {
  const positions: number[] = [];
  const [first = ""] = part;
  const matchesAnywhere = HAN.test(first) || !WORD.test(first);
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    if (matchesAnywhere || isWordStart(text, at)) positions.push(at);
  }
  return positions;
}

function isWordStart(text: string, at: number): boolean {
  const before = Array.from(text.slice(Math.max(0, at - 2), at)).at(-1);
  return before === undefined || !WORD.test(before) || HAN.test(before);
}

/** The folded text, and for each of its UTF-16 units and its end the position in the content. */
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
