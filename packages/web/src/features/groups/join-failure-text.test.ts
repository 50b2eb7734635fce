import { beforeAll, describe, expect, test } from "vitest";
import type { DomainErrorKey } from "@parley/protocol/envelope";
import type { Failure } from "@parley/core/model/state";
import { currentText, loadTexts, startLanguage } from "../../kit/i18n.ts";
import { joinFailureText } from "./join-failure-text.ts";

beforeAll(async () => {
  Object.assign(globalThis, { document: { documentElement: {} } });
  await startLanguage("en-US");
  await loadTexts("lazy");
});

function refused(key: DomainErrorKey | null, params = {}): Failure {
  return { kind: "refused", code: 500, key, params, message: "the server's words" };
}

describe("why somebody did not get into a group", () => {
  test.each<[string, Failure, string]>([
    ["the group is gone", refused("group.notFound"), "Group not found or invalid group ID"],
    ["it takes nobody", refused("group.cannotJoin"), "No permission to join this group"],
    ["they are in", refused("group.already"), "You are already in this group"],
    [
      "it is banned",
      refused("group.banned", { reason: "spam" }),
      "This group has been banned by administrator. Reason: spam",
    ],
    ["there is no network", { kind: "network", reason: "offline" }, "Network error, please try again later"],
    ["nobody knows", { kind: "network", reason: "unreadable" }, "Failed to join group"],
    ["the server broke", { kind: "http", status: 502, message: "" }, "Failed to join group"],
    ["the server gave no reason", refused(null), "Failed to join group"],
  ])("%s", (_, failure, expected) => {
    expect(joinFailureText(failure, currentText())).toBe(expected);
  });
});
