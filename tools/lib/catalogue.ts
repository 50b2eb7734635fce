import { readFileSync } from "node:fs";
import { type ErrorSentences, errorTexts } from "@parley/protocol/error-texts";

/** The file with the sentences of errors in all languages. */
export const ERRORS_FILE = "packages/protocol/src/errors.json";

/** The sentences of errors. `root`: the repository, or a planted tree. */
export function readErrorSentences(root: string): ErrorSentences {
  return readJson(`${root}/${ERRORS_FILE}`) as ErrorSentences;
}

/** The file with the texts of the web client in one language, without those of errors. */
export function localeFile(locale: string): string {
  return `packages/web/src/locales/${locale}.json`;
}

/** All texts of the web client in one language, as its build compiles them. */
export function readCatalogue(root: string, locale: string): Record<string, string> {
  const texts = readJson(`${root}/${localeFile(locale)}`) as Record<string, string>;
  return { ...texts, ...errorTexts(readErrorSentences(root), locale) };
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, "utf8"));
}
