import { beforeAll, describe, expect, test } from "vitest";
import type { Failure } from "@parley/core/model/state";
import type { DomainErrorKey } from "@parley/protocol/envelope";
import { currentText, startLanguage } from "../../kit/i18n/i18n.ts";
import { joinFailureText } from "./join-request-form.tsx";

beforeAll(async () => {
  Object.assign(globalThis, { document: { documentElement: {} } });
  await startLanguage("en-US");
});

function refusedFailure(key: DomainErrorKey | null, params = {}): Failure {
  return { kind: "refused", code: 500, key, params, message: "the server's words" };
}

describe("the text for a failed attempt to join a group", () => {
  test.each<[string, Failure, string]>([
    [
      "names a group that does not exist",
      refusedFailure("group.notFound"),
      "Group not found or invalid group ID",
    ],
    [
      "names a group that cannot be joined",
      refusedFailure("group.cannotJoin"),
      "No permission to join this group",
    ],
    [
      "says that the user is already a member",
      refusedFailure("group.already"),
      "You are already in this group",
    ],
    [
      "names the reason of a banned group",
      refusedFailure("group.banned", { reason: "spam" }),
      "This group has been banned by administrator. Reason: spam",
    ],
    [
      "names a missing network",
      { kind: "network", reason: "offline" },
      "Network error, please try again later",
    ],
    [
      "is general for an unreadable answer",
      { kind: "network", reason: "unreadable" },
      "Failed to join group",
    ],
    ["is general for a server error", { kind: "http", status: 502, message: "" }, "Failed to join group"],
    ["is general for an error without a reason", refusedFailure(null), "Failed to join group"],
  ])("%s", (_, failure, expected) => {
    expect(joinFailureText(failure, currentText())).toBe(expected);
  });
});
