import { readFileSync } from "node:fs";

export type Language = "zh-CN" | "en-US" | "zh-TW";
export const LANGUAGES: readonly Language[] = ["zh-CN", "en-US", "zh-TW"];

export type Params = Readonly<Record<string, string | number>>;
/** Says a text of the product. */
export type ProductText = (id: string, params?: Params) => string;

/** The product's words in one language, read from the files the product is built from. */
export function productTexts(language: Language): ProductText {
  const file = new URL(`../../web/src/locales/${language}.json`, import.meta.url);
  const texts = JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
  return (id, params = {}) => {
    const text = texts[id];
    if (text === undefined) throw new Error(`no text ${id} in ${language}`);
    return fillPlaceholders(text, params, language);
  };
}

/** `{name}`, and forms by a count or by a word, in which values may stand. Without the word it is `other`. */
function fillPlaceholders(text: string, params: Params, language: Language): string {
  return text
    .replace(
      /\{(\w+), (plural|select),((?: (?:=\d+|\w+) \{(?:[^{}]|\{\w+\})*\})+)\}/g,
      (_, name: string, kind: string, branches: string) => {
        const forms = new Map(
          [...branches.matchAll(/ (=\d+|\w+) \{((?:[^{}]|\{\w+\})*)\}/g)].map(([, key = "", form = ""]) => [
            key,
            form,
          ]),
        );
        const other = forms.get("other") ?? "";
        if (kind === "select") return forms.get(String(params[name])) ?? other;
        const count = Number(params[name]);
        const key = new Intl.PluralRules(language).select(count);
        return (forms.get(`=${count}`) ?? forms.get(key) ?? other).replaceAll("#", String(count));
      },
    )
    .replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole));
}
