import { expect, test } from "vitest";
import type { DomainErrorKey } from "@parley/protocol/envelope";
import type { Failure } from "@parley/core/model/state";
import { revealsNewRequirement, failureField } from "./failure-field.ts";

const refused = (key: DomainErrorKey): Failure => ({
  kind: "refused",
  code: 500,
  key,
  params: {},
  message: "",
});

const ASKS_NOTHING = { inviteCode: false, avatar: false };
const ASKS_ALL = { inviteCode: true, avatar: true };

test("an error is shown at its field only while that field is visible", () => {
  expect(failureField(refused("register.inviteCodeWrong"), ASKS_ALL)).toBe("inviteCode");
  expect(failureField(refused("register.inviteCodeWrong"), ASKS_NOTHING)).toBeUndefined();
  // These two are always there.
  expect(failureField(refused("register.userNameTaken"), ASKS_NOTHING)).toBe("userName");
  expect(failureField(refused("register.avatarRequired"), ASKS_NOTHING)).toBe("headImage");
  expect(failureField({ kind: "network", reason: "offline" }, ASKS_ALL)).toBeUndefined();
});

test("an error about a field the form did not require reveals new server settings", () => {
  for (const key of ["register.inviteCodeWrong", "register.avatarRequired"] as const) {
    expect(revealsNewRequirement(refused(key), ASKS_NOTHING)).toBe(true);
    expect(revealsNewRequirement(refused(key), ASKS_ALL)).toBe(false);
  }
  expect(revealsNewRequirement(refused("register.userNameTaken"), ASKS_NOTHING)).toBe(false);
});
