import { ERRORS, type ErrorKey, LOGOUT_REASONS } from "@parley/protocol/envelope";
import { describe, expect, test } from "vitest";
import { logoutMessage } from "../gateway/logout-messages.ts";
import { errorTemplateOf } from "../http/error-messages.ts";
import { LANGUAGES, type Language } from "../ports/language.ts";
import { TIP_SENTENCES, tipSentence } from "./tip-sentences.ts";

/** Characters of the two-byte codes in these rows, which an older standard has for one way of writing Chinese. */
function charactersOf(encoding: string, first: number, last: number): Set<string> {
  const decoder = new TextDecoder(encoding);
  const found = new Set<string>();
  for (let high = first; high <= last; high++) {
    for (let low = 0x40; low <= 0xfe; low++) {
      // What stands in these places belongs to wider standards that have both ways.
      if (encoding === "gbk" && low < 0xa1) continue;
      for (const character of decoder.decode(Uint8Array.of(high, low))) found.add(character);
    }
  }
  return found;
}

const WRITTEN: Readonly<Record<Language, (han: string) => boolean>> = {
  "zh-CN": inSet(charactersOf("gbk", 0xb0, 0xf7)),
  "zh-TW": inSet(charactersOf("big5", 0xa4, 0xf9)),
  en: () => false,
};

function inSet(characters: Set<string>): (han: string) => boolean {
  return (han) => characters.has(han);
}

const hanIn = (sentence: string) => sentence.match(/\p{Script=Han}/gu) ?? [];
const placesIn = (sentence: string) => (sentence.match(/\{\w+\}/g) ?? []).sort();

/** For programmers: the name of a field and what is wrong with it. */
const WORDLESS: ErrorKey = "request.malformed";
type Say = (language: Language) => string;

/** Every sentence of the server, as it is written down. */
const ALL: readonly [name: string, say: Say][] = [
  ...keysOf(TIP_SENTENCES).map((key): [string, Say] => [
    `tip ${key}`,
    (language) => TIP_SENTENCES[key][language],
  ]),
  ...keysOf(ERRORS)
    .filter((key) => key !== WORDLESS)
    .map((key): [string, Say] => [`refusal ${key}`, (language) => errorTemplateOf(key, language)]),
  ...LOGOUT_REASONS.map((reason): [string, Say] => [
    `end ${reason}`,
    (language) => logoutMessage(reason, language),
  ]),
];

function keysOf<T extends object>(table: T): (keyof T & string)[] {
  return Object.keys(table) as (keyof T & string)[];
}

test("the characters of the two ways of writing are told apart", () => {
  expect(["们", "為"].map(WRITTEN["zh-CN"])).toEqual([true, false]);
  expect(["们", "為"].map(WRITTEN["zh-TW"])).toEqual([false, true]);
});

describe.each(ALL)("%s", (_, say) => {
  test.each(LANGUAGES)("is written in %s", (language) => {
    const sentence = say(language);
    expect(hanIn(sentence).filter((han) => !WRITTEN[language](han))).toEqual([]);
    if (language === "en") expect(sentence).toMatch(/[a-z]{2}.* /s);
    else expect(hanIn(sentence).length).toBeGreaterThan(1);
  });

  test("inserts in each language what there is to insert", () => {
    expect(placesIn(say("zh-TW"))).toEqual(placesIn(say("zh-CN")));
    // The English one may say less, as it does of a banned group.
    expect(placesIn(say("zh-CN"))).toEqual(expect.arrayContaining(placesIn(say("en"))));
  });
});

test.each(LANGUAGES)("no two tips say the same in %s", (language) => {
  const sentences = Object.values(TIP_SENTENCES).map((tip) => tip[language]);
  expect(new Set(sentences).size).toBe(sentences.length);
});

test("a tip inserts what it is given, names as they are, and nothing for what is missing", () => {
  const params = { name: "Ann", names: "Bo,Doe\\, John" };
  expect(tipSentence("group.invited", "en", params)).toBe("Ann invited Bo,Doe, John to the group");
  expect(tipSentence("group.invited", "en", { name: "Ann" })).toBe("Ann invited  to the group");
  expect(tipSentence("group.invited", "zh-TW", { name: "Ann, B." })).toBe("「Ann, B.」邀請「」加入了群組");
});
