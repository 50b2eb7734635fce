import { readFileSync } from "node:fs";
import { errorTexts } from "@parley/protocol/error-texts";
import { ERROR_SENTENCES } from "@parley/protocol/errors";

/** The languages of the product. */
export type Language = "zh-CN" | "en-US" | "zh-TW";
export const LANGUAGES: readonly Language[] = ["zh-CN", "en-US", "zh-TW"];

/** Values for the placeholders of a text. */
export type Params = Readonly<Record<string, string | number>>;
/** Returns a text of the product by its key. */
export type ProductText = (id: string, params?: Params) => string;

/** The texts of a language by their keys, from the files that the product is built from. */
export function catalogueOf(language: Language): Record<string, string> {
  const texts = ["", "admin/"].map((folder) => {
    const file = new URL(`../../web/src/locales/${folder}${language}.json`, import.meta.url);
    return JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
  });
  return Object.assign({}, ...texts, errorTexts(ERROR_SENTENCES, language)) as Record<string, string>;
}

/** The texts of the product in one language. */
export function productTexts(language: Language): ProductText {
  const texts = catalogueOf(language);
  return (id, params = {}) => {
    const text = texts[id];
    if (text === undefined) throw new Error(`${language} has no text ${id}`);
    return fillPlaceholders(text, params, language);
  };
}

/** Fills `{name}`, `{name, plural, ...}` and `{name, select, ...}`. A missing form falls back to `other`. Two apostrophes are one. */
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
        return (forms.get(`=${count}`) ?? forms.get(key) ?? other).replaceAll(
          "#",
          count.toLocaleString(language),
        );
      },
    )
    .replaceAll("''", "'")
    .replace(/\{(\w+)\}/g, (whole, name: string) => (params[name] ?? whole).toLocaleString(language));
}
