import { FindableBy } from "@parley/protocol/codes";
import { expect, test, vi } from "vitest";
import type { UserRow } from "../../ports/account-store.ts";
import { newUser } from "../../testing/contracts/store-fixtures.ts";
import { listAccounts } from "./list-accounts.ts";

/** A store of this many people. */
function storeOf(count: number) {
  const userOf = (id: number): UserRow => ({
    ...newUser(`user${id}`),
    id,
    isManualApprove: false,
    findableBy: FindableBy.ANY_NAME,
    readReceipts: true,
    lastSeenShown: true,
    banReason: null,
    unregisteredAt: null,
    isAdmin: false,
    sex: 0,
    signature: "",
    birthday: null,
    mobile: null,
    email: null,
  });
  return {
    listUsers: vi.fn(async (after: number, limit: number) =>
      Array.from({ length: Math.min(limit, count - after) }, (_, n) => userOf(after + n + 1)),
    ),
  };
}

test("the next page of accounts is read when the one before was taken", async () => {
  const store = storeOf(2_500);
  const pages = listAccounts(store);
  expect((await pages.next()).value).toHaveLength(1_000);
  expect(store.listUsers).toHaveBeenCalledTimes(1);
  expect((await pages.next()).value).toHaveLength(1_000);
  expect(store.listUsers).toHaveBeenCalledTimes(2);
  const last = (await pages.next()).value as string[];
  expect(last).toHaveLength(500);
  expect(last.at(-1)).toMatch(/^2500\tuser2500\t/);
  expect((await pages.next()).done).toBe(true);
});
