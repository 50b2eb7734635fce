/**
 * The closed list of API errors. A client imports only types of this file, because it would load the sentences of all languages. Its build
 * takes those of one language out of `errors.json` (`errorTexts`).
 */
import { Code } from "./codes.ts";
import sentences from "./errors.json" with { type: "json" };

export type ErrorKey = keyof typeof sentences;

/**
 * The sentence of each error in each language. `{name}` stands for the parameter of that name. Clients compare the zh-CN ones, so one that
 * exists keeps its words.
 */
export const ERROR_SENTENCES: Readonly<Record<ErrorKey, Readonly<Record<"zh-CN" | "zh-TW" | "en", string>>>> =
  sentences;

interface ErrorRow {
  /** The code of the envelope. Validation never answers with 400 or 401, because clients log out then. */
  readonly code: number;
  /** The HTTP status: 200 if the error is part of a call's rules. */
  readonly http: number;
}

/** What differs from a plain refusal. */
const SPECIAL: Readonly<Partial<Record<ErrorKey, Partial<ErrorRow>>>> = {
  "auth.notLoggedIn": { code: Code.NOT_LOGGED_IN },
  "auth.tokenInvalid": { code: Code.TOKEN_INVALID },
  "login.wrongPassword": { code: Code.WRONG_PASSWORD },
  "register.userNameTaken": { code: Code.USER_NAME_TAKEN },
  "call.crossed": { code: Code.CALL_CROSSED },
  "upload.tooLarge": { http: 413 },
  "admin.required": { http: 403 },
  "request.malformed": { http: 400 },
  "request.forbidden": { http: 403 },
  "request.notFound": { http: 404 },
  "request.tooLarge": { http: 413 },
  "request.tooMany": { code: Code.TOO_MANY, http: 429 },
  "server.unavailable": { http: 503 },
  "server.storageFull": { http: 507 },
  "server.error": { http: 500 },
};

/** The code and the HTTP status of each error. */
export const ERRORS = Object.fromEntries(
  (Object.keys(sentences) as ErrorKey[]).map((key): [ErrorKey, ErrorRow] => [
    key,
    { code: Code.REFUSED, http: 200, ...SPECIAL[key] },
  ]),
) as Readonly<Record<ErrorKey, ErrorRow>>;
