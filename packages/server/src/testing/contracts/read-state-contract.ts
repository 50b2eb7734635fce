import { ChatType } from "@parley/protocol/codes";
import { expect, test } from "vitest";
import { newMessage, newNotice, NOON, type StoreContext } from "./store-fixtures.ts";

/** Read positions, the system chat, and what changed since. */
export function readStateContract(bench: StoreContext): void {
  const raise = (userId: number, friendId: number, id: number) =>
    bench.store.write((tx) => tx.raisePrivateRead(userId, friendId, id));
  const nothing = { read: [], cleared: [], hidden: [], purged: [], system: [], receipts: [] };
  const positions = (targetId: number, mine: number, theirs: number) => ({
    type: ChatType.PRIVATE,
    targetId,
    mine,
    theirs,
  });

  test("a read position moves up, never down, and tells whether it moved", async () => {
    await bench.people(2);
    for (let n = 0; n < 3; n++) await bench.store.appendPrivate(newMessage(2, 1));
    expect(await raise(1, 2, 2)).toBe(true);
    expect(await raise(1, 2, 2)).toBe(false);
    expect(await raise(1, 2, 1)).toBe(false);
    expect(await bench.store.privateReadPositions(1)).toEqual([positions(2, 2, -1)]);
    expect(await Promise.all([raise(1, 2, 3), raise(1, 2, 3), raise(1, 2, 2)])).toEqual([true, false, false]);
    expect(await bench.store.privateReadPositions(2)).toEqual([positions(1, -1, 3)]);
  });

  test("read positions come for every chat, or for those asked, -1 standing for none", async () => {
    await bench.people(4);
    await bench.store.appendPrivate(newMessage(1, 2));
    await bench.store.appendPrivate(newMessage(3, 1));
    await bench.store.appendPrivate(newMessage(1, 1));
    await raise(1, 3, 2);
    await raise(1, 1, 3);
    const all = await bench.store.privateReadPositions(1);
    expect(all.sort((a, b) => a.targetId - b.targetId)).toEqual([
      positions(1, 3, 3),
      positions(2, -1, -1),
      positions(3, 2, -1),
    ]);
    expect(await bench.store.privateReadPositions(1, [3, 4])).toEqual([
      positions(3, 2, -1),
      positions(4, -1, -1),
    ]);
    expect(await bench.store.privateReadPositions(1, [])).toEqual([]);
    const many = Array.from({ length: 60 }, (_, n) => n);
    expect(await bench.store.privateReadPositions(1, many)).toEqual(
      many.map((id) => all.find((known) => known.targetId === id) ?? positions(id, -1, -1)),
    );
  });

  test("maxReadedId is the highest of my own ids that the friend has read", async () => {
    await bench.people(2);
    for (const [from, to] of [
      [1, 2],
      [2, 1],
      [1, 2],
      [2, 1],
    ] as const) {
      await bench.store.appendPrivate(newMessage(from, to));
    }
    expect(await bench.store.maxReadedId(1, 2)).toBe(-1);
    await raise(2, 1, 2);
    expect(await bench.store.maxReadedId(1, 2)).toBe(1);
    await raise(2, 1, 4);
    expect(await bench.store.maxReadedId(1, 2)).toBe(3);
    expect(await bench.store.maxReadedId(2, 1)).toBe(-1);
  });

  test("system messages count from 1 per person and are listed after a seqNo, ascending", async () => {
    await bench.people(2);
    const rows = await bench.store.write(async (tx) => [
      await tx.appendSystem(newNotice(1, { title: "t", intro: "i", coverUrl: "/files/a/b" })),
      await tx.appendSystem(newNotice(2)),
      await tx.appendSystem(newNotice(1, { requestId: 77, type: 60 })),
      await tx.appendSystem(newNotice(1)),
    ]);
    expect(rows.map((row) => row.seqNo)).toEqual([1, 1, 2, 3]);
    expect(rows.map((row) => row.requestId)).toEqual([null, null, 77, null]);
    expect(await bench.store.listSystem(1, 0, 10)).toEqual([rows[0], rows[2], rows[3]]);
    expect(await bench.store.listSystem(1, 1, 1)).toEqual([rows[2]]);
    expect(await bench.store.listSystem(1, 3, 10)).toEqual([]);
    expect(await bench.store.newestSystemSeqNo(1)).toBe(3);
    expect(await bench.store.newestSystemSeqNo(3)).toBe(0);
    expect(await bench.store.findSystemByRequest(77)).toEqual(rows[2]);
    expect(await bench.store.findSystemByRequest(78)).toBeUndefined();
  });

  test("the system chat's read position moves up, never down", async () => {
    await bench.people(1);
    const raiseSystem = (seqNo: number) => bench.store.write((tx) => tx.raiseSystemRead(1, seqNo));
    expect(await bench.store.systemReadPosition(1)).toBe(-1);
    expect(await raiseSystem(2)).toBe(true);
    expect(await raiseSystem(2)).toBe(false);
    expect(await raiseSystem(1)).toBe(false);
    expect(await bench.store.systemReadPosition(1)).toBe(2);
  });

  test("changes name what moved or was updated after a number, for both people, and the next number", async () => {
    await bench.people(3);
    expect(await bench.store.listChanges(1, 0)).toEqual({ next: 0, ...nothing });
    await bench.store.appendPrivate(newMessage(2, 1));
    await bench.store.appendPrivate(newMessage(3, 1));
    const notice = await bench.store.write((tx) => tx.appendSystem(newNotice(1, { requestId: 5 })));
    await raise(1, 2, 1);
    const first = await bench.store.listChanges(1, 0);
    expect(first).toMatchObject({ read: [positions(2, 1, -1)], system: [] });
    expect((await bench.store.listChanges(2, 0)).read).toEqual([positions(1, -1, 1)]);
    expect((await bench.store.listChanges(3, 0)).read).toEqual([]);

    const updated = await bench.store.write((tx) => tx.updateSystem(notice.id, "handled"));
    expect(updated).toEqual({ ...notice, content: "handled" });
    await raise(3, 1, 2);
    const second = await bench.store.listChanges(1, first.next);
    expect(second.next).toBeGreaterThan(first.next);
    expect(second).toMatchObject({ read: [positions(3, -1, 2)], system: [updated] });
    expect(await bench.store.listChanges(1, second.next)).toEqual({ next: second.next, ...nothing });
    expect((await bench.store.listChanges(1, 0)).read).toHaveLength(2);
  });

  test("a position that did not move is no change", async () => {
    await bench.people(2);
    await bench.store.appendPrivate(newMessage(2, 1));
    await raise(1, 2, 1);
    const { next } = await bench.store.listChanges(1, 0);
    await raise(1, 2, 1);
    expect(await bench.store.listChanges(1, next)).toEqual({ next, ...nothing });
  });

  test("the system chat's position is among the changes, with target 0", async () => {
    await bench.people(1);
    await bench.store.write((tx) => tx.raiseSystemRead(1, 4));
    const { read, next } = await bench.store.listChanges(1, 0);
    expect(read).toEqual([{ type: ChatType.SYSTEM, targetId: 0, mine: 4, theirs: -1 }]);
    expect((await bench.store.listChanges(1, next)).read).toEqual([]);
  });

  test("a number that was never given (before a restore) is answered with everything", async () => {
    await bench.people(2);
    await bench.store.appendPrivate(newMessage(2, 1));
    await raise(1, 2, 1);
    const all = await bench.store.listChanges(1, 0);
    expect(await bench.store.listChanges(1, 1_000)).toEqual(all);
  });

  test("an undone write leaves neither positions nor change numbers", async () => {
    await bench.people(2);
    await bench.store.appendPrivate(newMessage(2, 1));
    await bench.store
      .write(async (tx) => {
        await tx.raisePrivateRead(1, 2, 1);
        throw new Error("no");
      })
      .catch(() => undefined);
    expect(await bench.store.listChanges(1, 0)).toEqual({ next: 0, ...nothing });
  });

  test("a notice is found by the system messages that share it, and is unfinished until it reached everybody", async () => {
    await bench.people(2);
    const draft = { title: "t", intro: "i", richText: "<p>x</p>", externLink: null, createdAt: NOON };
    const [all, some, rows] = await bench.store.write(async (tx) => {
      const first = await tx.insertNotice({ ...draft, lastUserId: 2, reachedUserId: 0 });
      const second = await tx.insertNotice({ ...draft, lastUserId: 0, reachedUserId: 0 });
      const shared = { noticeId: first.id };
      return [
        first,
        second,
        [await tx.appendSystem(newNotice(1, shared)), await tx.appendSystem(newNotice(2))],
      ];
    });
    expect(await bench.store.findNotice(some.id)).toEqual({
      ...draft,
      id: some.id,
      lastUserId: 0,
      reachedUserId: 0,
    });
    expect(await bench.store.findNotice(99)).toBeUndefined();
    expect(await bench.store.findSystem(rows[0]?.id ?? 0)).toEqual({ ...rows[0], noticeId: all.id });
    expect(await bench.store.findSystem(rows[1]?.id ?? 0)).toMatchObject({ userId: 2, noticeId: null });
    expect(await bench.store.findSystem(99)).toBeUndefined();
    expect(await bench.store.listUnfinishedNotices()).toEqual([all]);
    await bench.store.write((tx) => tx.setNoticeReached(all.id, 1));
    expect(await bench.store.listUnfinishedNotices()).toMatchObject([{ reachedUserId: 1 }]);
    await bench.store.write((tx) => tx.setNoticeReached(all.id, 2));
    expect(await bench.store.listUnfinishedNotices()).toEqual([]);
  });

  test("messages are counted, however many there are", async () => {
    await bench.people(2);
    expect(await bench.store.countMessages()).toBe(0);
    // The repeat uses up an id.
    await Promise.all(["a", "a", "b"].map((tmpId) => bench.store.appendPrivate(newMessage(1, 2, { tmpId }))));
    expect(await bench.store.countMessages()).toBe(2);
    await bench.store.appendGroup({ ...newMessage(1, 2), groupId: 1, sendRole: 1 });
    expect(await bench.store.countMessages()).toBe(3);
  });
}
