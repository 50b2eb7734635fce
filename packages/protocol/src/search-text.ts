/**
 * How search compares texts, on servers and clients: scripts that are written without blanks by single characters and pairs of neighbours,
 * other text by words and their prefixes, signs by themselves. An index finds candidates with `indexTerms` and `queryTerms`; `matches`
 * decides.
 */

import { SEARCH_QUERY_MAX } from "./limits.ts";
import { cutText, isVisible } from "./text.ts";

/** A character of a word. Connectors such as "_" belong to none, so that a word begins behind them. */
const WORD = /[\p{L}\p{N}\p{M}]/u;
const MARK = /\p{M}/u;
const DIGIT = /\p{N}/u;
/**
 * Scripts in which no blank says where a word begins, so each of their characters may begin one. Hangul has blanks, but its particles and
 * compounds are written together. `scx` includes what several scripts share, such as the prolonged sound mark.
 */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Hang}\p{scx=Yiii}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}\p{scx=Java}\p{scx=Bali}\p{scx=Sund}\p{scx=Tale}\p{scx=Talu}\p{scx=Lana}\p{scx=Tavt}\p{scx=Cham}\p{scx=Ahom}]/u;
/** Characters that are not seen: they are compared as if they were not there. */
const IGNORED = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;
/** Blanks that are no white space to JavaScript: the zero width space, which separates words in Thai and Khmer, and the blank of Braille. */
const OTHER_BLANKS = /[\u200b\u2800]/gu;
/** ASCII alone, which most texts in Latin letters are: only the case matters. */
const PLAIN = /^[\n\x20-\x7e]*$/;
const CONTROLS = /\p{Cc}/gu;
const ASCII_WORD_START = 0x30;
/** UTF-16 units of a term. A longer term is found by its beginning, because indexes limit the length of a term. */
const TERM_MAX = 255;

/**
 * The form in which texts and queries are compared: NFKC, which joins both widths and all ways to write an accent, without case and without
 * characters that are not seen. Its length may differ from that of the text.
 */
function foldText(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  const visible = text.replace(OTHER_BLANKS, " ").replace(IGNORED, "");
  const composed = visible.normalize("NFKC").replace(IGNORED, "");
  // By way of the upper case, so that "ß" is "ss". The dot of the Turkish "İ" and the sigma at the end of a word are written in one way.
  const folded = composed.toUpperCase().toLowerCase().replaceAll("i\u0307", "i").replaceAll("ς", "σ");
  return folded.normalize("NFKC");
}

/**
 * The terms of a message without duplicates: each character and each pair of neighbours of a script without blanks; each word of others, and
 * each beginning of one behind a change between letters and digits, up to the second change after it; each sign.
 */
export function indexTerms(content: string): string[] {
  const terms = new Set<string>();
  for (const run of runsOf(foldText(content))) {
    if (run.kind === "unspaced") {
      const characters = [...run.text];
      characters.forEach((character, i) => {
        terms.add(character);
        const next = characters[i + 1];
        if (next !== undefined) terms.add(character + next);
      });
    } else if (run.kind === "word") {
      const parts = partsOf(run.text);
      parts.forEach((part, i) => terms.add(cutTerm(part + (parts[i + 1] ?? ""))));
    } else terms.add(signTerm(run.text));
  }
  return [...terms];
}

/** A term that the index must contain. */
export interface QueryTerm {
  readonly text: string;
  /** Whether terms that begin with it count too, because the word of the query may be incomplete. */
  readonly isPrefix: boolean;
}

/** The terms that a message must all have to be a candidate. Empty if the query shows nothing. */
export function queryTerms(query: string): QueryTerm[] {
  const terms = new Map<string, QueryTerm>();
  const add = (term: string, isPrefix: boolean) => {
    const text = cutTerm(term);
    // The exact term asks for more than the prefix.
    if (terms.get(text)?.isPrefix !== false) terms.set(text, { text, isPrefix });
  };
  for (const run of runsOf(foldText(query))) {
    if (run.kind === "unspaced") {
      const characters = [...run.text];
      if (characters.length === 1) add(run.text, false);
      for (let i = 0; i + 1 < characters.length; i++) add(`${characters[i]}${characters[i + 1]}`, false);
    } else if (run.kind === "word") {
      const parts = partsOf(run.text);
      if (parts.length === 1) add(run.text, true);
      for (let i = 0; i + 1 < parts.length; i++) add(`${parts[i]}${parts[i + 1]}`, i + 2 === parts.length);
    } else add(signTerm(run.text), false);
  }
  return [...terms.values()];
}

/** What a search asks for when this was typed: without blanks at its ends, and as long as a query may be. Empty if it shows nothing. */
export function searchTextOf(typed: string): string {
  return isVisible(typed) ? cutText(typed.trim(), SEARCH_QUERY_MAX) : "";
}

/**
 * Whether the content contains every part of the query: signs and scripts without blanks anywhere, words at the beginning of a word, which is
 * also where digits follow letters and letters digits.
 */
export function matches(content: string, query: string): boolean {
  const text = foldText(content);
  const parts = queryPartsOf(query);
  return parts.length > 0 && parts.every((part) => positionsIn(text, part).length > 0);
}

