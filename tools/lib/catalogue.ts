import { existsSync, readFileSync } from "node:fs";
import { type ErrorSentences, errorTexts } from "@parley/protocol/error-texts";

/** The file with the sentences of errors in all languages. */
export const ERRORS_FILE = "packages/protocol/src/errors.json";

/** The sentences of errors. `root`: the repository, or a planted tree. */
export function readErrorSentences(root: string): ErrorSentences {
  return readJson(`${root}/${ERRORS_FILE}`) as ErrorSentences;
}

const LOCALES = "packages/web/src/locales";

/** The file in which a text is written. Those of the administration are apart, because few people load them. */
export function fileOfText(locale: string, id: string): string {
  if (id.startsWith("error.")) return ERRORS_FILE;
  return `${LOCALES}/${id.startsWith("admin.") ? "admin/" : ""}${locale}.json`;
}

/** The texts of the web client in one language by file, without those of errors. */
export function readTextFiles(root: string, locale: string): Map<string, Record<string, string>> {
  const files = [`${LOCALES}/${locale}.json`, `${LOCALES}/admin/${locale}.json`].filter((file) =>
    existsSync(`${root}/${file}`),
  );
  return new Map(files.map((file) => [file, readJson(`${root}/${file}`) as Record<string, string>]));
}

/** All texts of the web client in one language, as its build compiles them. */
export function readCatalogue(root: string, locale: string): Record<string, string> {
  const texts = [...readTextFiles(root, locale).values()];
  return Object.assign({}, ...texts, errorTexts(readErrorSentences(root), locale)) as Record<string, string>;
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, "utf8"));
}
