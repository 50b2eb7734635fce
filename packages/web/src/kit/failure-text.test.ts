import { beforeAll, describe, expect, test } from "vitest";
import type { Failure } from "@parley/core/model/state";
import { failureText, loadFailureText } from "./failure-text.ts";
import { currentText, startLanguage } from "./i18n.ts";

beforeAll(async () => {
  Object.assign(globalThis, { document: { documentElement: {} } });
  await startLanguage("en-US");
});

function refused(key: string | null, params = {}): Failure {
  // A newer server may name what this client's list does not have.
  return { kind: "refused", code: 500, key, params, message: "the server's words" } as Failure;
}

/** A status without an envelope, as proxies answer. */
function bare(status: number, message = ""): Failure {
  return { kind: "network", reason: "foreign", status, message };
}

describe("the text for a failed call", () => {
  test.each<[string, Failure, string]>([
    ["our own for a key we know", refused("login.wrongPassword"), "Wrong username or password"],
    [
      "with its parameters",
      refused("account.banned", { reason: "spam" }),
      "Your account was banned by an administrator: spam",
    ],
    ["the server's for a key we do not know", refused("some.thingNew"), "the server's words"],
    ["the server's without a key", refused(null), "the server's words"],
    ["of a 403", { kind: "http", status: 403, message: "x" }, "no permission, contact the administrator"],
    ["of a 404", { kind: "http", status: 404, message: "x" }, "requested resource does not exist"],
    ["of a 500", { kind: "http", status: 500, message: "x" }, "internal server error"],
    ["the body of a 400", { kind: "http", status: 400, message: "userName: not text" }, "userName: not text"],
    [
      "something at least for any other status",
      { kind: "http", status: 502, message: "" },
      "The request failed (502)",
    ],
    ["of a bare 403", bare(403), "no permission, contact the administrator"],
    ["of a bare 404", bare(404), "requested resource does not exist"],
    ["of a bare 500", bare(500), "internal server error"],
    ["the body of a bare 400", bare(400, "the field is missing"), "the field is missing"],
    ["the status of any other bare one", bare(502), "The request failed (502)"],
    ["without a network", { kind: "network", reason: "offline" }, "Network error, please try again later"],
  ])("are %s", (_, failure, expected) => {
    expect(failureText(failure, currentText())).toBe(expected);
  });
});

test("lazily loaded texts replace the server's text once loaded", async () => {
  const failure = refused("message.tooLong", { max: 1024 });
  expect(failureText(failure, currentText())).toBe("the server's words");
  await loadFailureText(failure);
  expect(failureText(failure, currentText())).toBe("The text must not be longer than 1024 characters");
});

test("a change of language sets the page's language and brings new words", async () => {
  await startLanguage("zh-SG");
  expect(document.documentElement.lang).toBe("zh-CN");
  expect(failureText(refused("login.wrongPassword"), currentText())).toBe("用户名或密码不正确");
});
