import { REFRESH_GRACE_MS } from "@parley/protocol/limits";
import { expect, test } from "vitest";
import { NOON } from "../../testing/contracts/store-fixtures.ts";
import { nextSerial } from "./refresh-token.ts";

test.each([
  ["the newest one, whenever it comes, is followed by a new one", 5, NOON * 2, 6],
  ["the one before is followed by the newest, as long as an answer may have got lost", 4, NOON, 5],
  ["the one before, at the end of that time", 4, NOON + REFRESH_GRACE_MS, 5],
  ["the one before, later, was used before", 4, NOON + REFRESH_GRACE_MS + 1, undefined],
  ["an older one was used before", 3, NOON, undefined],
  ["one that was never issued", 6, NOON, undefined],
])("a refresh token: %s", (_, serial, now, next) => {
  expect(nextSerial({ refreshSerial: 5, refreshedAt: NOON }, serial, now)).toBe(next);
});
