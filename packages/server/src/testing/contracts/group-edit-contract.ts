import { GroupRole } from "@parley/protocol/codes";
import { expect, test } from "vitest";
import type { GroupMessageRow, NewGroupMessage } from "../../ports/group-store.ts";
import { required, NOON, type StoreContext } from "./store-fixtures.ts";

/** What an edit of a message tells those who have left, and those who were away meanwhile. */
export function groupEditContract(bench: StoreContext): void {
  /** Person 1 owns it; person 2 and 3 are in. */
  const group = async () => {
    await bench.people(3);
    return bench.store.write(async (tx) => {
      const { id } = await tx.insertGroup({
        name: "Climbers",
        ownerId: 1,
        headImage: null,
        headImageThumb: null,
        createdAt: NOON,
      });
      await tx.upsertGroupMember(id, 1, GroupRole.OWNER, NOON);
      for (const userId of [2, 3]) await tx.upsertGroupMember(id, userId, GroupRole.MEMBER, NOON);
      return id;
    });
  };
  const come = (groupId: number, userId: number) =>
    bench.store.write((tx) => tx.upsertGroupMember(groupId, userId, GroupRole.MEMBER, NOON));
  const leave = (groupId: number, userId: number) =>
    bench.store.write((tx) => tx.endGroupStay(groupId, userId));
  const messageIn = (groupId: number, content: string): NewGroupMessage => ({
    tmpId: null,
    type: 0,
    groupId,
    sendId: 1,
    sendNickName: "nick",
    sendRole: GroupRole.OWNER,
    content,
    sendTime: NOON,
  });
  const send = async (groupId: number, content: string, quote?: GroupMessageRow) => {
    const quoted = quote && {
      quote: { id: quote.id, sendId: 1, content: quote.content, type: 0, isRecalled: false },
    };
    return (await bench.store.appendGroup({ ...messageIn(groupId, content), ...quoted })).row;
  };
  let edits = 0;
  const edit = ({ id, groupId }: GroupMessageRow, content: string) =>
    bench.store.write(async (tx) => {
      const quote = { id, sendId: 1, content, type: 0, isRecalled: false };
      const sendTime = NOON + ++edits;
      const { row } = await tx.appendGroup({ ...messageIn(groupId, content), type: 7, sendTime, quote });
      await tx.editGroup({ id, eventId: row.id, content, editedAt: row.sendTime });
      return row;
    });

  /** Every way of reading agrees on what a message says to a person, as itself and in a quote. */
  const said = async (userId: number, row: GroupMessageRow, quoting?: GroupMessageRow) => {
    const rows = [row.id, ...(quoting ? [quoting.id] : [])];
    const readings = [
      await bench.store.listGroupMessages(userId, rows),
      await bench.store.groupHistory(userId, row.groupId, { from: "after", id: 0, size: 99 }),
      (await Promise.all(rows.map((id) => bench.store.findVisibleGroupMessage(userId, id)))).map(required),
    ].map((found) => {
      const { content, editedAt } = required(found.find((one) => one.id === row.id));
      const quote = quoting && required(required(found.find((one) => one.id === quoting.id)).quote);
      return { content, editedAt, ...(quote && { quote: quote.content }) };
    });
    for (const reading of readings) expect(reading).toEqual(readings[0]);
    return required(readings[0]);
  };
  const found = async (userId: number, text: string) => {
    const { rows, total } = await bench.store.searchGroupMessages(userId, { text, size: 9, totalMax: 9 });
    expect(total).toBe(rows.length);
    return rows.map((row) => row.content);
  };

  test("an edit is told to nobody who had left before", async () => {
    const groupId = await group();
    const row = await send(groupId, "word first");
    const quoting = await send(groupId, "answer", row);
    await leave(groupId, 2);
    const one = await edit(row, "word second");
    expect(await said(2, row, quoting)).toEqual({
      content: "word first",
      editedAt: null,
      quote: "word first",
    });
    expect(await found(2, "second")).toEqual([]);
    expect(await found(2, "word")).toEqual(["word first"]);
    await leave(groupId, 3);
    const two = await edit(row, "word third");
    expect(await said(3, row, quoting)).toEqual({
      content: "word second",
      editedAt: one.sendTime,
      quote: "word second",
    });
    expect(await said(2, row)).toMatchObject({ content: "word first" });
    expect(await said(1, row, quoting)).toEqual({
      content: "word third",
      editedAt: two.sendTime,
      quote: "word third",
    });
    expect(await found(3, "third")).toEqual([]);
    expect(await found(3, "word")).toEqual(["word second"]);
    expect(await found(1, "word")).toEqual(["word third"]);
    // As it stands, where nobody is named.
    expect(await bench.store.findGroupMessage(row.id)).toMatchObject({ content: "word third" });
    expect(await bench.store.listGroupFormerTexts(groupId, row.id)).toEqual([]);
  });

  test("who is back knows the text of before, until an edit that comes now", async () => {
    const groupId = await group();
    const row = await send(groupId, "first");
    await leave(groupId, 2);
    await edit(row, "meanwhile");
    await come(groupId, 2);
    const quoting = await send(groupId, "answer", { ...row, content: "meanwhile" });
    expect(await said(2, row, quoting)).toEqual({ content: "first", editedAt: null, quote: "first" });
    expect(await said(3, row, quoting)).toMatchObject({ content: "meanwhile", quote: "meanwhile" });
    expect(await bench.store.listGroupFormerTexts(groupId, row.id)).toEqual([
      { userId: 2, content: "first" },
    ]);
    const now = await edit(row, "now");
    expect(await said(2, row, quoting)).toEqual({ content: "now", editedAt: now.sendTime, quote: "now" });
    expect(await bench.store.listGroupFormerTexts(groupId, row.id)).toEqual([]);
  });

  test("what is recalled or purged is gone for those who have left as well", async () => {
    const groupId = await group();
    const [recalled, purged] = [await send(groupId, "secret one"), await send(groupId, "secret two")];
    const quoting = await send(groupId, "answer", recalled);
    await leave(groupId, 2);
    for (const row of [recalled, purged]) await edit(row, "secret changed");
    await bench.store.write(async (tx) => {
      const { row } = await tx.appendGroup({ ...messageIn(groupId, String(recalled.id)), type: 10 });
      const tip = { key: "recalled", params: { name: "n" } };
      await tx.recallGroup({ id: recalled.id, noticeId: row.id, content: "sentence", tip });
    });
    expect(await said(2, recalled, quoting)).toEqual({ content: "sentence", editedAt: null, quote: "" });
    expect(await found(2, "secret")).toEqual(["secret two"]);
    await bench.store.write((tx) => tx.removeMessagesOfMember(groupId, 1));
    expect(await found(2, "secret")).toEqual([]);
    expect(await bench.store.groupHistory(2, groupId, { from: "newest", size: 99 })).toEqual([]);
  });
}
