import { beforeAll, describe, expect, test } from "vitest";
import type { Failure } from "@parley/core/model/state";
import { failureText } from "./failure-text.ts";
import { currentText, startLanguage } from "./i18n.ts";

beforeAll(async () => {
  Object.assign(globalThis, { document: { documentElement: {} } });
  await startLanguage("en-US");
});

function refusedFailure(key: string | null, params = {}): Failure {
  // A newer server may name what this client's list does not have.
  return { kind: "refused", code: 500, key, params, message: "the server's words" } as Failure;
}

/** A status without an envelope, as proxies answer. */
function failureWithoutEnvelope(status: number, message = ""): Failure {
  return { kind: "network", reason: "foreign", status, message };
}

describe("the text for a failed call", () => {
  test.each<[string, Failure, string]>([
    ["our own text for a known key", refusedFailure("login.wrongPassword"), "Wrong username or password"],
    [
      "spec §8 for a file that a reload has lost",
      { kind: "fileLost" },
      "File sending failed, automatic retry is not supported, please resend manually",
    ],
    [
      "our own text with its parameters",
      refusedFailure("account.banned", { reason: "spam" }),
      "Your account was banned by an administrator: spam",
    ],
    [
      "our own text with a number",
      refusedFailure("message.tooLong", { max: 1024 }),
      "The text must not be longer than 1,024 characters",
    ],
    ["the server's text for an unknown key", refusedFailure("some.thingNew"), "the server's words"],
    ["the server's text without a key", refusedFailure(null), "the server's words"],
    [
      "the text for a 403",
      { kind: "http", status: 403, message: "x" },
      "no permission, contact the administrator",
    ],
    ["the text for a 404", { kind: "http", status: 404, message: "x" }, "requested resource does not exist"],
    ["the text for a 500", { kind: "http", status: 500, message: "x" }, "internal server error"],
    ["the body of a 400", { kind: "http", status: 400, message: "userName: not text" }, "userName: not text"],
    [
      "a general text with the status for any other HTTP status",
      { kind: "http", status: 502, message: "" },
      "The request failed (502)",
    ],
    [
      "the text for a 403 without an envelope",
      failureWithoutEnvelope(403),
      "no permission, contact the administrator",
    ],
    [
      "the text for a 404 without an envelope",
      failureWithoutEnvelope(404),
      "requested resource does not exist",
    ],
    ["the text for a 500 without an envelope", failureWithoutEnvelope(500), "internal server error"],
    [
      "the body of a 400 without an envelope",
      failureWithoutEnvelope(400, "the field is missing"),
      "the field is missing",
    ],
    [
      "a general text with the status for any other answer without an envelope",
      failureWithoutEnvelope(502),
      "The request failed (502)",
    ],
    [
      "the network text when offline",
      { kind: "network", reason: "offline" },
      "Network error, please try again later",
    ],
  ])("is %s", (_, failure, expected) => {
    expect(failureText(failure, currentText())).toBe(expected);
  });
});

test("a change of language sets the page's language and the texts", async () => {
  await startLanguage("zh-SG");
  expect(document.documentElement.lang).toBe("zh-CN");
  expect(failureText(refusedFailure("login.wrongPassword"), currentText())).toBe("用户名或密码不正确");
  expect(failureText(refusedFailure("group.dissolved", { name: "Ann" }), currentText())).toBe(
    "群组'Ann'已解散",
  );
});
