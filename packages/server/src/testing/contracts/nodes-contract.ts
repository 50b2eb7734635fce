import { expect, test } from "vitest";
import { ChatType, GroupRole } from "@parley/protocol/codes";
import { newMessage, newNotice, NOON, type StoreContext, stored, newGroup } from "./store-fixtures.ts";

const { PRIVATE, GROUP, SYSTEM } = ChatType;

/** The rules for what several nodes need: lost pushes, and the lease of jobs. */
export function nodesContract(context: StoreContext): void {
  const send = async (from: number, to: number) =>
    (await context.store.appendPrivate(newMessage(from, to))).row.id;
  const sendToGroup = async (groupId: number, sendId: number) => {
    const { recvId: _, ...message } = newMessage(sendId, 0);
    const sent = await context.store.appendGroup({ ...message, groupId, sendRole: GroupRole.MEMBER });
    return stored(sent).row.id;
  };

  test("messages of each kind are found by ids above a known one", async () => {
    await context.people(2);
    const { store } = context;
    for (const type of [PRIVATE, GROUP, SYSTEM]) {
      expect(await store.newestIdOf(type)).toBe(0);
      expect(await store.listIdsAfter(type, 0, 9)).toEqual([]);
    }
    const sent = [await send(1, 2), await send(2, 1), await send(1, 2)] as const;
    const notice = await store.write((tx) => tx.appendSystem(newNotice(1)));
    expect(await store.newestIdOf(PRIVATE)).toBe(sent[2]);
    expect(await store.listIdsAfter(PRIVATE, sent[0], 9)).toEqual([sent[1], sent[2]]);
    expect(await store.listIdsAfter(PRIVATE, 0, 2)).toEqual([sent[0], sent[1]]);
    expect(await store.listIdsAfter(SYSTEM, 0, 9)).toEqual([notice.id]);
    expect(await store.listIdsAfter(GROUP, 0, 9)).toEqual([]);
  });

  test("a private message is seen by both people, unless one has hidden or cleared it or it is for the other only", async () => {
    await context.people(4);
    const { store } = context;
    const seenBy = async (ids: number[], userIds: number[]) =>
      (await store.listSeenBy(PRIVATE, ids, userIds))
        .toSorted((x, y) => x.id - y.id || x.userId - y.userId)
        .map(({ id, userId }) => [id, userId]);
    const cleared = await send(1, 2);
    await store.write((tx) => tx.clearMessages(1));
    const [hidden, note, other] = [await send(1, 2), await send(1, 1), await send(3, 4)];
    await store.write((tx) => tx.hideMessages("PRIVATE", 2, 1, [hidden]));
    const forOne = (await store.appendPrivate(newMessage(1, 2, { onlyFor: 2 }))).row.id;
    const all = [cleared, hidden, note, other, forOne];
    expect(await seenBy(all, [1, 2, 3])).toEqual([
      [cleared, 2],
      [hidden, 1],
      [note, 1],
      [other, 3],
      [forOne, 2],
    ]);
    expect(await seenBy([], [1])).toEqual([]);
    expect(await seenBy(all, [])).toEqual([]);
  });

  test("a group message is seen by those who were members then, unless they have hidden or cleared it", async () => {
    await context.people(5);
    const { store } = context;
    const groupId = await store.write(async (tx) => {
      const { id } = await tx.insertGroup(newGroup(1, { tmpId: "g" }));
      for (const userId of [1, 2, 3, 4]) await tx.upsertGroupMember(id, userId, GroupRole.MEMBER, NOON);
      return id;
    });
    const first = await sendToGroup(groupId, 1);
    await store.write(async (tx) => {
      await tx.clearMessages(4);
      await tx.endGroupStay(groupId, 2);
      await tx.upsertGroupMember(groupId, 5, GroupRole.MEMBER, NOON);
      await tx.hideMessages("GROUP", 3, groupId, [first]);
    });
    const second = await sendToGroup(groupId, 1);
    const seen = await store.listSeenBy(GROUP, [first, second], [1, 2, 3, 4, 5]);
    const readersOf = (id: number) =>
      seen
        .filter((one) => one.id === id)
        .map(({ userId }) => userId)
        .toSorted((x, y) => x - y);
    expect([readersOf(first), readersOf(second)]).toEqual([
      [1, 2],
      [1, 3, 4, 5],
    ]);
  });

  test("the newest change numbers of many people are read at once", async () => {
    await context.people(3);
    const { store } = context;
    const id = await send(1, 2);
    await store.write((tx) => tx.raisePrivateRead(2, 1, id));
    const before = await store.lastChangesOf([1, 2, 3]);
    await store.write((tx) => tx.clearMessages(2));
    const after = await store.lastChangesOf([1, 2, 3]);
    expect(before.has(3)).toBe(false);
    expect(after.get(1)).toBe(before.get(1));
    expect(after.get(2)).toBe((before.get(2) ?? 0) + 1);
  });

  test("the lease of the jobs is kept as it was set", async () => {
    const { store } = context;
    expect(await store.findJobLease()).toBeUndefined();
    await store.write((tx) => tx.setJobLease({ holder: "a", beat: 1 }));
    await store.write((tx) => tx.setJobLease({ holder: "b", beat: 2 }));
    expect(await store.findJobLease()).toEqual({ holder: "b", beat: 2 });
    await store.write((tx) => tx.setJobLease(null));
    expect(await store.findJobLease()).toBeUndefined();
  });
}
