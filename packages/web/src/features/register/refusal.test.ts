import { expect, test } from "vitest";
import type { RefusalKey } from "@parley/protocol/envelope";
import type { Failure } from "@parley/core/model/state";
import { isNews, refusedField } from "./refusal.ts";

const refused = (key: RefusalKey): Failure => ({ kind: "refused", code: 500, key, params: {}, message: "" });

const ASKS_NOTHING = { inviteCode: false, avatar: false };
const ASKS_ALL = { inviteCode: true, avatar: true };

test("a refusal is told under its field only while that field is on the screen", () => {
  expect(refusedField(refused("register.inviteCodeWrong"), ASKS_ALL)).toBe("inviteCode");
  expect(refusedField(refused("register.inviteCodeWrong"), ASKS_NOTHING)).toBeUndefined();
  // These two are always there.
  expect(refusedField(refused("register.userNameTaken"), ASKS_NOTHING)).toBe("userName");
  expect(refusedField(refused("register.avatarRequired"), ASKS_NOTHING)).toBe("headImage");
  expect(refusedField({ kind: "network", reason: "offline" }, ASKS_ALL)).toBeUndefined();
});

test("a refusal for what nobody asked for is news of the server's settings", () => {
  for (const key of ["register.inviteCodeWrong", "register.avatarRequired"] as const) {
    expect(isNews(refused(key), ASKS_NOTHING)).toBe(true);
    expect(isNews(refused(key), ASKS_ALL)).toBe(false);
  }
  expect(isNews(refused("register.userNameTaken"), ASKS_NOTHING)).toBe(false);
});
