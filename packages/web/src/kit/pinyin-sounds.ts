import { FINALS, INITIALS, OTHERS, USUAL } from "./pinyin-table.ts";
import type { Range } from "./pinyin.ts";

const FIRST = 0x4e00;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

const initials = INITIALS.split(" ");
const finals = FINALS.split(" ");
const others = new Map(
  [...OTHERS.matchAll(/(\p{Script=Han})([A-Za-z0-9]+)/gu)].map(
    ([, character = "", codes = ""]) => [character, codes] as const,
  ),
);

function syllable(code: string): string {
  return `${initials[LETTERS.indexOf(code.charAt(0))] ?? ""}${finals[LETTERS.indexOf(code.charAt(1))] ?? ""}`;
}

/** All sounds of a Han character without tones, the usual one first, ü as v; none for one that is not in the table. */
function soundsOf(character: string): readonly string[] {
  const at = ((character.codePointAt(0) ?? 0) - FIRST) * 2;
  const usual = at < 0 ? "" : USUAL.slice(at, at + 2).trim();
  const codes = usual + (others.get(character) ?? "");
  return Array.from({ length: codes.length / 2 }, (_, index) => syllable(codes.slice(index * 2)));
}

/** The parts of a name that letters without spaces stand for: units in full, by initials, the last one by its beginning; null for none. */
export function rangesBySound(name: string, letters: string): readonly Range[] | null {
  const units = unitsOf(name);
  for (let first = 0; first < units.length; first++) {
    const found = consume(units, first, letters);
    if (found !== null) return joined(found);
  }
  return null;
}

/** 0: the name begins with the letters by its full and usual sounds; 1: by initials as well; 2: by any sounds; 3: not at its beginning. */
export function rankBySound(name: string, letters: string): number | null {
  const units = unitsOf(name);
  const usual = units.map((unit) => ({ ...unit, forms: unit.forms.slice(0, 2) }));
  if (
    usual
      .map(({ forms }) => forms.at(-1))
      .join("")
      .startsWith(letters)
  )
    return 0;
  if (consume(usual, 0, letters) !== null) return 1;
  if (consume(units, 0, letters) !== null) return 2;
  return rangesBySound(name, letters) === null ? null : 3;
}

/** Characters that sound otherwise when they are a family's name. */
const SURNAMES: Readonly<Record<string, string>> = {
  曾: "Z",
  单: "S",
  單: "S",
  仇: "Q",
  解: "X",
  查: "Z",
  乐: "Y",
  樂: "Y",
  区: "O",
  區: "O",
  种: "C",
  澹: "T",
};

/** The letter that a name of Han characters begins with; of two to four of them the first is taken for a family's name. */
export function initialLetter(name: string): string | undefined {
  const [first = ""] = name;
  const surname = /^\p{Script=Han}{2,4}$/u.test(name) ? SURNAMES[first] : undefined;
  return surname ?? soundsOf(first)[0]?.charAt(0).toUpperCase();
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
    const forms = isHan ? [text, ...soundsOf(text)] : [text.normalize("NFKC").toLowerCase()];
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
