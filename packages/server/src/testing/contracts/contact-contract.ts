import { RequestSource, RequestStatus } from "@parley/protocol/codes";
import { expect, test } from "vitest";
import { NOON, type StoreContext } from "./store-fixtures.ts";

/** Friends, friend requests, blocks. */
export function contactContract(bench: StoreContext): void {
  const request = (sendId: number, recvId: number) => ({
    sendId,
    recvId,
    remark: "hello",
    source: RequestSource.GROUP,
    status: RequestStatus.PENDING,
    applyTime: NOON,
  });

  test("a friendship has two directions, each with its own notes", async () => {
    await bench.people(2);
    await bench.store.write(async (tx) => {
      await tx.upsertFriend(1, 2);
      await tx.upsertFriend(2, 1);
      await tx.updateFriend(1, 2, { remarkNickName: "Bobby", isTop: true, msgRemind: 0 });
    });
    const mine = {
      ownerId: 1,
      friendId: 2,
      remarkNickName: "Bobby",
      isTop: true,
      msgRemind: 0,
      isDeleted: false,
    };
    const theirs = {
      ownerId: 2,
      friendId: 1,
      remarkNickName: null,
      isTop: false,
      msgRemind: 1,
      isDeleted: false,
    };
    expect(await bench.store.findFriend(1, 2)).toEqual(mine);
    expect(await bench.store.listFriends(1)).toEqual([mine]);
    expect(await bench.store.listFriends(2)).toEqual([theirs]);
    expect(await bench.store.findFriend(2, 3)).toBeUndefined();
  });

  test("a deleted friend stays listed, is nobody's contact any more, and comes back with the old notes", async () => {
    await bench.people(3);
    await bench.store.write(async (tx) => {
      await tx.upsertFriend(1, 2);
      await tx.upsertFriend(3, 2);
      await tx.updateFriend(1, 2, { remarkNickName: "Bobby" });
      await tx.updateFriend(1, 2, { isDeleted: true });
      await tx.updateFriend(1, 2, {});
    });
    expect((await bench.store.listFriends(1)).map((friend) => friend.isDeleted)).toEqual([true]);
    expect(await bench.store.listFriendIdsOf(2)).toEqual([3]);
    const back = await bench.store.write((tx) => tx.upsertFriend(1, 2));
    expect(back).toMatchObject({ remarkNickName: "Bobby", isDeleted: false });
    expect((await bench.store.listFriendIdsOf(2)).sort((a, b) => a - b)).toEqual([1, 3]);
  });

  test("pending requests are found by their two people, counted on each side, and gone once handled", async () => {
    await bench.people(3);
    const row = await bench.store.write((tx) => tx.insertRequest(request(1, 2)));
    expect(row).toEqual({ id: row.id, ...request(1, 2) });
    expect(await bench.store.findRequest(row.id)).toEqual(row);
    expect(await bench.store.findPendingRequest(1, 2)).toEqual(row);
    expect(await bench.store.findPendingRequest(2, 1)).toBeUndefined();
    expect(await bench.store.countPendingRequests("sent", 1)).toBe(1);
    expect(await bench.store.countPendingRequests("received", 2)).toBe(1);
    expect(await bench.store.countPendingRequests("received", 1)).toBe(0);

    await bench.store.write((tx) => tx.setRequestStatus(row.id, RequestStatus.REJECTED));
    expect(await bench.store.findRequest(row.id)).toEqual({ ...row, status: RequestStatus.REJECTED });
    expect(await bench.store.findPendingRequest(1, 2)).toBeUndefined();
    expect(await bench.store.countPendingRequests("sent", 1)).toBe(0);
  });

  test("pending requests are listed received ones first, newest first", async () => {
    await bench.people(4);
    const ids = await bench.store.write(async (tx) => {
      const made: number[] = [];
      for (const [from, to] of [
        [1, 2],
        [3, 1],
        [1, 3],
        [4, 1],
        [2, 3],
      ] as const) {
        made.push((await tx.insertRequest(request(from, to))).id);
      }
      return made;
    });
    const listed = (await bench.store.listPendingRequests(1)).map((row) => row.id);
    expect(listed).toEqual([ids[3], ids[1], ids[2], ids[0]]);
  });

  test("a block has one direction, counts once and ends with one unblock", async () => {
    await bench.people(3);
    await bench.store.write(async (tx) => {
      await tx.block(1, 2, NOON);
      await tx.block(1, 2, NOON + 1);
      await tx.block(3, 2, NOON);
    });
    expect(await bench.store.isBlocked(1, 2)).toBe(true);
    expect(await bench.store.isBlocked(2, 1)).toBe(false);
    expect(await bench.store.listBlocked(1)).toEqual([2]);
    expect((await bench.store.listBlockers(2)).sort((a, b) => a - b)).toEqual([1, 3]);
    await bench.store.write((tx) => tx.unblock(1, 2));
    expect(await bench.store.isBlocked(1, 2)).toBe(false);
    expect(await bench.store.listBlockers(2)).toEqual([3]);
  });
}
