import { expect, test } from "vitest";
import type { DomainErrorKey } from "@parley/protocol/envelope";
import type { Failure } from "@parley/core/model/state";
import { revealsNewRequirement, failureField } from "./failure-field.ts";

const refusedFailure = (key: DomainErrorKey): Failure => ({
  kind: "refused",
  code: 500,
  key,
  params: {},
  message: "",
});

const NOTHING_REQUIRED = { inviteCode: false, avatar: false };
const ALL_REQUIRED = { inviteCode: true, avatar: true };

test("an error belongs to its field only while that field is visible", () => {
  expect(failureField(refusedFailure("register.inviteCodeWrong"), ALL_REQUIRED)).toBe("inviteCode");
  expect(failureField(refusedFailure("register.inviteCodeWrong"), NOTHING_REQUIRED)).toBeUndefined();
  // These fields are always visible.
  expect(failureField(refusedFailure("file.notIssued"), NOTHING_REQUIRED)).toBe("headImage");
  expect(failureField(refusedFailure("register.userNameTaken"), NOTHING_REQUIRED)).toBe("userName");
  expect(failureField(refusedFailure("register.avatarRequired"), NOTHING_REQUIRED)).toBe("headImage");
  expect(failureField({ kind: "network", reason: "offline" }, ALL_REQUIRED)).toBeUndefined();
});

test("an error about a field the form did not require reveals new server settings", () => {
  for (const key of ["register.inviteCodeWrong", "register.avatarRequired"] as const) {
    expect(revealsNewRequirement(refusedFailure(key), NOTHING_REQUIRED)).toBe(true);
    expect(revealsNewRequirement(refusedFailure(key), ALL_REQUIRED)).toBe(false);
  }
  expect(revealsNewRequirement(refusedFailure("register.userNameTaken"), NOTHING_REQUIRED)).toBe(false);
  expect(revealsNewRequirement(refusedFailure("file.notIssued"), NOTHING_REQUIRED)).toBe(false);
});
