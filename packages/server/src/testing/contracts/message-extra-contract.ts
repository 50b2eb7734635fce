import { ChatType } from "@parley/protocol/codes";
import { expect, test } from "vitest";
import type { Tx } from "../../ports/store.ts";
import { groupMessageSteps } from "./group-message-steps.ts";
import { changeTally, newMessage, NOON, setPin, type StoreContext } from "./store-fixtures.ts";

/** The rules for extras: what people chose for a message, in which order, and who is told what changed. */
export function messageExtraContract(context: StoreContext): void {
  const { group, join, leave, send: sendInGroup, hide } = groupMessageSteps(context);
  const send = async (from: number, to: number) =>
    (await context.store.appendPrivate(newMessage(from, to))).row.id;
  const choice = (userId: number, messageId: number, key: string, on: boolean) =>
    ({ kind: "reactions", messageId, userId, key, on, at: NOON + userId }) as const;
  const add = (userId: number, id: number, key = "👍") =>
    context.store.write((tx) => changeTally(tx, choice(userId, id, key, true)));
  const takeBack = (userId: number, id: number, key = "👍") =>
    context.store.write((tx) => changeTally(tx, choice(userId, id, key, false)));
  const recall = (id: number) =>
    context.store.write(async (tx) => {
      const { row } = await tx.appendPrivate(newMessage(1, 2, { type: 10, content: String(id) }));
      await tx.recallMessage({ id, noticeId: row.id, content: "", tip: { key: "recalled", params: {} } });
    });
  const extraOf = async (userId: number, id: number) =>
    (await context.store.listExtras(userId, [id])).get(id);
  const changes = (userId: number, since: number | undefined = 0, limit = 99) =>
    context.store.listExtraChanges(userId, since, limit);
  /** The messages whose extras a person is told. */
  const told = async (userId: number, since = 0) =>
    (await changes(userId, since)).changes.map(({ id }) => id);
  const tally = (key: string, ...first: number[]) => ({ key, count: first.length, first });

  test("a message has no extra until somebody does something to it", async () => {
    await context.people(2);
    const id = await send(1, 2);
    expect(await context.store.listExtras(1, [id, id + 1])).toEqual(new Map());
    expect(await context.store.listExtras(1, [])).toEqual(new Map());
    expect(await changes(1)).toEqual({ changes: [], next: 0 });
    expect(await changes(1, undefined)).toEqual({ changes: [], next: 0 });
    expect(await context.store.listTally("reactions", id, "👍", 0, 9)).toEqual([]);
  });

  test("people add a key, join it and take it back, and everybody reads the totals and what they did themselves", async () => {
    await context.people(3);
    const id = await send(1, 2);
    const first = await add(2, id);
    expect(first).toEqual({ v: first.v, reactions: [tally("👍", 2)], mine: { reactions: ["👍"] } });
    const second = await add(1, id);
    expect(second).toEqual({ v: second.v, reactions: [tally("👍", 2, 1)], mine: { reactions: ["👍"] } });
    expect(await extraOf(2, id)).toEqual(second);
    expect(await extraOf(3, id)).toEqual({ ...second, mine: {} });
    const third = await takeBack(2, id);
    expect(third).toEqual({ v: third.v, reactions: [tally("👍", 1)], mine: {} });
    const last = await takeBack(1, id);
    expect(last).toEqual({ v: last.v, reactions: [], mine: {} });
    expect(await extraOf(1, id)).toEqual(last);
    const again = await context.subject.reopen();
    expect(await again.listExtras(1, [id])).toEqual(new Map([[id, last]]));
  });

  test("keys stay in the order of their first use, and one that everybody took back comes last when it is used again", async () => {
    await context.people(2);
    const id = await send(1, 2);
    for (const [userId, key] of [
      [1, "👍"],
      [2, "🎉"],
      [1, "❤️"],
      [1, "🎉"],
    ] as const)
      await add(userId, id, key);
    const keys = async () => (await extraOf(1, id))?.reactions?.map(({ key }) => key);
    expect(await keys()).toEqual(["👍", "🎉", "❤️"]);
    await takeBack(2, id, "🎉");
    expect(await keys()).toEqual(["👍", "🎉", "❤️"]);
    expect((await extraOf(1, id))?.mine).toEqual({ reactions: ["👍", "❤️", "🎉"] });
    await takeBack(1, id, "👍");
    await add(2, id, "👍");
    expect(await keys()).toEqual(["🎉", "❤️", "👍"]);
  });

  test("a key names the first three of its people, and the next one when one of them leaves", async () => {
    await context.people(6);
    const groupId = await group(2, 3, 4, 5, 6);
    const { id } = await sendInGroup(groupId, 1);
    for (const userId of [4, 2, 6, 1, 3]) await add(userId, id);
    const reactions = async () => (await extraOf(1, id))?.reactions;
    expect(await reactions()).toEqual([{ key: "👍", count: 5, first: [4, 2, 6] }]);
    await takeBack(4, id);
    expect(await reactions()).toEqual([{ key: "👍", count: 4, first: [2, 6, 1] }]);
    await takeBack(3, id);
    await add(4, id);
    expect(await reactions()).toEqual([{ key: "👍", count: 4, first: [2, 6, 1] }]);
    for (const userId of [2, 6]) await takeBack(userId, id);
    expect(await reactions()).toEqual([{ key: "👍", count: 2, first: [1, 4] }]);
  });

  test("who chose a key is listed in pages, the earliest first", async () => {
    await context.people(4);
    const id = await send(1, 2);
    const versions: number[] = [];
    for (const userId of [3, 1, 2]) versions.push((await add(userId, id)).v);
    await add(4, id, "🎉");
    const list = (after: number, limit: number) =>
      context.store.listTally("reactions", id, "👍", after, limit);
    const entries = [3, 1, 2].map((userId, n) => ({ userId, v: versions[n], at: NOON + userId }));
    expect(await list(0, 9)).toEqual(entries);
    expect(await list(0, 2)).toEqual(entries.slice(0, 2));
    expect(await list(versions[1] ?? 0, 2)).toEqual(entries.slice(2));
    expect(await list(versions[2] ?? 0, 2)).toEqual([]);
  });

  test("versions rise over all messages, also for what is done in one commit and after a rollback", async () => {
    await context.people(3);
    const [one, two] = [await send(1, 2), await send(1, 3)];
    const before = (await add(1, one)).v;
    const commits = context.subject.commits();
    const together = await Promise.all([add(1, two), add(2, one), add(3, two), takeBack(1, one)]);
    expect(context.subject.commits() - commits).toBeLessThan(together.length);
    const versions = together.map(({ v }) => v);
    expect(versions.toSorted((a, b) => a - b)).toEqual([...new Set(versions)].toSorted((a, b) => a - b));
    expect(Math.min(...versions)).toBeGreaterThan(before);
    const [ofOne, ofTwo] = [await extraOf(1, one), await extraOf(1, two)];
    expect(ofOne).toMatchObject({ reactions: [tally("👍", 2)], mine: {} });
    expect(ofTwo).toMatchObject({ reactions: [tally("👍", 1, 3)], mine: { reactions: ["👍"] } });
    expect(Math.max(ofOne?.v ?? 0, ofTwo?.v ?? 0)).toBe(Math.max(...versions));

    const twice = await context.store.write(async (tx) => [
      await changeTally(tx, choice(1, one, "🎉", true)),
      await changeTally(tx, choice(1, one, "❤️", true)),
    ]);
    expect(twice[1]).toMatchObject({
      reactions: [tally("👍", 2), tally("🎉", 1), tally("❤️", 1)],
      mine: { reactions: ["🎉", "❤️"] },
    });
    expect(twice[1]?.v).toBeGreaterThan(twice[0]?.v ?? 0);
    const failed = context.store.write(async (tx: Tx) => {
      await changeTally(tx, choice(2, two, "👍", true));
      throw new Error("no");
    });
    await expect(failed).rejects.toThrow("no");
    expect(await extraOf(1, two)).toEqual(ofTwo);
    expect((await add(2, two)).v).toBeGreaterThan(twice[1]?.v ?? 0);
  });

  test("both people of a private chat are told what changed in it, and nobody else", async () => {
    await context.people(3);
    const [one, other] = [await send(1, 2), await send(1, 3)];
    const own = await send(1, 1);
    await add(2, one);
    await add(1, own);
    const { v } = await add(1, other, "🎉");
    expect(await changes(2)).toEqual({
      changes: [
        {
          type: ChatType.PRIVATE,
          targetId: 1,
          id: one,
          extra: { v: expect.any(Number), reactions: [tally("👍", 2)], mine: { reactions: ["👍"] } },
        },
      ],
      next: v,
    });
    const ofFirst = await changes(1);
    expect(ofFirst.changes.map(({ targetId, id }) => [targetId, id])).toEqual([
      [2, one],
      [1, own],
      [3, other],
    ]);
    expect(ofFirst.changes.map(({ extra }) => extra.mine)).toEqual([
      {},
      { reactions: ["👍"] },
      { reactions: ["🎉"] },
    ]);
    expect(await told(3)).toEqual([other]);
  });

  test("people are told what was done to the messages of their stays in a group", async () => {
    await context.people(4);
    const groupId = await group(2);
    const early = (await sendInGroup(groupId, 1)).id;
    await join(groupId, 3);
    const shared = (await sendInGroup(groupId, 1)).id;
    await leave(groupId, 2);
    const late = (await sendInGroup(groupId, 1)).id;
    for (const id of [early, shared, late]) await add(1, id);
    expect(await told(1)).toEqual([early, shared, late]);
    expect(await told(2)).toEqual([early, shared]);
    expect(await told(3)).toEqual([shared, late]);
    expect(await told(4)).toEqual([]);
    expect((await changes(3)).changes[0]).toMatchObject({ type: ChatType.GROUP, targetId: groupId });
    await join(groupId, 2);
    expect(await told(2)).toEqual([early, shared]);
  });

  test("nobody is told about messages that they hid or cleared, or that a moderator removed", async () => {
    await context.people(3);
    const groupId = await group(2, 3);
    const [hidden, kept] = [(await sendInGroup(groupId, 1)).id, (await sendInGroup(groupId, 1)).id];
    const removed = (await sendInGroup(groupId, 3)).id;
    const inPrivate = await send(1, 2);
    for (const id of [hidden, kept, removed, inPrivate]) await add(1, id);
    await hide(2, groupId, [hidden]);
    expect(await told(2)).toEqual([kept, removed, inPrivate]);
    await context.store.write((tx) => tx.hideMessages("PRIVATE", 2, 1, [inPrivate]));
    await context.store.write((tx) => tx.removeMessagesOfMember(groupId, 3));
    expect(await told(2)).toEqual([kept]);
    expect(await told(1)).toEqual([hidden, kept, inPrivate]);
    await context.store.write((tx) => tx.clearMessages(1));
    expect(await told(1)).toEqual([]);
    const newer = await send(2, 1);
    await add(2, newer);
    expect(await told(1)).toEqual([newer]);
  });

  test("changes come in pages, each once with its newest state, and what comes later is in the next call", async () => {
    await context.people(3);
    const ids = [await send(1, 2), await send(1, 2), await send(1, 2)] as const;
    const elsewhere = await send(1, 3);
    for (const id of ids) await add(1, id);
    await add(1, elsewhere);
    await add(2, ids[0]);
    const first = await changes(2, 0, 2);
    expect(first.changes.map(({ id }) => id)).toEqual([ids[1], ids[2]]);
    expect(first.next).toBe(first.changes[1]?.extra.v);
    const second = await changes(2, first.next, 2);
    expect(second.changes).toMatchObject([{ id: ids[0], extra: { reactions: [tally("👍", 1, 2)] } }]);
    expect(second.next).toBe(second.changes[0]?.extra.v);
    expect(await changes(2, second.next, 2)).toEqual({ changes: [], next: second.next });
    // A person to whom it is not told goes on to the newest version as well.
    expect(await changes(3, first.next, 2)).toMatchObject({ next: second.next });
    await takeBack(2, ids[0]);
    expect(await told(2, second.next)).toEqual([ids[0]]);
  });

  test("a page leaves out what a person does not see, and is full nevertheless if there is more", async () => {
    await context.people(2);
    const ids: number[] = [];
    for (let n = 0; n < 7; n++) ids.push(await send(1, 2));
    for (const id of ids) await add(1, id);
    const [, , third, fourth, , sixth, seventh] = ids;
    const hidden = ids.filter((id) => ![third, fourth, sixth, seventh].includes(id));
    await context.store.write((tx) => tx.hideMessages("PRIVATE", 2, 1, hidden));
    const first = await changes(2, 0, 3);
    expect(first.changes.map(({ id }) => id)).toEqual([third, fourth, sixth]);
    expect(await told(2, first.next)).toEqual([seventh]);
    const single = await changes(2, 0, 1);
    expect(single.changes.map(({ id }) => id)).toEqual([third]);
    expect((await changes(2, single.next, 1)).changes.map(({ id }) => id)).toEqual([fourth]);
  });

  test("the newest version is told, and a version that was never given counts as none", async () => {
    await context.people(2);
    const id = await send(1, 2);
    const { v } = await add(1, id);
    expect(await context.store.newestExtra()).toBe(v);
    expect(await told(2, v)).toEqual([]);
    expect(await told(2, v + 1)).toEqual([id]);
    expect(await told(2, Number.MAX_SAFE_INTEGER)).toEqual([id]);
  });

  test("a recall removes what people did to the message, and its version is not given again", async () => {
    await context.people(2);
    const [recalled, other] = [await send(1, 2), await send(1, 2)];
    await add(2, other);
    const { v } = await add(2, recalled);
    await recall(recalled);
    expect(await extraOf(2, recalled)).toEqual({ v, mine: {} });
    expect(await told(2)).toEqual([other]);
    expect(await context.store.listTally("reactions", recalled, "👍", 0, 9)).toEqual([]);
    expect(await extraOf(2, other)).toMatchObject({ reactions: [tally("👍", 2)] });
    expect((await add(1, other)).v).toBe(v + 1);
    const untouched = await send(1, 2);
    await recall(untouched);
    expect(await extraOf(2, untouched)).toBeUndefined();
  });

  const pin = (userId: number, id: number, isOn = true) =>
    context.store.write((tx) => setPin(tx, userId, id, isOn));
  const pinsOf = async (kind: "PRIVATE" | "GROUP", userId: number, targetId: number) => {
    const { rows, unseen } = await context.store.listPins(kind, userId, targetId);
    return [rows.map(({ id }) => id), unseen];
  };

  test("both people of a private chat have its pinned messages, the last one first, and a recall removes one", async () => {
    await context.people(3);
    const [first, second, third, elsewhere] = [
      await send(1, 2),
      await send(2, 1),
      await send(1, 2),
      await send(1, 3),
    ];
    await add(2, first);
    const pinned = await pin(1, first);
    expect(pinned).toEqual({ v: pinned.v, reactions: [tally("👍", 2)], pin: { by: 1, at: NOON }, mine: {} });
    await pin(2, third);
    await pin(2, second);
    await pin(3, elsewhere);
    expect(await pinsOf("PRIVATE", 1, 2)).toEqual([[second, third, first], 0]);
    expect(await pinsOf("PRIVATE", 2, 1)).toEqual([[second, third, first], 0]);
    expect(await pinsOf("PRIVATE", 3, 2)).toEqual([[], 0]);
    expect(await context.store.countPins(first)).toBe(3);
    expect(await told(2, pinned.v - 1)).toEqual([first, third, second]);
    const unpinned = await pin(2, third, false);
    expect(unpinned).toEqual({ v: unpinned.v, mine: {} });
    await recall(second);
    expect(await pinsOf("PRIVATE", 1, 2)).toEqual([[first], 0]);
    // A reaction leaves the pin.
    expect((await add(1, first)).pin).toEqual({ by: 1, at: NOON });
    const again = await context.subject.reopen();
    expect(await again.countPins(first)).toBe(1);
  });

  test("who came later or has deleted a pinned message is told that there is one", async () => {
    await context.people(3);
    const id = await group(1, 2);
    const [{ id: before }, { id: hidden }] = [await sendInGroup(id, 1), await sendInGroup(id, 1)];
    await join(id, 3);
    const { id: after } = await sendInGroup(id, 2);
    for (const messageId of [before, hidden, after]) await pin(1, messageId);
    await hide(2, id, [hidden]);
    expect(await pinsOf("GROUP", 1, id)).toEqual([[after, hidden, before], 0]);
    expect(await pinsOf("GROUP", 2, id)).toEqual([[after, before], 1]);
    expect(await pinsOf("GROUP", 3, id)).toEqual([[after], 2]);
    await leave(id, 2);
    expect((await pinsOf("GROUP", 2, id))[0]).toEqual([after, before]);
  });
}
