import { LOGOUT_REASONS } from "@parley/protocol/envelope";
import { ERROR_SENTENCES, type ErrorKey } from "@parley/protocol/errors";
import { describe, expect, test } from "vitest";
import { logoutMessage } from "../gateway/logout-messages.ts";
import { LANGUAGES, type Language } from "../api/language.ts";
import { TIP_SENTENCES, tipSentence } from "./tip-sentences.ts";

/** The characters in these rows of an older two-byte encoding, which has only simplified or only traditional Chinese. */
function charactersOf(encoding: string, first: number, last: number): Set<string> {
  const decoder = new TextDecoder(encoding);
  const found = new Set<string>();
  for (let high = first; high <= last; high++) {
    for (let low = 0x40; low <= 0xfe; low++) {
      // These codes belong to wider standards that have both kinds of characters.
      if (encoding === "gbk" && low < 0xa1) continue;
      for (const character of decoder.decode(Uint8Array.of(high, low))) found.add(character);
    }
  }
  return found;
}

const BELONGS_TO: Readonly<Record<Language, (han: string) => boolean>> = {
  "zh-CN": inSet(charactersOf("gbk", 0xb0, 0xf7)),
  "zh-TW": inSet(charactersOf("big5", 0xa4, 0xf9)),
  en: () => false,
};

function inSet(characters: Set<string>): (han: string) => boolean {
  return (han) => characters.has(han);
}

const hanIn = (sentence: string) => sentence.match(/\p{Script=Han}/gu) ?? [];
const placeholdersIn = (sentence: string) => (sentence.match(/\{\w+\}/g) ?? []).sort();

/** For programmers: it names a field and what is wrong with it. */
const NOT_TRANSLATED: ErrorKey = "request.malformed";
type SentenceIn = (language: Language) => string;

/** Every sentence of the server, with its placeholders. */
const ALL: readonly [name: string, sentenceIn: SentenceIn][] = [
  ...keysOf(TIP_SENTENCES).map((key): [string, SentenceIn] => [
    `tip ${key}`,
    (language) => TIP_SENTENCES[key][language],
  ]),
  ...keysOf(ERROR_SENTENCES)
    .filter((key) => key !== NOT_TRANSLATED)
    .map((key): [string, SentenceIn] => [`error ${key}`, (language) => ERROR_SENTENCES[key][language]]),
  ...LOGOUT_REASONS.map((reason): [string, SentenceIn] => [
    `logout ${reason}`,
    (language) => logoutMessage(reason, language),
  ]),
];

function keysOf<T extends object>(table: T): (keyof T & string)[] {
  return Object.keys(table) as (keyof T & string)[];
}

test("simplified and traditional characters are distinguished", () => {
  expect(["们", "為"].map(BELONGS_TO["zh-CN"])).toEqual([true, false]);
  expect(["们", "為"].map(BELONGS_TO["zh-TW"])).toEqual([false, true]);
});

describe.each(ALL)("%s", (_, sentenceIn) => {
  test.each(LANGUAGES)("is written in %s", (language) => {
    const sentence = sentenceIn(language);
    expect(hanIn(sentence).filter((han) => !BELONGS_TO[language](han))).toEqual([]);
    if (language === "en") expect(sentence).toMatch(/[a-z]{2}.* /s);
    else expect(hanIn(sentence).length).toBeGreaterThan(1);
  });

  test("has the same placeholders in each language", () => {
    expect(placeholdersIn(sentenceIn("zh-TW"))).toEqual(placeholdersIn(sentenceIn("zh-CN")));
    // The English sentence may have fewer, as that about a banned group does.
    expect(placeholdersIn(sentenceIn("zh-CN"))).toEqual(
      expect.arrayContaining(placeholdersIn(sentenceIn("en"))),
    );
  });
});

test.each(LANGUAGES)("no two tips have the same sentence in %s", (language) => {
  const sentences = Object.values(TIP_SENTENCES).map((tip) => tip[language]);
  expect(new Set(sentences).size).toBe(sentences.length);
});

test("a tip inserts its parameters, names without escapes, and nothing for missing ones", () => {
  const params = { name: "Ann", names: "Bo,Doe\\, John" };
  expect(tipSentence("group.invited", "en", params)).toBe("Ann invited Bo,Doe, John to the group");
  expect(tipSentence("group.invited", "en", { name: "Ann" })).toBe("Ann invited  to the group");
  expect(tipSentence("group.invited", "zh-TW", { name: "Ann, B." })).toBe("「Ann, B.」邀請「」加入了群組");
});
