import { RequestSource, RequestStatus } from "@parley/protocol/codes";
import { expect, test } from "vitest";
import { NOON, type StoreContext } from "./store-fixtures.ts";

/** The rules for friends, friend requests and blocks. */
export function contactContract(context: StoreContext): void {
  const request = (sendId: number, recvId: number) => ({
    sendId,
    recvId,
    remark: "hello",
    source: RequestSource.GROUP,
    status: RequestStatus.PENDING,
    applyTime: NOON,
  });

  test("a friendship has two rows, each with its own remark and settings", async () => {
    await context.people(2);
    await context.store.write(async (tx) => {
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
      msgRemindUntil: null,
      msgRemindAfter: null,
      isDeleted: false,
    };
    const theirs = {
      ownerId: 2,
      friendId: 1,
      remarkNickName: null,
      isTop: false,
      msgRemind: 1,
      msgRemindUntil: null,
      msgRemindAfter: null,
      isDeleted: false,
    };
    expect(await context.store.findFriend(1, 2)).toEqual(mine);
    expect(await context.store.listFriends(1)).toEqual([mine]);
    expect(await context.store.listFriends(2)).toEqual([theirs]);
    expect(await context.store.findFriend(2, 3)).toBeUndefined();
  });

  test("MU2 the alert levels of friends that end by a time are found, the earliest first", async () => {
    await context.people(4);
    await context.store.write(async (tx) => {
      for (const [friendId, end] of [
        [2, NOON + 2],
        [3, NOON + 1],
        [4, NOON + 3],
      ] as const) {
        await tx.upsertFriend(1, friendId);
        await tx.updateFriend(1, friendId, { msgRemind: 0, msgRemindUntil: end, msgRemindAfter: 1 });
      }
    });
    const found = async (now: number, limit: number) =>
      (await context.store.listEndedFriendLevels(now, limit)).map((row) => row.friendId);
    expect([await found(NOON, 9), await found(NOON + 2, 9), await found(NOON + 3, 2)]).toEqual([
      [],
      [3, 2],
      [3, 2],
    ]);
    expect(await context.store.findFriend(1, 3)).toMatchObject({
      msgRemind: 0,
      msgRemindUntil: NOON + 1,
      msgRemindAfter: 1,
    });
  });

  test("a deleted friend stays in the list as deleted, and keeps remark and settings when the friendship starts again", async () => {
    await context.people(3);
    await context.store.write(async (tx) => {
      await tx.upsertFriend(1, 2);
      await tx.upsertFriend(3, 2);
      await tx.updateFriend(1, 2, { remarkNickName: "Bobby" });
      await tx.updateFriend(1, 2, { isDeleted: true });
      await tx.updateFriend(1, 2, {});
    });
    expect((await context.store.listFriends(1)).map((friend) => friend.isDeleted)).toEqual([true]);
    expect(await context.store.listFriendIdsOf(2)).toEqual([3]);
    const back = await context.store.write((tx) => tx.upsertFriend(1, 2));
    expect(back).toMatchObject({ remarkNickName: "Bobby", isDeleted: false });
    expect((await context.store.listFriendIdsOf(2)).sort((a, b) => a - b)).toEqual([1, 3]);
  });

  test("a pending request is found by its two people and counted for each, until it is handled", async () => {
    await context.people(3);
    const row = await context.store.write((tx) => tx.insertRequest(request(1, 2)));
    expect(row).toEqual({ id: row.id, ...request(1, 2) });
    expect(await context.store.findRequest(row.id)).toEqual(row);
    expect(await context.store.findPendingRequest(1, 2)).toEqual(row);
    expect(await context.store.findPendingRequest(2, 1)).toBeUndefined();
    expect(await context.store.countPendingRequests("sent", 1)).toBe(1);
    expect(await context.store.countPendingRequests("received", 2)).toBe(1);
    expect(await context.store.countPendingRequests("received", 1)).toBe(0);

    await context.store.write((tx) => tx.setRequestStatus(row.id, RequestStatus.REJECTED));
    expect(await context.store.findRequest(row.id)).toEqual({ ...row, status: RequestStatus.REJECTED });
    expect(await context.store.findPendingRequest(1, 2)).toBeUndefined();
    expect(await context.store.countPendingRequests("sent", 1)).toBe(0);
  });

  test("pending requests are listed received ones first, then newest first", async () => {
    await context.people(4);
    const ids = await context.store.write(async (tx) => {
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
    const listed = (await context.store.listPendingRequests(1)).map((row) => row.id);
    expect(listed).toEqual([ids[3], ids[1], ids[2], ids[0]]);
  });

  test("where two friends met is told to both by their newest approved request", async () => {
    await context.people(4);
    const sources = [
      [1, 2, 1, RequestStatus.APPROVED],
      [2, 1, 3, RequestStatus.APPROVED],
      [3, 1, 2, RequestStatus.APPROVED],
      [1, 3, null, RequestStatus.APPROVED],
      [1, 4, 1, RequestStatus.REJECTED],
    ] as const;
    await context.store.write(async (tx) => {
      for (const [from, to, source, status] of sources) {
        const { id } = await tx.insertRequest({ ...request(from, to), source });
        await tx.setRequestStatus(id, status);
      }
    });
    expect(await context.store.friendSources(1)).toEqual(
      new Map([
        [2, 3],
        [3, 2],
      ]),
    );
    expect(await context.store.friendSources(2, 1)).toEqual(new Map([[1, 3]]));
    expect(await context.store.friendSources(1, 4)).toEqual(new Map());
  });

  test("a block has one direction, and one unblock ends it even if it was repeated", async () => {
    await context.people(3);
    await context.store.write(async (tx) => {
      await tx.block(1, 2, NOON);
      await tx.block(1, 2, NOON + 1);
      await tx.block(3, 2, NOON);
    });
    expect(await context.store.isBlocked(1, 2)).toBe(true);
    expect(await context.store.isBlocked(2, 1)).toBe(false);
    expect(await context.store.listBlocked(1)).toEqual([2]);
    expect((await context.store.listBlockers(2)).sort((a, b) => a - b)).toEqual([1, 3]);
    await context.store.write((tx) => tx.unblock(1, 2));
    expect(await context.store.isBlocked(1, 2)).toBe(false);
    expect(await context.store.listBlockers(2)).toEqual([3]);
  });
}
