import { expect, test } from "vitest";
import { Code } from "./codes.ts";
import { errorTexts } from "./error-texts.ts";
import { ERROR_SENTENCES, ERRORS } from "./errors.ts";

test("an error is a plain refusal, unless it says otherwise", () => {
  expect(ERRORS["friend.self"]).toEqual({ code: Code.REFUSED, http: 200 });
  expect(ERRORS["upload.tooLarge"]).toEqual({ code: Code.REFUSED, http: 413 });
  expect(ERRORS["request.tooMany"]).toEqual({ code: Code.TOO_MANY, http: 429 });
});

test("malformed requests do not end a session", () => {
  const ending: readonly number[] = [Code.NOT_LOGGED_IN, Code.TOKEN_INVALID];
  const keys = Object.entries(ERRORS).filter(([, { code }]) => ending.includes(code));
  expect(keys.map(([key]) => key)).toEqual(["auth.notLoggedIn", "auth.tokenInvalid"]);
});

test("a client has the sentences of one language, for errors with a reason for the person", () => {
  const texts = errorTexts(ERROR_SENTENCES, "en-US");
  expect(texts["error.login.wrongPassword"]).toBe("Wrong username or password");
  expect(errorTexts(ERROR_SENTENCES, "zh-TW")["error.login.wrongPassword"]).toBe("使用者名稱或密碼不正確");
  const areas = new Set(Object.keys(texts).map((id) => id.split(".")[1]));
  expect([...areas].filter((area) => ["auth", "request", "server"].includes(area ?? ""))).toEqual([]);
  expect(areas).toContain("call");
});

test("an apostrophe of a sentence does not quote the placeholder after it", () => {
  const sentences = { "group.dissolved": { "zh-CN": "群组'{name}'已解散" } };
  expect(errorTexts(sentences, "zh-CN")).toEqual({ "error.group.dissolved": "群组''{name}''已解散" });
});
