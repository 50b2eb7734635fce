import { MessageType, RequestStatus } from "@parley/protocol/codes";
import { expect, test } from "vitest";
import { groupMessageSteps } from "./group-message-steps.ts";
import { NOON, type StoreContext, newMessage, stored } from "./store-fixtures.ts";

/** The rules for what two people have in common beside a friendship. */
export function acquaintanceContract(context: StoreContext): void {
  const { group, join, leave, send, hide } = groupMessageSteps(context);
  const card = (userId: number) => ({
    type: MessageType.BUSINESS_CARD,
    content: JSON.stringify({ userId, nickName: "nick", headImage: null }),
  });
  const tip = { key: "k", params: {} };

  test("two people have shared a group if they were in it at the same time, and not if one came after the other had left", async () => {
    await context.people(4);
    const groupId = await group(2);
    const shared = (a: number, b: number) => context.store.haveCommonGround(a, b);
    expect([await shared(1, 2), await shared(2, 1), await shared(1, 3)]).toEqual([true, true, false]);
    await send(groupId, 1);
    await leave(groupId, 2);
    expect([await shared(1, 2), await shared(2, 1)]).toEqual([true, true]);
    await join(groupId, 3);
    expect([await shared(2, 3), await shared(3, 2), await shared(1, 3)]).toEqual([false, false, true]);
    await send(groupId, 3);
    await join(groupId, 2);
    expect([await shared(2, 3), await shared(3, 2), await shared(2, 4)]).toEqual([true, true, false]);
  });

  test("a card that was sent to a person counts until it is recalled, for its receiver alone", async () => {
    await context.people(21);
    const has = (userId: number, personId: number) => context.store.haveCommonGround(userId, personId);
    const { row } = stored(await context.store.appendPrivate(newMessage(1, 2, card(21))));
    await context.store.appendPrivate(newMessage(1, 2, { content: card(3).content }));
    expect([await has(2, 21), await has(1, 21), await has(4, 21), await has(2, 2), await has(2, 3)]).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
    await context.store.write((tx) => tx.recallMessage({ id: row.id, noticeId: 9, content: "", tip }));
    expect(await has(2, 21)).toBe(false);
  });

  test("a card in a group counts for those who were in it at the time and see it", async () => {
    await context.people(9);
    const groupId = await group(2, 3, 4);
    await leave(groupId, 4);
    const sent = await send(groupId, 1, card(9));
    await leave(groupId, 3);
    await join(groupId, 5);
    const has = (userId: number) => context.store.haveCommonGround(userId, 9);
    expect([await has(2), await has(3), await has(4), await has(5), await has(6)]).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    await hide(2, groupId, [sent.id]);
    expect(await has(2)).toBe(false);
    await context.store.write((tx) => tx.recallMessage({ id: sent.id, noticeId: 99, content: "", tip }));
    expect(await has(3)).toBe(false);
  });

  test("a friendship is common ground on both sides, also when it has ended", async () => {
    await context.people(4);
    const both = async (a: number, b: number) => [
      await context.store.haveCommonGround(a, b),
      await context.store.haveCommonGround(b, a),
    ];
    await context.store.write((tx) => tx.upsertFriend(1, 2));
    await context.store.write((tx) => tx.upsertFriend(1, 3));
    await context.store.write((tx) => tx.updateFriend(1, 3, { isDeleted: true }));
    expect([await both(1, 2), await both(1, 3), await both(1, 4)]).toEqual([
      [true, true],
      [true, true],
      [false, false],
    ]);
  });

  test("a friend request is known to its receiver whatever came of it, and to its sender until it is answered", async () => {
    await context.people(2);
    const { id } = await context.store.write((tx) =>
      tx.insertRequest({ sendId: 1, recvId: 2, remark: "", status: RequestStatus.PENDING, applyTime: NOON }),
    );
    const known = async () => [
      await context.store.haveCommonGround(1, 2),
      await context.store.haveCommonGround(2, 1),
    ];
    expect(await known()).toEqual([true, true]);
    await context.store.write((tx) => tx.setRequestStatus(id, RequestStatus.REJECTED));
    expect(await known()).toEqual([false, true]);
  });

  test("a block is known to who made it", async () => {
    await context.people(2);
    await context.store.write((tx) => tx.block(1, 2, NOON));
    expect(await context.store.haveCommonGround(1, 2)).toBe(true);
    expect(await context.store.haveCommonGround(2, 1)).toBe(false);
  });

  test("a pending request to join a group is known to who can answer it and to who made it", async () => {
    await context.people(5);
    const groupId = await group(2, 3);
    const request = { groupId, remark: "", status: RequestStatus.PENDING, applyTime: NOON };
    const { id } = await context.store.write((tx) =>
      tx.insertGroupRequest({ ...request, sendId: 4, inviterId: null }),
    );
    await context.store.write((tx) => tx.insertGroupRequest({ ...request, sendId: 5, inviterId: 2 }));
    const knows = async (userId: number) => [
      await context.store.haveCommonGround(userId, 4),
      await context.store.haveCommonGround(userId, 5),
    ];
    expect([await knows(1), await knows(2), await knows(3)]).toEqual([
      [true, true],
      [false, true],
      [false, false],
    ]);
    await context.store.write((tx) => tx.setGroupRequestStatus(id, RequestStatus.REJECTED));
    expect(await knows(1)).toEqual([false, true]);
    await context.store.write((tx) => tx.updateGroup(groupId, { dissolvedAt: NOON }));
    expect([await knows(1), await knows(2)]).toEqual([
      [false, false],
      [false, false],
    ]);
  });

  test("whom a person has found is known until then, and forgotten after it", async () => {
    await context.people(3);
    const find = (now: number) => context.store.write((tx) => tx.rememberFound(1, [2], now, NOON));
    await find(NOON);
    await find(NOON + 5);
    const again = await context.subject.reopen();
    expect([await again.hasFound(1, 2, NOON + 5), await again.hasFound(1, 2, NOON + 6)]).toEqual([
      true,
      false,
    ]);
    expect([await again.hasFound(2, 1, NOON), await again.hasFound(1, 3, NOON)]).toEqual([false, false]);
    await again.write((tx) => tx.rememberFound(1, [1, 3], NOON + 9, NOON + 6));
    expect([
      await again.hasFound(1, 2, 0),
      await again.hasFound(1, 1, 0),
      await again.hasFound(1, 3, 0),
    ]).toEqual([false, true, true]);
  });
}
