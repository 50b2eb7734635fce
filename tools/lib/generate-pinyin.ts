import { join } from "node:path";
import { pinyin } from "pinyin-pro";
import { repository } from "./files.ts";

const FIRST = 0x4e00;
const LAST = 0x9fa5;
const INITIALS = "b p m f d t n l g k h j q x zh ch sh r z c s y w".split(" ");
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Common characters: those of the older national sets, simplified (GB 2312) and traditional (Big5, first level). */
function commonCharacters(): Set<string> {
  const common = new Set<string>();
  const charsets = [
    ["gb2312", 0xb0, 0xf7, 0xa1],
    ["big5", 0xa4, 0xc6, 0x40],
  ] as const;
  for (const [encoding, first, last, lowStart] of charsets) {
    const decoder = new TextDecoder(encoding);
    for (let high = first; high <= last; high++) {
      for (let low = lowStart; low <= 0xfe; low++) {
        const [character = "", ...more] = decoder.decode(new Uint8Array([high, low]));
        if (more.length === 0 && /\p{Script=Han}/u.test(character)) common.add(character);
      }
    }
  }
  return common;
}

/** The syllables of a character without tones, the most common one first. ü is written v, as it is typed. */
function syllablesOf(character: string): string[] {
  const all = pinyin(character, { multiple: true, toneType: "none", type: "array", v: true });
  return [...new Set(all)].filter((syllable) => /^[a-z]+$/.test(syllable));
}

/** The path of the committed table of syllables, and the text that it must have. */
export function generatePinyin(): { file: string; text: string } {
  const initials = [""];
  const finals: string[] = [];
  const codeOf = (part: string, parts: string[]): string => {
    if (!parts.includes(part)) parts.push(part);
    const letter = LETTERS[parts.indexOf(part)];
    if (letter === undefined) throw new Error("there are more syllable parts than letters to encode them");
    return letter;
  };
  const encode = (syllable: string): string => {
    const initial =
      INITIALS.filter((candidate) => syllable.startsWith(candidate) && candidate !== syllable).sort(
        (a, b) => b.length - a.length,
      )[0] ?? "";
    return codeOf(initial, initials) + codeOf(syllable.slice(initial.length), finals);
  };
  const common = commonCharacters();
  let usual = "";
  let others = "";
  for (let code = FIRST; code <= LAST; code++) {
    const character = String.fromCodePoint(code);
    const [first, ...more] = syllablesOf(character);
    usual += first === undefined ? "  " : encode(first);
    if (common.has(character) && more.length > 0) others += character + more.map(encode).join("");
  }
  const table = { usual, others, initials: initials.join(" "), finals: finals.join(" ") };
  const text = `${JSON.stringify(table, null, 2)}\n`;
  return { file: join(repository, "packages/web/src/kit/search/pinyin-table.json"), text };
}
