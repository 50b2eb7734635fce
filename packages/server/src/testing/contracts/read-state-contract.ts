import { ChatType } from "@parley/protocol/codes";
import { noChanges } from "@parley/protocol/endpoints/changes";
import { expect, test } from "vitest";
import { newMessage, newNotice, NOON, type StoreContext } from "./store-fixtures.ts";

/** The rules for read positions, the system chat, notices and the change feed. */
export function readStateContract(context: StoreContext): void {
  const raise = (userId: number, friendId: number, id: number) =>
    context.store.write((tx) => tx.raisePrivateRead(userId, friendId, id));
  const { next: _, extras: _e, extrasNext: _n, ...nothing } = noChanges("0");
  const positions = (targetId: number, mine: number, theirs: number) => ({
    type: ChatType.PRIVATE,
    targetId,
    mine,
    theirs,
  });

  test("a read position never goes back, and the call returns whether it moved", async () => {
    await context.people(2);
    for (let n = 0; n < 3; n++) await context.store.appendPrivate(newMessage(2, 1));
    expect(await raise(1, 2, 2)).toBe("told");
    expect(await raise(1, 2, 2)).toBe("notMoved");
    expect(await raise(1, 2, 1)).toBe("notMoved");
    expect(await context.store.privateReadPositions(1)).toEqual([positions(2, 2, -1)]);
    expect(await Promise.all([raise(1, 2, 3), raise(1, 2, 3), raise(1, 2, 2)])).toEqual([
      "told",
      "notMoved",
      "notMoved",
    ]);
    expect(await context.store.privateReadPositions(2)).toEqual([positions(1, -1, 3)]);
  });

  test("read positions are listed for all or the given chats, with -1 for none", async () => {
    await context.people(4);
    await context.store.appendPrivate(newMessage(1, 2));
    await context.store.appendPrivate(newMessage(3, 1));
    await context.store.appendPrivate(newMessage(1, 1));
    await raise(1, 3, 2);
    await raise(1, 1, 3);
    const all = await context.store.privateReadPositions(1);
    expect(all.sort((a, b) => a.targetId - b.targetId)).toEqual([
      positions(1, 3, 3),
      positions(2, -1, -1),
      positions(3, 2, -1),
    ]);
    expect(await context.store.privateReadPositions(1, [3, 4])).toEqual([
      positions(3, 2, -1),
      positions(4, -1, -1),
    ]);
    expect(await context.store.privateReadPositions(1, [])).toEqual([]);
    const many = Array.from({ length: 60 }, (_, n) => n);
    expect(await context.store.privateReadPositions(1, many)).toEqual(
      many.map((id) => all.find((known) => known.targetId === id) ?? positions(id, -1, -1)),
    );
  });

  test("maxReadedId is the highest id of one's own messages that the friend has read", async () => {
    await context.people(2);
    for (const [from, to] of [
      [1, 2],
      [2, 1],
      [1, 2],
      [2, 1],
    ] as const) {
      await context.store.appendPrivate(newMessage(from, to));
    }
    expect(await context.store.maxReadedId(1, 2)).toBe(-1);
    await raise(2, 1, 2);
    expect(await context.store.maxReadedId(1, 2)).toBe(1);
    await raise(2, 1, 4);
    expect(await context.store.maxReadedId(1, 2)).toBe(3);
    expect(await context.store.maxReadedId(2, 1)).toBe(-1);
  });

  test("while one of two people has read receipts off, neither is told what the other reads, and not afterwards either", async () => {
    await context.people(2);
    for (let n = 0; n < 3; n++) await context.store.appendPrivate(newMessage(1, 2));
    expect(await raise(2, 1, 1)).toBe("told");
    const told = async () => [
      (await context.store.privateReadPositions(1))[0]?.theirs,
      (await context.store.privateReadPositions(1, [2]))[0]?.theirs,
      (await context.store.listChanges(1, 0)).read[0]?.theirs,
      await context.store.maxReadedId(1, 2),
    ];
    expect(new Set(await told())).toEqual(new Set([1]));
    const { next: changeBefore } = await context.store.listChanges(1, 0);
    for (const id of [1, 2]) {
      await context.store.write((tx) => tx.setReadReceipts(id, false));
      expect(await raise(2, 1, id + 1)).toBe("untold");
      expect(new Set(await told())).toEqual(new Set([-1]));
      expect((await context.store.privateReadPositions(2))[0]?.mine).toBe(id + 1);
      await context.store.write((tx) => tx.setReadReceipts(id, true));
      expect(new Set(await told())).toEqual(new Set([1]));
    }
    expect((await context.store.listChanges(1, 0)).next).toBe(changeBefore);
    const newest = (await context.store.appendPrivate(newMessage(1, 2))).row.id;
    expect(await raise(2, 1, newest)).toBe("told");
    expect(new Set(await told())).toEqual(new Set([newest]));
    expect((await context.store.listChanges(1, 0)).next).toBeGreaterThan(changeBefore);
  });

  test("seqNos of system messages count from 1 for each person, and messages after a seqNo are listed in ascending order", async () => {
    await context.people(2);
    const rows = await context.store.write(async (tx) => [
      await tx.appendSystem(newNotice(1, { title: "t", intro: "i", coverUrl: "/files/a/b" })),
      await tx.appendSystem(newNotice(2)),
      await tx.appendSystem(newNotice(1, { requestId: 77, type: 60 })),
      await tx.appendSystem(newNotice(1)),
    ]);
    expect(rows.map((row) => row.seqNo)).toEqual([1, 1, 2, 3]);
    expect(rows.map((row) => row.requestId)).toEqual([null, null, 77, null]);
    expect(await context.store.listSystem(1, 0, 10)).toEqual([rows[0], rows[2], rows[3]]);
    expect(await context.store.listSystem(1, 1, 1)).toEqual([rows[2]]);
    expect(await context.store.listSystem(1, 3, 10)).toEqual([]);
    expect(await context.store.newestSystemSeqNo(1)).toBe(3);
    expect(await context.store.newestSystemSeqNo(3)).toBe(0);
    expect(await context.store.findSystemByRequest(77)).toEqual(rows[2]);
    expect(await context.store.findSystemByRequest(78)).toBeUndefined();
  });

  test("the overlap of the system chat begins behind the newest row that is older than the row of the cursor by more than it", async () => {
    await context.people(2);
    await context.store.write(async (tx) => {
      await tx.appendSystem(newNotice(2, { sendTime: NOON }));
      for (const ms of [0, 1, 31, 31]) await tx.appendSystem(newNotice(1, { sendTime: NOON + ms }));
    });
    const before = (seqNo: number, overlapMs: number) => context.store.systemSeqNoBefore(1, seqNo, overlapMs);
    expect(await Promise.all([4, 3, 2, 1, 0].map((seqNo) => before(seqNo, 30)))).toEqual([1, 1, 0, 0, 0]);
    expect(await Promise.all([29, 31, 0].map((overlapMs) => before(4, overlapMs)))).toEqual([2, 0, 2]);
    // Behind the end, as after a restore, the last row counts.
    expect(await before(99, 30)).toBe(1);
  });

  test("the read position of the system chat never goes back", async () => {
    await context.people(1);
    const raiseSystem = (seqNo: number) => context.store.write((tx) => tx.raiseSystemRead(1, seqNo));
    expect(await context.store.systemReadPosition(1)).toBe(-1);
    expect(await raiseSystem(2)).toBe(true);
    expect(await raiseSystem(2)).toBe(false);
    expect(await raiseSystem(1)).toBe(false);
    expect(await context.store.systemReadPosition(1)).toBe(2);
  });

  test("the change feed lists read positions and updates after a number, for both people, and the next number", async () => {
    await context.people(3);
    expect(await context.store.listChanges(1, 0)).toEqual({ next: 0, ...nothing });
    await context.store.appendPrivate(newMessage(2, 1));
    await context.store.appendPrivate(newMessage(3, 1));
    const notice = await context.store.write((tx) => tx.appendSystem(newNotice(1, { requestId: 5 })));
    await raise(1, 2, 1);
    const first = await context.store.listChanges(1, 0);
    expect(first).toMatchObject({ read: [positions(2, 1, -1)], system: [] });
    expect((await context.store.listChanges(2, 0)).read).toEqual([positions(1, -1, 1)]);
    expect((await context.store.listChanges(3, 0)).read).toEqual([]);

    const updated = await context.store.write((tx) => tx.updateSystem(notice.id, "handled"));
    expect(updated).toEqual({ ...notice, content: "handled" });
    await raise(3, 1, 2);
    const second = await context.store.listChanges(1, first.next);
    expect(second.next).toBeGreaterThan(first.next);
    expect(second).toMatchObject({ read: [positions(3, -1, 2)], system: [updated] });
    expect(await context.store.listChanges(1, second.next)).toEqual({ next: second.next, ...nothing });
    expect((await context.store.listChanges(1, 0)).read).toHaveLength(2);
  });

  test("a read position that did not move is not in the change feed", async () => {
    await context.people(2);
    await context.store.appendPrivate(newMessage(2, 1));
    await raise(1, 2, 1);
    const { next } = await context.store.listChanges(1, 0);
    await raise(1, 2, 1);
    expect(await context.store.listChanges(1, next)).toEqual({ next, ...nothing });
  });

  test("the change feed has the read position of the system chat with target 0", async () => {
    await context.people(1);
    await context.store.write((tx) => tx.raiseSystemRead(1, 4));
    const { read, next } = await context.store.listChanges(1, 0);
    expect(read).toEqual([{ type: ChatType.SYSTEM, targetId: 0, mine: 4, theirs: -1 }]);
    expect((await context.store.listChanges(1, next)).read).toEqual([]);
  });

  test("a change number that does not exist (after a restore) returns all changes", async () => {
    await context.people(2);
    await context.store.appendPrivate(newMessage(2, 1));
    await raise(1, 2, 1);
    const all = await context.store.listChanges(1, 0);
    expect(await context.store.listChanges(1, 1_000)).toEqual(all);
  });

  test("a rolled-back write leaves no positions and no change numbers", async () => {
    await context.people(2);
    await context.store.appendPrivate(newMessage(2, 1));
    await context.store
      .write(async (tx) => {
        await tx.raisePrivateRead(1, 2, 1);
        throw new Error("no");
      })
      .catch(() => undefined);
    expect(await context.store.listChanges(1, 0)).toEqual({ next: 0, ...nothing });
  });

  test("system messages name their notice, and a notice is unfinished until it has reached everybody", async () => {
    await context.people(2);
    const noticeFields = { title: "t", intro: "i", richText: "<p>x</p>", externLink: null, createdAt: NOON };
    const [all, some, rows] = await context.store.write(async (tx) => {
      const first = await tx.insertNotice({ ...noticeFields, lastUserId: 2, reachedUserId: 0 });
      const second = await tx.insertNotice({ ...noticeFields, lastUserId: 0, reachedUserId: 0 });
      const shared = { noticeId: first.id };
      return [
        first,
        second,
        [await tx.appendSystem(newNotice(1, shared)), await tx.appendSystem(newNotice(2))],
      ];
    });
    expect(await context.store.findNotice(some.id)).toEqual({
      ...noticeFields,
      id: some.id,
      lastUserId: 0,
      reachedUserId: 0,
      receivedCount: 0,
      readCount: 0,
    });
    expect(await context.store.findNotice(99)).toBeUndefined();
    expect(await context.store.findSystem(rows[0]?.id ?? 0)).toEqual({ ...rows[0], noticeId: all.id });
    expect(await context.store.findSystem(rows[1]?.id ?? 0)).toMatchObject({ userId: 2, noticeId: null });
    expect(await context.store.findSystem(99)).toBeUndefined();
    expect(await context.store.listUnfinishedNotices()).toEqual([all]);
    await context.store.write((tx) => tx.setNoticeReached(all.id, 1));
    expect(await context.store.listUnfinishedNotices()).toMatchObject([{ reachedUserId: 1 }]);
    await context.store.write((tx) => tx.setNoticeReached(all.id, 2));
    expect(await context.store.listUnfinishedNotices()).toEqual([]);
  });

  test("countMessages counts private and group messages, without repeats", async () => {
    await context.people(2);
    expect(await context.store.countMessages()).toBe(0);
    // The repeat uses an id but stores no row.
    await Promise.all(
      ["a", "a", "b"].map((tmpId) => context.store.appendPrivate(newMessage(1, 2, { tmpId }))),
    );
    expect(await context.store.countMessages()).toBe(2);
    await context.store.appendGroup({ ...newMessage(1, 2), groupId: 1, sendRole: 1 });
    expect(await context.store.countMessages()).toBe(3);
  });
}
