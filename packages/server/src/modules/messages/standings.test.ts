import { expect, test } from "vitest";
import { createMemoryBus } from "../../adapters/bus/memory.ts";
import type { Tx } from "../../ports/store.ts";
import { NOON, newUser } from "../../testing/contracts/store-fixtures.ts";
import { holdRead, openTestStore } from "../../testing/held-store.ts";
import { createStandings } from "./standings.ts";

const noError = (error: unknown): never => {
  throw error;
};

/** Two friends, as number 1 writes to number 2. */
async function twoFriends() {
  const store = await openTestStore();
  await store.write(async (tx) => {
    for (const name of ["Ann", "Bob"]) await tx.insertUser(newUser(name, { nickName: name }));
    await tx.upsertFriend(1, 2);
    await tx.upsertFriend(2, 1);
  });
  const bus = createMemoryBus(noError);
  const standings = createStandings({ store, bus });
  const change = async (work: (tx: Tx) => Promise<void>) => {
    await store.write(work);
    bus.publish({ kind: "stale", userIds: [1, 2] });
  };
  return { store, standings, change, find: async () => standings.find(1, 2) };
}

test("what is remembered is answered at once, until it changes", async () => {
  const { standings, change, find } = await twoFriends();
  expect(await find()).toEqual({ nickName: "Ann", standing: "ok" });
  expect(standings.find(1, 2)).toEqual({ nickName: "Ann", standing: "ok" });
  await change((tx) => tx.updateFriend(2, 1, { isDeleted: true }));
  expect(await find()).toEqual({ nickName: "Ann", standing: "notFriend" });
});

test.each([
  ["a block", "isBlocked", (tx: Tx) => tx.block(2, 1, NOON), { nickName: "Ann", standing: "blockedYou" }],
  [
    "an end",
    "findFriend",
    (tx: Tx) => tx.updateFriend(2, 1, { isDeleted: true }),
    { nickName: "Ann", standing: "notFriend" },
  ],
  [
    "a name",
    "findUser",
    (tx: Tx) => tx.updateUser(1, { nickName: "Zoe" }),
    { nickName: "Zoe", standing: "ok" },
  ],
] as const)("%s that comes while it is loaded is not missed by the next", async (_, read, work, after) => {
  const { store, change, find } = await twoFriends();
  const held = holdRead(store, read);
  const loading = find();
  await held.reached;
  await change(work);
  held.release();
  expect(await loading).toEqual({ nickName: "Ann", standing: "ok" });
  expect(await find()).toEqual(after);
});
