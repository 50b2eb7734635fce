import { ChatType, RequestStatus } from "@parley/protocol/codes";
import { expect, test } from "vitest";
import type { FirstChatsWindow } from "../../ports/first-chats-store.ts";
import { groupMessageSteps } from "./group-message-steps.ts";
import { newMessage, newNotice, NOON, type StoreContext } from "./store-fixtures.ts";

const WINDOW: FirstChatsWindow = {
  limit: 30,
  notBefore: 0,
  privateMax: 1_000,
  groupMax: 1_000,
  unreadMax: 100,
};

/** The rules for the top of the chat list. */
export function firstChatsContract(context: StoreContext): void {
  const { group, send, leave, join } = groupMessageSteps(context);
  const list = (userId: number, patch: Partial<FirstChatsWindow> = {}) =>
    context.store.listFirstChats(userId, { ...WINDOW, ...patch });
  const lines = async (userId: number, patch: Partial<FirstChatsWindow> = {}) =>
    (await list(userId, patch)).map(
      ({ type, targetId, row, unread, atMe, atAll }) =>
        `${type}:${targetId} ${row.content} ${unread}${atMe ? " me" : ""}${atAll ? " all" : ""}`,
    );
  const write = async (sendId: number, recvId: number, content: string, at: number, type = 0) =>
    (await context.store.appendPrivate(newMessage(sendId, recvId, { content, sendTime: NOON + at, type })))
      .row;

  test("the first chats are of all kinds, pinned ones first, then the newest, each with its newest row", async () => {
    await context.people(4);
    await write(2, 1, "old", 1);
    await write(3, 1, "pinned", 2);
    await write(1, 4, "mine", 4);
    await write(1, 1, "note", 5);
    const groupId = await group(2);
    await send(groupId, 2, { content: "in the group", sendTime: NOON + 6 });
    await context.store.write(async (tx) => {
      await tx.upsertFriend(1, 3);
      await tx.updateFriend(1, 3, { isTop: true, msgRemind: 0, remarkNickName: "Three" });
      await tx.appendSystem(newNotice(1, { title: "Notice", content: "notice", sendTime: NOON + 7 }));
    });
    expect(await lines(1)).toEqual([
      "PRIVATE:3 pinned 1",
      "SYSTEM:0 notice 1",
      `GROUP:${groupId} in the group 1`,
      "PRIVATE:1 note 0",
      "PRIVATE:4 mine 0",
      "PRIVATE:2 old 1",
    ]);
    expect((await list(1))[0]).toMatchObject({ isTop: true, msgRemind: 0, remark: "Three" });
    expect(await lines(1, { limit: 2 })).toEqual(["PRIVATE:3 pinned 1", "SYSTEM:0 notice 1"]);
    expect(await lines(2, { limit: 1 })).toEqual([`GROUP:${groupId} in the group 0`]);
  });

  test("the first chats leave out what the reader has hidden or cleared, and rows without a preview", async () => {
    await context.people(4);
    const first = await write(2, 1, "first", 1);
    const second = await write(2, 1, "second", 2);
    await context.store.appendPrivate(newMessage(2, 1, { content: "only for 2", onlyFor: 2 }));
    await context.store.appendPrivate(newMessage(2, 1, { type: 7, content: "edit" }));
    expect(await lines(1)).toEqual(["PRIVATE:2 second 2"]);
    await context.store.write((tx) => tx.hideMessages("PRIVATE", 1, 2, [second.id]));
    expect(await lines(1)).toEqual(["PRIVATE:2 first 1"]);
    await context.store.write((tx) => tx.raisePrivateRead(1, 2, first.id));
    expect(await list(1)).toMatchObject([{ unread: 0, firstUnreadId: null, mine: first.id, theirs: -1 }]);
    expect(await list(2)).toMatchObject([{ mine: -1, theirs: first.id }]);
    await context.store.write((tx) => tx.clearMessages(1));
    expect(await list(1)).toEqual([]);
  });

  test("the first chats count unread messages as clients do, up to a limit", async () => {
    await context.people(2);
    const rows: { id: number }[] = [];
    for (let n = 0; n < 5; n++) rows.push(await write(2, 1, `m${n}`, n));
    await write(1, 2, "mine", 6);
    await write(2, 1, "tip", 7, 21);
    await context.store.appendPrivate(
      newMessage(2, 1, { type: 40, content: "missed", act: { result: "cancelled", seconds: 0 } }),
    );
    await context.store.appendPrivate(
      newMessage(2, 1, { type: 40, content: "held", act: { result: "ok", seconds: 3 } }),
    );
    expect(await list(1)).toMatchObject([{ unread: 6, firstUnreadId: rows[0]?.id }]);
    expect(await list(1, { unreadMax: 4 })).toMatchObject([{ unread: 4 }]);
    await context.store.write((tx) => tx.raisePrivateRead(1, 2, rows[3]?.id ?? 0));
    expect(await list(1)).toMatchObject([{ unread: 2, firstUnreadId: rows[4]?.id }]);
  });

  test("the first chats show of a group what falls into the reader's stays, and who is mentioned there", async () => {
    await context.people(13);
    const groupId = await group(2, 3);
    await send(groupId, 1, { content: "for 13", atUserIds: [13] });
    await send(groupId, 1, { content: "for 3", atUserIds: [2, 3] });
    await leave(groupId, 3);
    const missed = await send(groupId, 1, { content: "missed", atUserIds: [3, -1] });
    expect(await lines(3)).toEqual([`GROUP:${groupId} for 3 2 me`]);
    expect(await lines(2)).toEqual([`GROUP:${groupId} missed 3 me all`]);
    await join(groupId, 3);
    expect(await lines(3)).toEqual([`GROUP:${groupId} for 3 2 me`]);
    await context.store.write((tx) => tx.raiseGroupRead(2, groupId, missed.id));
    await send(groupId, 1, { content: "everyone", atUserIds: [-1, 2] });
    expect(await lines(2)).toEqual([`GROUP:${groupId} everyone 1 me`]);
    expect(await lines(4)).toEqual([]);
  });

  test("in the first chats an answered request is not unread, and requests pin the system chat", async () => {
    await context.people(2);
    await context.store.write(async (tx) => {
      for (const status of [RequestStatus.PENDING, RequestStatus.APPROVED])
        await tx.appendSystem(newNotice(1, { type: 60, content: JSON.stringify({ status }) }));
      await tx.appendSystem(newNotice(1, { content: "last" }));
    });
    expect(await list(1)).toMatchObject([
      { type: ChatType.SYSTEM, targetId: 0, isTop: true, unread: 2, row: { content: "last" } },
    ]);
    await context.store.write((tx) => tx.raiseSystemRead(1, 3));
    expect(await list(1)).toMatchObject([{ unread: 0, mine: 3 }]);
  });

  test("the first chats count of a group what is among the newest unread rows that a first pull has", async () => {
    await context.people(2);
    const groupId = await group(2);
    const texts = [
      { content: "for 2", atUserIds: [2] },
      { content: "all", atUserIds: [-1] },
      { content: "new" },
    ];
    const rows = [];
    for (const text of texts) rows.push(await send(groupId, 1, text));
    expect(await list(2, { groupMax: 3 })).toMatchObject([
      { unread: 3, firstUnreadId: rows[0]?.id, atMe: true, atAll: true },
    ]);
    expect(await list(2, { groupMax: 2 })).toMatchObject([
      { unread: 2, firstUnreadId: rows[1]?.id, atMe: false, atAll: true },
    ]);
  });

  test("the first chats leave out what a first pull leaves out", async () => {
    await context.people(3);
    await write(2, 1, "too old", 0);
    for (let n = 0; n < 3; n++) await write(3, 1, `m${n}`, 10 + n);
    expect(await lines(1, { notBefore: NOON + 5 })).toEqual(["PRIVATE:3 m2 3"]);
    expect(await lines(1, { privateMax: 3 })).toEqual(["PRIVATE:3 m2 3"]);
    expect(await lines(1, { privateMax: 4 })).toEqual(["PRIVATE:3 m2 3", "PRIVATE:2 too old 1"]);
  });
}
