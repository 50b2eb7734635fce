import { ChatType } from "@parley/protocol/codes";
import { expect, test } from "vitest";
import type { GroupMessageRow } from "../../ports/group-message-store.ts";
import { groupMessageSteps } from "./group-message-steps.ts";
import { required, NOON, type StoreContext, stored } from "./store-fixtures.ts";

/** The rules for which group messages a person sees: in history, pulls, search and days. */
export function groupVisibilityContract(context: StoreContext): void {
  const { group, join, leave, send, plainText, page, pull, expectSeen, hide, quoteOf } =
    groupMessageSteps(context);

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
      (await context.store.listDays("GROUP", userId, groupId, starts)).map(
        (start) => (start - NOON) / 86_400_000,
      );
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
    expect((await context.store.findMessage("GROUP", quoting.id))?.quote).toMatchObject({
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
      await tx.editMessage({ id: row.id, eventId: appended.row.id, content: "changed", editedAt: NOON + 1 });
      return appended.row;
    });
    expect(await page(3, groupId)).toEqual([event.id, row.id, early.id]);
    expect(await page(4, groupId)).toEqual([]);
    expect((await pull(4)).ids).toEqual([]);
  });
}
