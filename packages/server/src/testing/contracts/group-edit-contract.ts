import { expect, test } from "vitest";
import type { GroupMessageRow, NewGroupMessage } from "../../ports/group-message-store.ts";
import { groupMessageSteps } from "./group-message-steps.ts";
import { required, NOON, type StoreContext, stored } from "./store-fixtures.ts";

/** The rules for what former members, and members who returned, see of an edited message. */
export function groupEditContract(context: StoreContext): void {
  const steps = groupMessageSteps(context);
  const { join, leave } = steps;
  /** Creates a group of owner 1 and members 2 and 3. */
  const group = async () => {
    await context.people(3);
    return steps.group(2, 3);
  };
  const messageIn = (groupId: number, content: string): NewGroupMessage => ({
    ...steps.plainText(groupId),
    content,
  });
  const send = async (groupId: number, content: string, quote?: GroupMessageRow) => {
    const quoted = quote && {
      quote: { id: quote.id, sendId: 1, content: quote.content, type: 0, isRecalled: false },
    };
    return stored(await context.store.appendGroup({ ...messageIn(groupId, content), ...quoted })).row;
  };
  let edits = 0;
  const edit = ({ id, groupId }: GroupMessageRow, content: string) =>
    context.store.write(async (tx) => {
      const quote = { id, sendId: 1, content, type: 0, isRecalled: false };
      const sendTime = NOON + ++edits;
      const { row } = await tx.appendGroup({ ...messageIn(groupId, content), type: 7, sendTime, quote });
      await tx.editMessage({ id, eventId: row.id, content, editedAt: row.sendTime });
      return row;
    });

  /** The message as a person sees it, itself and in a quote. Checks that all ways of reading agree. */
  const visibleTo = async (userId: number, row: GroupMessageRow, quoting?: GroupMessageRow) => {
    const ids = [row.id, ...(quoting ? [quoting.id] : [])];
    const readings = [
      await context.store.listGroupMessages(userId, ids),
      await context.store.listHistory("GROUP", userId, row.groupId, { from: "after", id: 0, size: 99 }),
      (await Promise.all(ids.map((id) => context.store.findVisibleMessage("GROUP", userId, id)))).map(
        required,
      ),
    ].map((rows) => {
      const { content, editedAt } = required(rows.find((one) => one.id === row.id));
      const quote = quoting && required(required(rows.find((one) => one.id === quoting.id)).quote);
      return { content, editedAt, ...(quote && { quote: quote.content }) };
    });
    for (const reading of readings) expect(reading).toEqual(readings[0]);
    return required(readings[0]);
  };
  const searchResults = async (userId: number, text: string) => {
    const { rows, total } = await context.store.searchMessages("GROUP", userId, {
      text,
      size: 9,
      totalMax: 9,
    });
    expect(total).toBe(rows.length);
    return rows.map((row) => row.content);
  };

  test("a person who left before an edit sees the text of before", async () => {
    const groupId = await group();
    const row = await send(groupId, "word first");
    const quoting = await send(groupId, "answer", row);
    await leave(groupId, 2);
    const one = await edit(row, "word second");
    expect(await visibleTo(2, row, quoting)).toEqual({
      content: "word first",
      editedAt: null,
      quote: "word first",
    });
    expect(await searchResults(2, "second")).toEqual([]);
    expect(await searchResults(2, "word")).toEqual(["word first"]);
    await leave(groupId, 3);
    const two = await edit(row, "word third");
    expect(await visibleTo(3, row, quoting)).toEqual({
      content: "word second",
      editedAt: one.sendTime,
      quote: "word second",
    });
    expect(await visibleTo(2, row)).toMatchObject({ content: "word first" });
    expect(await visibleTo(1, row, quoting)).toEqual({
      content: "word third",
      editedAt: two.sendTime,
      quote: "word third",
    });
    expect(await searchResults(3, "third")).toEqual([]);
    expect(await searchResults(3, "word")).toEqual(["word second"]);
    expect(await searchResults(1, "word")).toEqual(["word third"]);
    // A read without a person returns the current text.
    expect(await context.store.findMessage("GROUP", row.id)).toMatchObject({ content: "word third" });
    expect(await context.store.findMessages("GROUP", [row.id, row.id + 99])).toEqual([
      await context.store.findMessage("GROUP", row.id),
    ]);
    expect(await context.store.listGroupFormerTexts(groupId, row.id)).toEqual([]);
  });

  test("a person who left before an edit and returned sees the old text until the next edit", async () => {
    const groupId = await group();
    const row = await send(groupId, "first");
    await leave(groupId, 2);
    await edit(row, "meanwhile");
    await join(groupId, 2);
    const quoting = await send(groupId, "answer", { ...row, content: "meanwhile" });
    expect(await visibleTo(2, row, quoting)).toEqual({ content: "first", editedAt: null, quote: "first" });
    expect(await visibleTo(3, row, quoting)).toMatchObject({ content: "meanwhile", quote: "meanwhile" });
    expect(await context.store.listGroupFormerTexts(groupId, row.id)).toEqual([
      { userId: 2, content: "first" },
    ]);
    const now = await edit(row, "now");
    expect(await visibleTo(2, row, quoting)).toEqual({
      content: "now",
      editedAt: now.sendTime,
      quote: "now",
    });
    expect(await context.store.listGroupFormerTexts(groupId, row.id)).toEqual([]);
  });

  test("a recalled message, or one removed by a moderator, disappears for former members as well", async () => {
    const groupId = await group();
    const [recalled, purged] = [await send(groupId, "secret one"), await send(groupId, "secret two")];
    const quoting = await send(groupId, "answer", recalled);
    await leave(groupId, 2);
    for (const row of [recalled, purged]) await edit(row, "secret changed");
    await context.store.write(async (tx) => {
      const { row } = await tx.appendGroup({ ...messageIn(groupId, String(recalled.id)), type: 10 });
      const tip = { key: "recalled", params: { name: "n" } };
      await tx.recallMessage({ id: recalled.id, noticeId: row.id, content: "sentence", tip });
    });
    expect(await visibleTo(2, recalled, quoting)).toEqual({ content: "sentence", editedAt: null, quote: "" });
    expect(await searchResults(2, "secret")).toEqual(["secret two"]);
    await context.store.write((tx) => tx.removeMessagesOfMember(groupId, 1));
    expect(await searchResults(2, "secret")).toEqual([]);
    expect(await context.store.listHistory("GROUP", 2, groupId, { from: "newest", size: 99 })).toEqual([]);
  });
}
