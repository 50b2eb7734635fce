import { ChatType, GroupRole } from "@parley/protocol/codes";
import { expect, test } from "vitest";
import type { GroupMessageRow, NewGroupMessage } from "../../ports/group-message-store.ts";
import type { HistoryPage, PullWindow } from "../../ports/stored-message.ts";
import { required, newMessage, NOON, type StoreContext, stored } from "./store-fixtures.ts";

const WINDOW: PullWindow = { minId: 0, overlapMs: 30_000, notBefore: 0, firstMax: 1_000 };
const NEWEST: HistoryPage = { from: "newest", size: 99 };

/** The rules for group messages: visibility, edits and recalls, read positions and receipts. */
export function groupMessageContract(context: StoreContext): void {
  /** Creates a group of owner 1 and these members. */
  const group = (...memberIds: number[]) =>
    context.store.write(async (tx) => {
      const { id } = await tx.insertGroup({
        name: "Climbers",
        ownerId: 1,
        headImage: null,
        headImageThumb: null,
        createdAt: NOON,
      });
      await tx.upsertGroupMember(id, 1, GroupRole.OWNER, NOON);
      for (const userId of memberIds) await tx.upsertGroupMember(id, userId, GroupRole.MEMBER, NOON);
      return id;
    });
  const join = (groupId: number, userId: number) =>
    context.store.write((tx) => tx.upsertGroupMember(groupId, userId, GroupRole.MEMBER, NOON));
  const leave = (groupId: number, userId: number) =>
    context.store.write((tx) => tx.endGroupStay(groupId, userId));
  const tryToSend = (groupId: number, sendId: number, patch: Partial<NewGroupMessage> = {}) =>
    context.store.appendGroup({
      tmpId: null,
      type: 0,
      groupId,
      sendId,
      sendNickName: "nick",
      sendRole: GroupRole.MEMBER,
      content: "text",
      sendTime: NOON,
      ...patch,
    });
  const send = async (...args: Parameters<typeof tryToSend>) => stored(await tryToSend(...args)).row;
  const plainText = (groupId: number): NewGroupMessage => ({
    tmpId: null,
    type: 0,
    groupId,
    sendId: 1,
    sendNickName: "nick",
    sendRole: GroupRole.OWNER,
    content: "text",
    sendTime: NOON,
  });
  const page = async (userId: number, groupId: number, at: HistoryPage = NEWEST) =>
    (await context.store.groupHistory(userId, groupId, at)).map((row) => row.id);
  const pull = (userId: number, patch: Partial<PullWindow> = {}) =>
    context.store.startGroupPull(userId, { ...WINDOW, ...patch });
  const search = async (userId: number, text: string, groupId?: number) => {
    const where = groupId === undefined ? {} : { groupId };
    const found = await context.store.searchGroupMessages(userId, { text, size: 50, totalMax: 99, ...where });
    return found.rows.map((row) => row.id);
  };
  /** Checks that every way of reading shows a person exactly these messages of a group. */
  const expectSeen = async (userId: number, groupId: number, ids: number[], all: GroupMessageRow[]) => {
    const newestFirst = [...ids].sort((a, b) => b - a);
    expect(await page(userId, groupId)).toEqual(newestFirst);
    expect(await page(userId, groupId, { from: "after", id: 0, size: 99 })).toEqual(ids);
    expect(await page(userId, groupId, { from: "page", page: 1, size: 99 })).toEqual(newestFirst);
    expect((await pull(userId)).ids).toEqual(ids);
    expect(await search(userId, "text", groupId)).toEqual(newestFirst);
    expect(await context.store.newestSeenGroupMessageId(userId, groupId)).toBe(ids.at(-1) ?? 0);
    const days = await context.store.groupDays(userId, groupId, [NOON, NOON + 1]);
    expect(days).toEqual(ids.length > 0 ? [NOON] : []);
    const found = all.map(async (row) => (await context.store.findVisibleGroupMessage(userId, row.id))?.id);
    expect((await Promise.all(found)).filter((id) => id !== undefined)).toEqual(ids);
  };
  const hide = (userId: number, groupId: number, ids: number[]) =>
    context.store.write((tx) => tx.hideGroupMessages(userId, groupId, ids));
  const read = (userId: number, groupId: number, id: number) =>
    context.store.write((tx) => tx.raiseGroupRead(userId, groupId, id));
  const quoteOf = ({ id, sendId, content, type }: GroupMessageRow) => ({
    id,
    sendId,
    content,
    type,
    isRecalled: false,
  });

  test("a group message is stored exactly, and its tmpId is remembered for ever, separately from private tmpIds", async () => {
    await context.people(2);
    const groupId = await group(2);
    const tip = { key: "group.joined", params: { name: "安" } };
    await context.store.appendPrivate(newMessage(1, 2, { tmpId: "t" }));
    const patch = { tmpId: "t", content: "你好 😀'\n", tip, onlyFor: 2, atUserIds: [2, -1], receipt: true };
    const row = await send(groupId, 1, { ...patch, sendRole: GroupRole.OWNER });
    expect(row).toEqual({
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
    expect(await context.store.findGroupMessage(row.id)).toEqual(row);
    expect(await send(groupId, 1, { tmpId: "t", content: "another" })).toEqual(row);
    const again = await context.subject.reopen();
    expect(await again.findGroupMessageByTmpId(1, "t")).toEqual(row);
    expect(await again.findGroupMessageByTmpId(2, "t")).toBeUndefined();
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
    expect(ofGroup.map((row) => row.id)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(new Set(ofGroup.map((row) => row.sendTime)).size).toBe(1);
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
    expect(await context.store.findGroupMessageByTmpId(1, "t")).toBeUndefined();
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

  test("a member sees the messages written during their stays, and a stranger sees none", async () => {
    await context.people(4);
    const groupId = await group();
    const all = [await send(groupId, 1)];
    await join(groupId, 2);
    all.push(await send(groupId, 1), await send(groupId, 2));
    await leave(groupId, 2);
    all.push(await send(groupId, 1));
    await join(groupId, 2);
    await join(groupId, 3);
    all.push(await send(groupId, 3));
    const other = await group();
    await send(other, 1, { content: "elsewhere" });
    const [first, second, third, , fifth] = all.map((row) => row.id) as [
      number,
      number,
      number,
      number,
      number,
    ];
    await expectSeen(2, groupId, [second, third, fifth], all);
    await expectSeen(3, groupId, [fifth], all);
    await expectSeen(4, groupId, [], all);
    expect(await page(1, groupId)).toEqual(all.map((row) => row.id).reverse());
    // Pages in both directions, and by number, skip the time away.
    expect(await page(2, groupId, { from: "before", id: fifth, size: 1 })).toEqual([third]);
    expect(await page(2, groupId, { from: "around", id: fifth, size: 4 })).toEqual([second, third, fifth]);
    expect(await page(2, groupId, { from: "after", id: second, size: 2 })).toEqual([third, fifth]);
    expect(await page(2, groupId, { from: "page", page: 2, size: 1 })).toEqual([third]);
    expect(await page(2, groupId, { from: "page", page: 3, size: 1 })).toEqual([second]);
    expect(await page(2, groupId, { from: "time", at: 0, size: 4 })).toEqual([second, third]);
    expect(first).toBeLessThan(second);
  });

  test("groupDays returns the days with a message within one's stays, without edits and recalls", async () => {
    await context.people(2);
    const groupId = await group();
    const day = (n: number) => NOON + n * 86_400_000;
    const starts = Array.from({ length: 8 }, (_, n) => day(n));
    const days = async (userId: number) =>
      (await context.store.groupDays(userId, groupId, starts)).map((start) => (start - NOON) / 86_400_000);
    await send(groupId, 1);
    await join(groupId, 2);
    await send(groupId, 1, { sendTime: day(1) });
    await send(groupId, 1, { sendTime: day(2), type: 7 });
    await send(groupId, 1, { sendTime: day(3), type: 10 });
    await leave(groupId, 2);
    await send(groupId, 1, { sendTime: day(4) });
    await join(groupId, 2);
    await send(groupId, 2, { sendTime: day(5) });
    await send(groupId, 1, { sendTime: day(6) - 1 });
    await send(groupId, 1, { sendTime: day(6) });
    expect(await days(1)).toEqual([0, 1, 4, 5, 6]);
    expect(await days(2)).toEqual([1, 5, 6]);
  });

  test("messages for somebody else, and hidden, cleared or removed messages, are not visible", async () => {
    await context.people(3);
    const groupId = await group(2, 3);
    const all = [
      await send(groupId, 1),
      await send(groupId, 3),
      await send(groupId, 1, { onlyFor: 1 }),
      await send(groupId, 1),
      await send(groupId, 1, { onlyFor: 2 }),
    ];
    const ids = all.map((row) => row.id) as [number, number, number, number, number];
    const seen = [ids[0], ids[1], ids[3], ids[4]];
    await expectSeen(2, groupId, seen, all);
    expect(await hide(2, groupId, [ids[3], ids[2], 99])).toBe(true);
    expect(await hide(2, groupId, [ids[3], ids[2]])).toBe(false);
    await expectSeen(2, groupId, [ids[0], ids[1], ids[4]], all);
    const quoting = await send(groupId, 1, { quote: quoteOf(required(all[1])), content: "text?" });
    await context.store.write((tx) => tx.removeMessagesOfMember(groupId, 3));
    await expectSeen(2, groupId, [ids[0], ids[4], quoting.id], [...all, quoting]);
    expect((await context.store.findGroupMessage(quoting.id))?.quote).toMatchObject({
      type: 21,
      content: "",
      isRecalled: false,
    });
    const later = await send(groupId, 3);
    await context.store.write((tx) => tx.clearMessages(1));
    await expectSeen(1, groupId, [], all);
    await expectSeen(2, groupId, [ids[0], ids[4], quoting.id, later.id], [...all, quoting, later]);
    const { cleared, hidden } = await context.store.listChanges(1, 0);
    expect(cleared).toContainEqual({ type: ChatType.GROUP, upTo: later.id });
    expect(hidden).toEqual([]);
    const changes = await context.store.listChanges(2, 0);
    expect(changes.hidden).toEqual([{ type: ChatType.GROUP, targetId: groupId, ids: [ids[3]] }]);
    expect(changes.purged).toEqual([{ groupId, userId: 3, upTo: expect.any(Number) }]);
  });

  test("a pull starts at the window or the overlap before its cursor, and a first pull is limited in each group", async () => {
    await context.people(2);
    const [busyGroup, quietGroup] = [await group(2), await group(2)];
    const at = (minute: number) => ({ sendTime: NOON + minute * 60_000 });
    const old = await send(quietGroup, 1, at(0));
    const rows: GroupMessageRow[] = [];
    for (let n = 1; n <= 6; n++) rows.push(await send(busyGroup, 1, at(n)));
    const ids = rows.map((row) => row.id);
    expect(await pull(2)).toEqual({ ids: [old.id, ...ids], fromId: null });
    expect(await pull(2, { firstMax: 2 })).toEqual({ ids: [old.id, ...ids.slice(4)], fromId: ids[4] });
    expect(await pull(2, { notBefore: NOON + 3 * 60_000 })).toEqual({ ids: ids.slice(2), fromId: ids[2] });
    expect(await pull(2, { minId: ids[4] ?? 0 })).toEqual({ ids: ids.slice(4), fromId: null });
    expect(await pull(2, { minId: ids[5] ?? 0, overlapMs: 120_000, firstMax: 1 })).toEqual({
      ids: ids.slice(3),
      fromId: null,
    });
    const late = { minId: ids[1] ?? 0, notBefore: NOON + 5 * 60_000 };
    expect(await pull(2, late)).toEqual({ ids: ids.slice(4), fromId: ids[4] });
    expect(await pull(2, { notBefore: NOON * 2 })).toEqual({ ids: [], fromId: (ids[5] ?? 0) + 1 });
    const listed = await context.store.listGroupMessages(2, ids);
    expect(listed).toEqual(rows);
  });

  test("a pull of a long group returns all ids in order, and lets other work run in between", async () => {
    await context.people(2);
    const groupId = await group(2);
    const count = 1_001;
    const ids = await context.store.write(async (tx) => {
      const rows: number[] = [];
      for (let n = 0; n < count; n++) rows.push(stored(await tx.appendGroup(plainText(groupId))).row.id);
      return rows;
    });
    let hasOtherRun = false;
    setImmediate(() => (hasOtherRun = true));
    expect(await pull(2, { firstMax: Number.MAX_SAFE_INTEGER })).toEqual({ ids, fromId: null });
    expect(hasOtherRun).toBe(true);
    const newest = ids.slice(1);
    expect(await pull(2, { firstMax: newest.length })).toEqual({ ids: newest, fromId: newest[0] });
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
      await tx.editGroup({ id: row.id, eventId: appended.row.id, content: "changed", editedAt: NOON + 1 });
      return appended.row;
    });
    expect(await context.store.findGroupMessage(row.id)).toEqual({
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
      await tx.recallGroup({ id: row.id, noticeId: appended.row.id, content: "sentence", tip });
      return appended.row;
    });
    expect(await context.store.findGroupMessage(row.id)).toEqual({
      ...row,
      type: 21,
      content: "sentence",
      tip: { key: "recalled", params: { name: "n" } },
      noticeId: notice.id,
      atUserIds: [],
      receipt: false,
    });
    expect((await context.store.findGroupMessage(event.id))?.content).toBe("");
    expect((await context.store.findGroupMessage(quoting.id))?.quote).toEqual({
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
      await tx.editGroup({ id: row.id, eventId: appended.row.id, content: "changed", editedAt: NOON + 1 });
      return appended.row;
    });
    expect(await page(2, groupId)).toEqual([event.id, quoting.id]);
    // The event itself does not count as a quote.
    expect(await hiders()).toEqual([3]);
    expect(await page(3, groupId)).toEqual([]);
    await context.store.write(async (tx) => {
      const { id: noticeId } = (await tx.appendGroup({ ...plainText(groupId), type: 10 })).row;
      const tip = { key: "recalled", params: { name: "n" } };
      await tx.recallGroup({ id: quoting.id, noticeId, content: "sentence", tip });
    });
    expect(await hiders()).toEqual([2, 3]);
  });

  test("a person who joined or returned later sees neither older messages nor their edits", async () => {
    await context.people(4);
    const groupId = await group(2, 3);
    const early = await send(groupId, 1);
    expect(await context.store.listGroupLatecomers(groupId, early.id)).toEqual([]);
    await leave(groupId, 2);
    const row = await send(groupId, 1);
    await join(groupId, 2);
    await join(groupId, 4);
    const latecomers = async (id: number) =>
      (await context.store.listGroupLatecomers(groupId, id)).sort((a, b) => a - b);
    expect(await latecomers(early.id)).toEqual([4]);
    expect(await latecomers(row.id)).toEqual([2, 4]);
    // A person who left again is not listed.
    await leave(groupId, 2);
    expect(await latecomers(row.id)).toEqual([4]);
    const event = await context.store.write(async (tx) => {
      const appended = await tx.appendGroup({ ...plainText(groupId), type: 7, content: "changed" });
      await tx.editGroup({ id: row.id, eventId: appended.row.id, content: "changed", editedAt: NOON + 1 });
      return appended.row;
    });
    expect(await page(3, groupId)).toEqual([event.id, row.id, early.id]);
    expect(await page(4, groupId)).toEqual([]);
    expect((await pull(4)).ids).toEqual([]);
  });

  test("a higher read position returns each message with receipt once, starting right after the old position", async () => {
    await context.people(2);
    const groupId = await group(2);
    const first = await send(groupId, 1, { receipt: true });
    expect(await read(2, groupId, first.id)).toEqual([{ id: first.id, sendId: 1 }]);
    const second = await send(groupId, 1, { receipt: true });
    expect(second.id).toBe(first.id + 1);
    expect(await read(2, groupId, second.id)).toEqual([{ id: second.id, sendId: 1 }]);
    expect(await read(2, groupId, second.id)).toBeUndefined();
  });

  test("a higher read position updates the receipts of the messages that it covers", async () => {
    await context.people(4);
    const groupId = await group(2, 3);
    const asked = await send(groupId, 1, { receipt: true });
    const plain = await send(groupId, 1);
    const own = await send(groupId, 2, { receipt: true });
    await join(groupId, 4);
    const receipts = () => context.store.listGroupReceipts(groupId, [asked.id, plain.id, own.id]);
    const receipt = (id: number, readedCount: number, receiptOk: boolean) => ({
      id,
      groupId,
      readedCount,
      receiptOk,
    });
    expect(await receipts()).toEqual([receipt(asked.id, 0, false), receipt(own.id, 0, false)]);
    const { next } = await context.store.listChanges(1, 0);
    expect(await read(2, groupId, own.id)).toEqual([{ id: asked.id, sendId: 1 }]);
    expect(await read(2, groupId, plain.id)).toBeUndefined();
    expect(await read(4, groupId, own.id)).toEqual([]);
    expect(await receipts()).toEqual([receipt(asked.id, 1, false), receipt(own.id, 0, false)]);
    expect(await context.store.listGroupReaders(asked)).toEqual([2]);
    expect(await context.store.listGroupUnread(asked)).toEqual([3]);
    expect(await context.store.listGroupUnread(own)).toEqual([1, 3]);
    expect((await context.store.listChanges(1, next)).receipts).toEqual([receipt(asked.id, 1, false)]);
    expect((await context.store.listChanges(2, 0)).read).toEqual([
      { type: ChatType.GROUP, targetId: groupId, mine: own.id, theirs: -1 },
    ]);
    // A receipt does not wait for people who joined later or have left.
    await leave(groupId, 3);
    expect(await context.store.listGroupUnread(asked)).toEqual([]);
    expect(await receipts()).toEqual([receipt(asked.id, 1, true), receipt(own.id, 0, false)]);
    expect(await context.store.groupReadPositions(2)).toEqual(new Map([[groupId, own.id]]));
    expect(await context.store.groupReadPositions(3)).toEqual(new Map());
  });
}
