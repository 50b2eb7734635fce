import type { Range } from "./pinyin.ts";

/** How Han characters sound, from the dictionary of pinyin-pro. The file is written by: node tools/pinyin.ts */
export interface PinyinTable {
  /** Two letters a character from U+4E00 on, by `initials` and `finals`: A is the first part, then B to Z, a to z, 0 to 9. */
  readonly usual: string;
  /** Characters with more than one sound, each followed by its other ones. */
  readonly others: string;
  /** The parts with which syllables begin, and those with which they end, separated by spaces. */
  readonly initials: string;
  readonly finals: string;
}

/** Compares names by how their Han characters sound. */
export interface PinyinSounds {
  /** The ranges of a name that letters without spaces match: units in full or by initials, the last one by a prefix; null for no match. */
  rangesBySound(name: string, letters: string): readonly Range[] | null;
  /** 0: the name begins with the letters in its full usual pinyin; 1: with initials too; 2: with any reading; 3: the match is further inside. */
  rankBySound(name: string, letters: string): number | null;
  /** The first letter of a name of Han characters. In a name of two to four characters the first is read as a surname. */
  initialLetter(name: string): string | undefined;
}

const FIRST = 0x4e00;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Characters that are read differently as a surname. */
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

/** Creates the comparison. */
export function createPinyinSounds(table: PinyinTable): PinyinSounds {
  const soundsOf = createReadings(table);
  return {
    rangesBySound: (name, letters) => rangesIn(unitsOf(name, soundsOf), letters),
    rankBySound(name, letters) {
      const units = unitsOf(name, soundsOf);
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
      return rangesIn(units, letters) === null ? null : 3;
    },
    initialLetter(name) {
      const [first = ""] = name;
      const surname = /^\p{Script=Han}{2,4}$/u.test(name) ? SURNAMES[first] : undefined;
      return surname ?? soundsOf(first)[0]?.charAt(0).toUpperCase();
    },
  };
}

/** All readings of a Han character without tones, the usual one first, ü as v; none for a character that is not in the table. */
type Readings = (character: string) => readonly string[];

function createReadings(table: PinyinTable): Readings {
  const initials = table.initials.split(" ");
  const finals = table.finals.split(" ");
  const others = new Map(
    [...table.others.matchAll(/(\p{Script=Han})([A-Za-z0-9]+)/gu)].map(
      ([, character = "", codes = ""]) => [character, codes] as const,
    ),
  );
  const syllable = (code: string) =>
    `${initials[LETTERS.indexOf(code.charAt(0))] ?? ""}${finals[LETTERS.indexOf(code.charAt(1))] ?? ""}`;
  const read = (character: string) => {
    const offset = ((character.codePointAt(0) ?? 0) - FIRST) * 2;
    const usual = offset < 0 ? "" : table.usual.slice(offset, offset + 2).trim();
    const codes = usual + (others.get(character) ?? "");
    return Array.from({ length: codes.length / 2 }, (_, index) => syllable(codes.slice(index * 2)));
  };
  const known = new Map<string, readonly string[]>();
  return (character) => {
    const readings = known.get(character) ?? read(character);
    known.set(character, readings);
    return readings;
  };
}

function rangesIn(units: readonly Unit[], letters: string): readonly Range[] | null {
  for (let first = 0; first < units.length; first++) {
    const found = consume(units, first, letters);
    if (found !== null) return joinAdjacent(found);
  }
  return null;
}

/** A Han character, or a word of other letters. */
interface Unit {
  readonly start: number;
  readonly end: number;
  readonly isHan: boolean;
  /** Ways to type it in full. */
  readonly forms: readonly string[];
}

function unitsOf(name: string, soundsOf: Readings): Unit[] {
  return [...name.matchAll(/\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{N}\p{M}_])+/gu)].map((match) => {
    const [text] = match;
    const isHan = /^\p{Script=Han}/u.test(text);
    const forms = isHan ? [text, ...soundsOf(text)] : [text.normalize("NFKC").toLowerCase()];
    return { start: match.index, end: match.index + text.length, isHan, forms };
  });
}

/** Matches the letters against the units from `index` on: in full or by initials, the last one by a prefix. */
function consume(units: readonly Unit[], index: number, letters: string): readonly Range[] | null {
  if (letters === "") return [];
  const unit = units[index];
  if (unit === undefined) return null;
  for (const length of matchLengths(unit.forms, letters)) {
    const rest = consume(units, index + 1, letters.slice(length));
    const end = unit.isHan ? unit.end : Math.min(unit.end, unit.start + length);
    if (rest !== null) return [[unit.start, end], ...rest];
  }
  return null;
}

/** How many of the letters this unit may match, longest first. */
function matchLengths(forms: readonly string[], letters: string): readonly number[] {
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

function joinAdjacent(ranges: readonly Range[]): readonly Range[] {
  const found: [number, number][] = [];
  for (const [start, end] of ranges) {
    const last = found.at(-1);
    if (last?.[1] === start) last[1] = end;
    else found.push([start, end]);
  }
  return found;
}
