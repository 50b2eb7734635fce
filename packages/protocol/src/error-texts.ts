import { isDomainErrorKey } from "./envelope.ts";

/** The contents of `errors.json`: sentences by key and language. */
export type ErrorSentences = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * The texts of a client in one of its languages for errors with a reason for the person: `error.<key>`, in the syntax of ICU messages. The
 * other errors are shown in the words of the server.
 */
export function errorTexts(sentences: ErrorSentences, locale: string): Record<string, string> {
  const language = locale === "en-US" ? "en" : locale;
  return Object.fromEntries(
    Object.entries(sentences)
      .filter(([key]) => isDomainErrorKey(key))
      // A single apostrophe before a brace would quote it.
      .map(([key, sentence]) => [`error.${key}`, (sentence[language] ?? "").replaceAll("'", "''")]),
  );
}
