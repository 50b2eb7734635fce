import { expect, test } from "vitest";
import { groupMessageSteps } from "./group-message-steps.ts";
import { newMessage, NOON, type StoreContext } from "./store-fixtures.ts";

/** The rules for the messages that people save for themselves. */
export function savedMessageContract(context: StoreContext): void {
  const { group, leave, send: sendInGroup, hide } = groupMessageSteps(context);
  const send = async (from: number, to: number, content = "text") =>
    (await context.store.appendPrivate(newMessage(from, to, { content }))).row.id;
  const save = (userId: number, id: number, note = "", tags: string[] = [], now = NOON) =>
    context.store.write((tx) => tx.setSaved(userId, id, { note, tags }, now));
  const remove = (userId: number, id: number) => context.store.write((tx) => tx.removeSaved(userId, id));
  const list = (userId: number, before = 1_000, limit = 99) => context.store.listSaved(userId, before, limit);
  const listedIds = async (userId: number) => (await list(userId)).entries.map(({ id }) => id);
  const changes = async (userId: number, since = 0) => {
    const { saved, next } = await context.store.listChanges(userId, since);
    return { saved, next };
  };
  const recall = (id: number) =>
    context.store.write(async (tx) => {
      const { row } = await tx.appendPrivate(newMessage(1, 2, { type: 10, content: String(id) }));
      return tx.recallMessage({ id, noticeId: row.id, content: "", tip: { key: "recalled", params: {} } });
    });
  const edit = (id: number, content: string) =>
    context.store.write(async (tx) => {
      const { row } = await tx.appendPrivate(newMessage(1, 2, { type: 7, content }));
      return tx.editMessage({ id, eventId: row.id, content, editedAt: NOON + 1 });
    });

  test("nothing is saved until a person saves it, and then it is theirs alone", async () => {
    await context.people(2);
    const id = await send(2, 1, "the address");
    expect(await list(1)).toEqual({ entries: [], rows: { PRIVATE: [], GROUP: [] } });
    expect(await context.store.findSaved(1, id)).toEqual({ id, v: 0, saved: null });
    await save(1, id, "to read", ["work", "later"]);
    const saved = { type: "PRIVATE", targetId: 2, at: NOON, note: "to read", tags: ["work", "later"] };
    expect(await context.store.findSaved(1, id)).toEqual({ id, v: 1, saved });
    const page = await list(1);
    expect(page.entries).toEqual([{ id, v: 1, saved }]);
    expect(page.rows.PRIVATE).toMatchObject([{ id, content: "the address" }]);
    expect(await changes(1)).toEqual({ saved: [{ id, v: 1, saved }], next: 1 });
    expect(await context.store.countSaved(1)).toBe(1);
    expect([await listedIds(2), (await changes(2)).saved, await context.store.countSaved(2)]).toEqual([
      [],
      [],
      0,
    ]);
    expect(await (await context.subject.reopen()).findSaved(1, id)).toEqual({ id, v: 1, saved });
  });

  test("other words keep the time, what was removed begins anew, and both are told", async () => {
    await context.people(2);
    const id = await send(2, 1);
    await save(1, id, "a");
    await save(1, id, "b", ["x"], NOON + 5);
    expect((await context.store.findSaved(1, id)).saved).toMatchObject({ at: NOON, note: "b", tags: ["x"] });
    expect(await remove(1, id)).toBe(true);
    expect(await remove(1, id)).toBe(false);
    expect(await remove(2, id)).toBe(false);
    expect(await changes(1)).toEqual({ saved: [{ id, v: 3, saved: null }], next: 3 });
    expect([await listedIds(1), await context.store.countSaved(1)]).toEqual([[], 0]);
    await save(1, id, "c", [], NOON + 9);
    expect((await context.store.findSaved(1, id)).saved).toMatchObject({ at: NOON + 9, note: "c", tags: [] });
  });

  test("pages have what changed last first, and the feed what changed since, the earliest first", async () => {
    await context.people(2);
    const groupId = await group(2);
    const one = await send(1, 2);
    const two = (await sendInGroup(groupId, 2)).id;
    const three = await send(1, 1);
    for (const id of [one, two, three]) await save(1, id);
    await save(1, one, "again");
    expect(await listedIds(1)).toEqual([one, three, two]);
    const first = await list(1, 1_000, 2);
    expect(first.entries.map(({ id }) => id)).toEqual([one, three]);
    const last = await list(1, first.entries[1]?.v, 2);
    expect(last.entries).toMatchObject([{ id: two, saved: { type: "GROUP", targetId: groupId } }]);
    expect(last.rows.GROUP).toMatchObject([{ id: two, groupId }]);
    expect(first.entries[1]).toMatchObject({ saved: { type: "PRIVATE", targetId: 1 } });
    const since = await changes(1, 2);
    expect(since.saved.map(({ id }) => id)).toEqual([three, one]);
    expect((await changes(1, since.next)).saved).toEqual([]);
  });

  test("a recall removes a message from those of everybody, who get a change number", async () => {
    await context.people(3);
    const id = await send(1, 2, "a mistake");
    await save(1, id, "mine");
    await save(2, id, "theirs", ["x"]);
    const other = await send(1, 2);
    await save(2, other);
    const before = await changes(2);
    expect(await recall(id)).toEqual(expect.arrayContaining([1, 2]));
    expect(await changes(2, before.next)).toEqual({
      saved: [{ id, v: before.next + 1, saved: null }],
      next: before.next + 1,
    });
    expect([await listedIds(1), await listedIds(2)]).toEqual([[], [other]]);
    expect(await recall(await send(1, 2))).toEqual([]);
  });

  test("an edit is told to those who have saved the message, whose page has the new words", async () => {
    await context.people(2);
    const id = await send(1, 2, "befor");
    await save(2, id, "note");
    const { next } = await changes(2);
    expect(await edit(id, "before")).toEqual([2]);
    const { saved } = await changes(2, next);
    expect(saved).toMatchObject([{ id, v: next + 1, saved: { note: "note" } }]);
    expect((await list(2)).rows.PRIVATE).toMatchObject([{ id, content: "before" }]);
    expect((await changes(1)).saved).toEqual([]);
  });

  test("what a person hides or clears is saved no longer, for them alone", async () => {
    await context.people(2);
    const groupId = await group(2);
    const [one, two] = [await send(1, 2), await send(1, 2)];
    const inGroup = (await sendInGroup(groupId, 1)).id;
    for (const userId of [1, 2]) for (const id of [one, two, inGroup]) await save(userId, id);
    await context.store.write((tx) => tx.hideMessages("PRIVATE", 2, 1, [one]));
    await hide(2, groupId, [inGroup]);
    expect(await listedIds(2)).toEqual([two]);
    const { next } = await changes(2);
    await context.store.write((tx) => tx.clearMessages(2));
    expect((await changes(2, next)).saved).toEqual([{ id: two, v: next + 1, saved: null }]);
    expect([await listedIds(2), await listedIds(1)]).toEqual([[], [inGroup, two, one]]);
    const later = await send(1, 2);
    await save(2, later);
    expect(await listedIds(2)).toEqual([later]);
  });

  test("what a moderator removes is gone for members and former ones; who leaves keeps the rest", async () => {
    await context.people(4);
    const groupId = await group(2, 3, 4);
    const spam = (await sendInGroup(groupId, 3)).id;
    const kept = (await sendInGroup(groupId, 1)).id;
    for (const userId of [2, 4]) for (const id of [spam, kept]) await save(userId, id);
    await leave(groupId, 4);
    const { next } = await changes(4);
    const removed = await context.store.write((tx) => tx.removeMessagesOfMember(groupId, 3));
    expect(removed.savedBy.toSorted((a, b) => a - b)).toEqual([2, 4]);
    expect((await changes(4, next)).saved).toEqual([{ id: spam, v: next + 1, saved: null }]);
    expect([await listedIds(2), await listedIds(4)]).toEqual([[kept], [kept]]);
  });

  test("SV8 a closed account has nothing saved, and a rollback leaves everything as it was", async () => {
    await context.people(2);
    const id = await send(1, 2);
    await save(2, id);
    const failed = context.store.write(async (tx) => {
      await tx.removeSaved(2, id);
      throw new Error("no");
    });
    await expect(failed).rejects.toThrow("no");
    expect(await listedIds(2)).toEqual([id]);
    await context.store.write((tx) => tx.setUnregistered(2, NOON));
    expect([await listedIds(2), (await changes(2)).saved]).toEqual([[], []]);
  });
}
