import english from "../../../web/src/locales/en-US.json";
import simplified from "../../../web/src/locales/zh-CN.json";
import traditional from "../../../web/src/locales/zh-TW.json";
import type { DesktopInput } from "../bridge/desktop-bridge.ts";

export type Language = DesktopInput<"setLanguage">;
/** Returns a text in the language of the application. `{name}` in it becomes the value of that name. */
export type Translate = (
  id: keyof typeof english,
  values?: Readonly<Record<string, string | number>>,
) => string;

const CATALOGUES: Readonly<Record<Language, typeof english>> = {
  "en-US": english,
  "zh-CN": simplified,
  "zh-TW": traditional,
};

export function translator(language: Language): Translate {
  return (id, values = {}) =>
    Object.entries(values).reduce(
      (text, [name, value]) => text.replaceAll(`{${name}}`, String(value)),
      CATALOGUES[language][id],
    );
}

/** The first language of the system that we have, until the page says which one the person chose. */
export function languageOfSystem(tags: readonly string[]): Language {
  for (const tag of tags) {
    if (/^zh\b.*\b(hant|tw|hk|mo)\b/i.test(tag)) return "zh-TW";
    if (/^zh\b/i.test(tag)) return "zh-CN";
    if (/^en\b/i.test(tag)) return "en-US";
  }
  return "en-US";
}
