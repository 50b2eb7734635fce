import type { ErrorParams } from "@parley/protocol/envelope";
import { ERROR_SENTENCES, type ErrorKey } from "@parley/protocol/errors";
import type { Language } from "../api/language.ts";

/** Returns the message of an error with its parameters filled in. */
export function errorMessageOf(key: ErrorKey, params: ErrorParams | undefined, language: Language): string {
  return ERROR_SENTENCES[key][language].replace(/\{(\w+)\}/g, (_, name: string) =>
    String(params?.[name] ?? ""),
  );
}
