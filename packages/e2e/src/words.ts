import { readFileSync } from "node:fs";

export type Language = "zh-CN" | "en-US" | "zh-TW";
export const LANGUAGES: readonly Language[] = ["zh-CN", "en-US", "zh-TW"];

export type Params = Readonly<Record<string, string | number>>;
/** Says a text of the product. */
export type Words = (id: string, params?: Params) => string;

/** The product's words in one language, read from the files the product is built from. */
export function wordsOf(language: Language): Words {
  const file = new URL(`../../web/src/locales/${language}.json`, import.meta.url);
  const texts = JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
  return (id, params = {}) => {
    const text = texts[id];
    if (text === undefined) throw new Error(`no text ${id} in ${language}`);
    return fill(text, params, language);
  };
}

/** `{name}`, and plurals whose branches are a number, `one` or `other`. */
function fill(text: string, params: Params, language: Language): string {
  return text
    .replace(
      /\{(\w+), plural,((?: (?:=\d+|one|other) \{[^}]*\})+)\}/g,
      (_, name: string, branches: string) => {
        const count = Number(params[name]);
        const texts = new Map(
          [...branches.matchAll(/ (=\d+|one|other) \{([^}]*)\}/g)].map(([, key = "", text = ""]) => [
            key,
            text,
          ]),
        );
        const key = new Intl.PluralRules(language).select(count);
        const branch = texts.get(`=${count}`) ?? texts.get(key) ?? texts.get("other") ?? "";
        return branch.replaceAll("#", String(count));
      },
    )
    .replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole));
}