/** The ranges of the content that match the query, for highlighting: [start, end) in UTF-16 units, ascending, not overlapping. */
export function matchRanges(content: string, query: string): (readonly [number, number])[] {
  const { text, starts, ends } = foldWithOrigins(content);
  const ranges = queryPartsOf(query)
    .flatMap((part) => positionsIn(text, part).map((at) => [at, at + part.length] as const))
    .map(([start, end]) => [starts[start] ?? 0, ends[end - 1] ?? content.length] as const)
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
  readonly kind: "unspaced" | "word" | "sign";
}

/** Splits a text into maximal runs of characters without blanks, maximal runs of other word characters, and single signs. */
function runsOf(text: string): Run[] {
  const runs: { text: string; kind: Run["kind"] }[] = [];
  let lastKind: Run["kind"] | undefined;
  for (const character of text) {
    let kind = kindOfCharacter(character);
    // A mark of all scripts belongs to the character that carries it.
    if (kind === "word" && lastKind !== "word" && MARK.test(character))
      kind = lastKind === "unspaced" ? "unspaced" : "sign";
    const last = runs.at(-1);
    if (kind !== undefined && kind !== "sign" && kind === lastKind && last !== undefined)
      last.text += character;
    else if (kind !== undefined) runs.push({ text: character, kind });
    lastKind = kind;
  }
  return runs;
}

/** Undefined: a blank or a control character. */
function kindOfCharacter(character: string): Run["kind"] | undefined {
  if (character.length > 1) return determineKind(character);
  const unit = character.charCodeAt(0);
  const known = knownKinds[unit];
  if (known !== undefined && known !== 0) return KINDS[known];
  const kind = determineKind(character);
  knownKinds[unit] = KINDS.indexOf(kind, 1);
  return kind;
}

/** The kinds by their numbers in `knownKinds`, in which 0 says that a character has not been looked at: three tests for each would take most of the time. */
const KINDS = [undefined, undefined, "unspaced", "word", "sign"] as const;
const knownKinds = new Uint8Array(0x1_0000);

function determineKind(character: string): Run["kind"] | undefined {
  if (WORD.test(character)) return UNSPACED.test(character) ? "unspaced" : "word";
  return /[\s\p{Cc}]/u.test(character) ? undefined : "sign";
}

/** Splits a word where digits follow letters, and letters digits. */
function partsOf(word: string): readonly string[] {
  if (!DIGIT.test(word)) return [word];
  return word.match(/\p{N}[\p{N}\p{M}]*|[^\p{N}]+/gu) ?? [];
}

function cutTerm(term: string): string {
  return term.length <= TERM_MAX ? term : term.slice(0, TERM_MAX).replace(/[\ud800-\udbff]$/, "");
}

/** A sign in a form that every index can store. It begins with "_", which no word does. */
function signTerm(sign: string): string {
  return `_${sign.codePointAt(0)?.toString(16) ?? ""}`;
}

function queryPartsOf(query: string): string[] {
  return foldText(query)
    .replace(CONTROLS, " ")
    .split(/\s+/u)
    .filter((part) => part !== "");
}

/** All positions of the part. A part that begins with a letter or a digit of a script with blanks must be at the beginning of a word. */
function positionsIn(text: string, part: string): number[] {
  const positions: number[] = [];
  const [first = ""] = part;
  const matchesAnywhere = !WORD.test(first) || UNSPACED.test(first);
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    if (matchesAnywhere || isWordStart(text, at, first)) positions.push(at);
  }
  return positions;
}

/** Whether a word that begins with `first` may begin there. */
function isWordStart(text: string, at: number, first: string): boolean {
  let end = at;
  for (;;) {
    const unit = text.charCodeAt(end - 1);
    if (Number.isNaN(unit)) return true;
    // Most texts are searched in vain, so the usual cases come first.
    if (unit < ASCII_WORD_START) return true;
    const before = unit >= 0xdc00 && unit < 0xe000 ? text.slice(end - 2, end) : text.slice(end - 1, end);
    if (!WORD.test(before)) return true;
    if (MARK.test(first)) return false;
    if (UNSPACED.test(before)) return true;
    if (!MARK.test(before)) return DIGIT.test(before) !== DIGIT.test(first);
    end -= before.length;
  }
}

/** Letters that are composed with what follows them, and other characters with their marks, which may be of half width. */
const CLUSTER =
  /[\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\ud7b0-\ud7fb\uffa1-\uffdc]+[\p{M}\p{Default_Ignorable_Code_Point}]*|[^][\p{M}\p{Default_Ignorable_Code_Point}\uff9e\uff9f]*/gu;

/** The folded text, and for each of its UTF-16 units where the piece of the content begins and ends that it comes from. */
function foldWithOrigins(content: string): { text: string; starts: number[]; ends: number[] } {
  let text = "";
  const starts: number[] = [];
  const ends: number[] = [];
  for (const { 0: cluster, index } of content.matchAll(CLUSTER)) {
    const folded = foldText(cluster);
    const isSameLength = folded.length === cluster.length;
    for (let i = 0; i < folded.length; i++) {
      starts.push(isSameLength ? index + i : index);
      ends.push(isSameLength ? index + i + 1 : index + cluster.length);
    }
    text += folded;
  }
  return { text, starts, ends };
}
