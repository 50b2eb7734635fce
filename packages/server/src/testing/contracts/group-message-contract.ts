import { GroupRole } from "@parley/protocol/codes";
import { expect, test } from "vitest";
import { groupMessageSteps } from "./group-message-steps.ts";
import { newMessage, NOON, type StoreContext, stored } from "./store-fixtures.ts";

/** The rules for group messages: how they are stored, edited and recalled. */
export function groupMessageContract(context: StoreContext): void {
  const { group, join, leave, tryToSend, send, plainText, page, search, hide, quoteOf } =
    groupMessageSteps(context);

  test("a group message is stored exactly, and its tmpId is remembered for ever, separately from private tmpIds", async () => {
    await context.people(2);
    const groupId = await group(2);
    const tip = { key: "group.joined", params: { name: "安" } };
    await context.store.appendPrivate(newMessage(1, 2, { tmpId: "t" }));
    const patch = { tmpId: "t", content: "你好 😀'\n", tip, onlyFor: 2, atUserIds: [2, -1], receipt: true };
    const row = await send(groupId, 1, { ...patch, sendRole: GroupRole.OWNER });
    expect(row).toEqual({
      receivedAt: null,
      id: row.id,
      type: 0,
      groupId,
      sendId: 1,
      sendNickName: "nick",
      sendRole: GroupRole.OWNER,
      sendTime: NOON,
      act: null,
      quote: null,
      editedAt: null,
      noticeId: null,
      ...patch,
    });
    expect(await context.store.findMessage("GROUP", row.id)).toEqual(row);
    expect(await send(groupId, 1, { tmpId: "t", content: "another" })).toEqual(row);
    const again = await context.subject.reopen();
    expect(await again.findMessageByTmpId("GROUP", 1, "t")).toEqual(row);
    expect(await again.findMessageByTmpId("GROUP", 2, "t")).toBeUndefined();
  });

  test("concurrent appends of private and group messages each return their own row, in order", async () => {
    await context.people(2);
    const groupId = await group(2);
    const rows = await Promise.all(
      Array.from({ length: 9 }, async (_, n) =>
        n % 3 === 0
          ? (await context.store.appendPrivate(newMessage(1, 2, { content: `p${n}` }))).row
          : send(groupId, 1, { content: `g${n}`, sendTime: NOON - n }),
      ),
    );
    expect(rows.map((row) => row.content)).toEqual("p0 g1 g2 p3 g4 g5 p6 g7 g8".split(" "));
    const ofGroup = rows.filter((row) => "groupId" in row);
    expect(rows.map((row) => row.id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(new Set(ofGroup.map((row) => row.sendTime)).size).toBe(1);
  });

  test("a sender may use a tmpId once in private chats and once in groups", async () => {
    await context.people(2);
    const groupId = await group(2);
    const append = () => context.store.appendPrivate(newMessage(1, 2, { tmpId: "t" }));
    const inPrivate = (await append()).row;
    const inGroup = await send(groupId, 1, { tmpId: "t" });
    expect(inGroup.id).not.toBe(inPrivate.id);
    expect(await append()).toEqual({ row: inPrivate, isNew: false });
    expect(await send(groupId, 1, { tmpId: "t" })).toEqual(inGroup);
    expect(await context.store.findMessageByTmpId("PRIVATE", 1, "t")).toEqual(inPrivate);
    expect(await context.store.findMessageByTmpId("GROUP", 1, "t")).toEqual(inGroup);
  });

  test("a message of the other kind of chat counts as one that is not there, also for somebody in both chats", async () => {
    await context.people(2);
    const groupId = await group(2);
    const { id: inPrivate } = (await context.store.appendPrivate(newMessage(1, 2))).row;
    const { id: inGroup } = await send(groupId, 1);
    for (const [kind, other] of [
      ["PRIVATE", inGroup],
      ["GROUP", inPrivate],
    ] as const) {
      expect(await context.store.findMessage(kind, other)).toBeUndefined();
      expect(await context.store.findMessages(kind, [inPrivate, inGroup])).toHaveLength(1);
      for (const userId of [1, 2])
        expect(await context.store.findVisibleMessage(kind, userId, other)).toBeUndefined();
    }
    const hidden = await context.store.write(async (tx) => [
      await tx.hideMessages("PRIVATE", 1, 2, [inGroup]),
      await tx.hideMessages("GROUP", 1, groupId, [inPrivate]),
    ]);
    expect(hidden).toEqual([false, false]);
  });

  test("the change feed names the chat of each hidden message", async () => {
    await context.people(3);
    const groupId = await group(2);
    const sent = (await context.store.appendPrivate(newMessage(1, 2))).row;
    const received = (await context.store.appendPrivate(newMessage(3, 1))).row;
    const inGroup = await send(groupId, 2);
    await context.store.write(async (tx) => {
      await tx.hideMessages("PRIVATE", 1, 2, [sent.id]);
      await tx.hideMessages("PRIVATE", 1, 3, [received.id]);
      await tx.hideMessages("GROUP", 1, groupId, [inGroup.id]);
    });
    expect((await context.store.listChanges(1, 0)).hidden).toEqual([
      { type: "PRIVATE", targetId: 2, ids: [sent.id] },
      { type: "PRIVATE", targetId: 3, ids: [received.id] },
      { type: "GROUP", targetId: groupId, ids: [inGroup.id] },
    ]);
  });

  test("a rolled-back write does not store its group message", async () => {
    await context.people(2);
    const groupId = await group(2);
    const [rolledBack, stored] = await Promise.allSettled([
      context.store.write(async (tx) => {
        await tx.appendGroup({ ...plainText(groupId), tmpId: "t" });
        throw new Error("no");
      }),
      send(groupId, 1),
    ]);
    expect(rolledBack.status).toBe("rejected");
    expect(await page(1, groupId)).toEqual([stored.status === "fulfilled" && stored.value.id]);
    expect(await context.store.findMessageByTmpId("GROUP", 1, "t")).toBeUndefined();
  });

  test("a send of a person who left in the same commit is refused, and works again after they return", async () => {
    await context.people(2);
    const groupId = await group(2);
    const [, late, other] = await Promise.all([leave(groupId, 2), tryToSend(groupId, 2), send(groupId, 1)]);
    expect(late).toBe("senderLeft");
    expect(other.sendId).toBe(1);
    expect(await page(1, groupId)).toHaveLength(1);
    await join(groupId, 2);
    expect(await page(2, groupId)).toEqual([]);
    const { id } = await send(groupId, 2);
    expect(await page(2, groupId)).toEqual([id]);
  });

  test("an append returns the number of member changes before it, even if other writes of the commit are rolled back", async () => {
    await context.people(3);
    const [groupId, other] = [await group(2, 3), await group(2)];
    const { store } = context;
    const append = async (id: number) => stored(await store.appendGroup(plainText(id)));
    const undone = (userId: number) =>
      store.write(async (tx) => {
        await tx.endGroupStay(groupId, userId);
        throw new Error("no");
      });
    const start = await store.memberChanges(groupId);
    const [first, , second, , third] = await Promise.all([
      append(groupId),
      leave(groupId, 2),
      append(groupId),
      join(groupId, 2),
      append(groupId),
      append(other),
    ]);
    expect(first.memberChanges).toBe(start);
    expect(second.memberChanges).toBeGreaterThan(start);
    expect(third.memberChanges).toBeGreaterThan(second.memberChanges ?? 0);
    expect(await store.memberChanges(groupId)).toBe(third.memberChanges);
    // A rolled-back change may count, but then a read after the next commit counts it as well.
    await expect(undone(3)).rejects.toThrow("no");
    const later = await store.write((tx) => tx.appendGroup({ ...plainText(groupId), tmpId: "t" }));
    expect(later.memberChanges).toBeGreaterThanOrEqual(third.memberChanges ?? 0);
    expect(await store.memberChanges(groupId)).toBe(later.memberChanges);
    expect(await store.memberChanges(other)).toBe((await append(other)).memberChanges);
  });

  test("a read does not count a member change that is not committed", async () => {
    await context.people(2);
    const groupId = await group(2);
    const before = await context.store.memberChanges(groupId);
    let within = -1;
    await context.store.write(async (tx) => {
      await tx.endGroupStay(groupId, 2);
      within = await context.store.memberChanges(groupId);
    });
    expect(within).toBe(before);
    expect(await context.store.memberChanges(groupId)).toBe(before + 1);
  });

  test("a send of a person who left is refused, even if other member changes of the commit are rolled back", async () => {
    await context.people(3);
    const groupId = await group(2, 3);
    const undone = (work: "leave" | "return", userId: number) =>
      context.store.write(async (tx) => {
        if (work === "leave") await tx.endGroupStay(groupId, userId);
        else await tx.upsertGroupMember(groupId, userId, GroupRole.MEMBER, NOON);
        throw new Error("no");
      });
    // All in one commit.
    const [, , , ofTwo, ofThree] = await Promise.allSettled([
      leave(groupId, 2),
      undone("leave", 3),
      undone("return", 2),
      tryToSend(groupId, 2),
      send(groupId, 3),
    ]);
    expect(ofTwo).toEqual({ status: "fulfilled", value: "senderLeft" });
    expect(ofThree.status).toBe("fulfilled");
  });

  test("an edit or recall changes the row, its quotes and the search results", async () => {
    await context.people(3);
    const groupId = await group(2, 3);
    const row = await send(groupId, 1, { atUserIds: [2], receipt: true });
    await hide(3, groupId, [row.id]);
    const quoting = await send(groupId, 2, { quote: quoteOf(row), content: "answer" });
    await hide(3, groupId, [quoting.id]);
    const event = await context.store.write(async (tx) => {
      const appended = await tx.appendGroup({ ...plainText(groupId), type: 7, content: "changed" });
      await tx.editMessage({ id: row.id, eventId: appended.row.id, content: "changed", editedAt: NOON + 1 });
      return appended.row;
    });
    expect(await context.store.findMessage("GROUP", row.id)).toEqual({
      ...row,
      content: "changed",
      editedAt: NOON + 1,
    });
    expect(await search(2, "changed")).toEqual([row.id]);
    expect(await page(2, groupId)).toEqual([event.id, quoting.id, row.id]);
    // A person who hid the message does not see its new text either.
    expect(await page(3, groupId)).toEqual([]);
    expect(await context.store.listGroupHiders(event.id)).toEqual([3]);
    const notice = await context.store.write(async (tx) => {
      const appended = await tx.appendGroup({ ...plainText(groupId), type: 10, content: String(row.id) });
      const tip = { key: "recalled", params: { name: "n" } };
      await tx.recallMessage({ id: row.id, noticeId: appended.row.id, content: "sentence", tip });
      return appended.row;
    });
    expect(await context.store.findMessage("GROUP", row.id)).toEqual({
      ...row,
      type: 21,
      content: "sentence",
      tip: { key: "recalled", params: { name: "n" } },
      noticeId: notice.id,
      atUserIds: [],
      receipt: false,
    });
    expect((await context.store.findMessage("GROUP", event.id))?.content).toBe("");
    expect((await context.store.findMessage("GROUP", quoting.id))?.quote).toEqual({
      ...quoteOf(row),
      type: 21,
      content: "",
      isRecalled: true,
    });
    expect(await search(2, "changed")).toEqual([]);
  });

  test("a person who hid a message gets the event of its edit while a visible message quotes it", async () => {
    await context.people(3);
    const groupId = await group(2, 3);
    const row = await send(groupId, 1);
    await hide(2, groupId, [row.id]);
    await hide(3, groupId, [row.id]);
    const hiders = async () => (await context.store.listGroupHiders(row.id)).sort((a, b) => a - b);
    expect(await hiders()).toEqual([2, 3]);
    const quoting = await send(groupId, 1, { quote: quoteOf(row) });
    await hide(3, groupId, [quoting.id]);
    expect(await hiders()).toEqual([3]);
    const event = await context.store.write(async (tx) => {
      const appended = await tx.appendGroup({ ...plainText(groupId), type: 7, quote: quoteOf(row) });
      await tx.editMessage({ id: row.id, eventId: appended.row.id, content: "changed", editedAt: NOON + 1 });
      return appended.row;
    });
    expect(await page(2, groupId)).toEqual([event.id, quoting.id]);
    // The event itself does not count as a quote.
    expect(await hiders()).toEqual([3]);
    expect(await page(3, groupId)).toEqual([]);
    await context.store.write(async (tx) => {
      const { id: noticeId } = (await tx.appendGroup({ ...plainText(groupId), type: 10 })).row;
      const tip = { key: "recalled", params: { name: "n" } };
      await tx.recallMessage({ id: quoting.id, noticeId, content: "sentence", tip });
    });
    expect(await hiders()).toEqual([2, 3]);
  });
}
