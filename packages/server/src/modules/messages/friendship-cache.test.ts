import { expect, test } from "vitest";
import { createMemoryBus } from "../../adapters/bus/memory-bus.ts";
import type { Tx } from "../../ports/store.ts";
import { NOON, newUser } from "../../testing/contracts/store-fixtures.ts";
import { pauseRead, openTestStore } from "../../testing/paused-store.ts";
import { createFriendshipCache } from "./friendship-cache.ts";

const rethrow = (error: unknown): never => {
  throw error;
};

/** A cache over a store with two friends, users 1 and 2; user 1 writes to user 2. User 3 is nobody's friend. */
async function twoFriends(limits: { sendersMax?: number; peersMax?: number } = {}) {
  const store = await openTestStore();
  await store.write(async (tx) => {
    for (const name of ["Ann", "Bob", "Cid"]) await tx.insertUser(newUser(name, { nickName: name }));
    await tx.upsertFriend(1, 2);
    await tx.upsertFriend(2, 1);
  });
  const bus = createMemoryBus(rethrow);
  const friendships = createFriendshipCache({ store, bus, ...limits });
  const change = async (work: (tx: Tx) => Promise<void>) => {
    await store.write(work);
    bus.publish({ kind: "stale", userIds: [1, 2] });
  };
  return { store, bus, friendships, change, find: async () => friendships.find(1, 2) };
}

test("a cached relationship is returned synchronously until it changes", async () => {
  const { friendships, change, find } = await twoFriends();
  expect(await find()).toEqual({ nickName: "Ann", relationship: "ok" });
  expect(friendships.find(1, 2)).toEqual({ nickName: "Ann", relationship: "ok" });
  await change((tx) => tx.updateFriend(2, 1, { isDeleted: true }));
  expect(await find()).toEqual({ nickName: "Ann", relationship: "notFriend" });
});

test.each([
  ["a block", "isBlocked", (tx: Tx) => tx.block(2, 1, NOON), { nickName: "Ann", relationship: "blockedYou" }],
  [
    "the end of the friendship",
    "findFriend",
    (tx: Tx) => tx.updateFriend(2, 1, { isDeleted: true }),
    { nickName: "Ann", relationship: "notFriend" },
  ],
  [
    "a new name",
    "findUser",
    (tx: Tx) => tx.updateUser(1, { nickName: "Zoe" }),
    { nickName: "Zoe", relationship: "ok" },
  ],
] as const)(
  "%s that arrives while the relationship is loading is seen by the next read",
  async (_, read, work, after) => {
    const { store, change, find } = await twoFriends();
    const pausedRead = pauseRead(store, read);
    const loading = find();
    await pausedRead.reached;
    await change(work);
    pausedRead.release();
    expect(await loading).toEqual({ nickName: "Ann", relationship: "ok" });
    expect(await find()).toEqual(after);
  },
);

test("after an interruption of the bus everything is read again, also what was loading meanwhile", async () => {
  const { store, bus, friendships, find } = await twoFriends();
  await find();
  await friendships.find(2, 1);
  const pausedRead = pauseRead(store, "findUser");
  const loading = friendships.find(1, 3);
  await pausedRead.reached;
  await store.write(async (tx) => {
    await tx.updateFriend(2, 1, { isDeleted: true });
    await tx.block(1, 2, NOON);
    await tx.block(3, 1, NOON);
  });
  bus.publish({ kind: "interrupted", gapMs: 1 });
  pausedRead.release();
  await loading;
  expect(await find()).toMatchObject({ relationship: "notFriend" });
  expect(await friendships.find(2, 1)).toMatchObject({ relationship: "blockedYou" });
  expect(await friendships.find(1, 3)).toMatchObject({ relationship: "blockedYou" });
});

test("an event of another kind leaves the cache as it is", async () => {
  const { bus, friendships, find } = await twoFriends();
  await find();
  bus.publish({ kind: "staleGroup", groupId: 1 });
  expect(friendships.find(1, 2)).toEqual({ nickName: "Ann", relationship: "ok" });
});

test.each([
  ["senders", { sendersMax: 2 }, [1, 2, 3].map((sendId) => [sendId, sendId])],
  ["people a sender wrote to", { peersMax: 2 }, [1, 2, 3].map((recvId) => [1, recvId])],
] as const)("a full cache of %s drops the oldest entry alone", async (_, limits, pairs) => {
  const { friendships } = await twoFriends(limits);
  const [oldest, second, newest] = pairs.map(
    ([sendId = 0, recvId = 0]) =>
      () =>
        friendships.find(sendId, recvId),
  );
  await oldest?.();
  await second?.();
  for (const find of [oldest, second]) expect(find?.()).not.toBeInstanceOf(Promise);
  await newest?.();
  for (const find of [second, newest]) expect(find?.()).not.toBeInstanceOf(Promise);
  const dropped = oldest?.();
  expect(dropped).toBeInstanceOf(Promise);
  await dropped;
});
