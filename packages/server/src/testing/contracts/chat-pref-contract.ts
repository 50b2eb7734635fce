import type { ChatType } from "@parley/protocol/codes";
import { expect, test } from "vitest";
import { groupMessageSteps } from "./group-message-steps.ts";
import { newMessage, type StoreContext } from "./store-fixtures.ts";

/** The rules for what people set for chats. */
export function chatPrefContract(context: StoreContext): void {
  const { group, leave } = groupMessageSteps(context);
  const chat = (targetId: number, type: ChatType = "PRIVATE") => ({ type, targetId });
  const set = (userId: number, targetId: number, unreadMark: number | null) =>
    context.store.write((tx) => tx.setChatPrefs(userId, chat(targetId), { unreadMark }));
  const changes = async (userId: number, since = 0) => {
    const { prefs, next } = await context.store.listChanges(userId, since);
    return { prefs, next };
  };

  test("nothing is set until a person sets it, and to set nothing changes nothing", async () => {
    await context.people(2);
    expect(await set(1, 2, null)).toEqual({ current: { v: 0, prefs: {} }, isNew: false });
    const empty = await context.store.write((tx) => tx.setChatPrefs(1, chat(2), {}));
    expect(empty).toEqual({ current: { v: 0, prefs: {} }, isNew: false });
    expect(await changes(1)).toEqual({ prefs: [], next: 0 });
    expect(await context.store.listChatPrefs(1)).toEqual([]);
  });

  test("what is set is the person's own, gets their next change number, and a repetition does not", async () => {
    await context.people(2);
    const first = await set(1, 2, 5);
    expect(first).toEqual({ current: { v: 1, prefs: { unreadMark: 5 } }, isNew: true });
    expect(await set(1, 2, 5)).toEqual({ ...first, isNew: false });
    expect(await changes(1)).toEqual({ prefs: [{ ...chat(2), ...first.current }], next: 1 });
    expect((await changes(2)).prefs).toEqual([]);
    const removed = await set(1, 2, null);
    expect(removed).toEqual({ current: { v: 2, prefs: { unreadMark: null } }, isNew: true });
    expect(await set(1, 2, null)).toEqual({ ...removed, isNew: false });
    expect(await context.store.listChatPrefs(1)).toEqual([{ ...chat(2), prefs: { unreadMark: null } }]);
    const again = await context.subject.reopen();
    expect((await again.listChanges(1, 0)).prefs).toEqual([{ ...chat(2), ...removed.current }]);
  });

  test("the feed has the chats that changed, the earliest first, each as it is now", async () => {
    await context.people(3);
    await set(1, 2, 5);
    const system = await context.store.write((tx) =>
      tx.setChatPrefs(1, chat(0, "SYSTEM"), { unreadMark: 1 }),
    );
    await set(1, 3, 7);
    await set(1, 2, 9);
    const all = await changes(1);
    expect(all.prefs.map(({ type, targetId, v }) => [type, targetId, v])).toEqual([
      ["SYSTEM", 0, 2],
      ["PRIVATE", 3, 3],
      ["PRIVATE", 2, 4],
    ]);
    expect(all.prefs.at(-1)?.prefs).toEqual({ unreadMark: 9 });
    expect((await changes(1, system.current.v)).prefs).toHaveLength(2);
    expect(await changes(1, all.next)).toEqual({ prefs: [], next: all.next });
  });

  test("prefs that are not set stay, also those that another version has set, and a rollback leaves all as they were", async () => {
    await context.people(2);
    await context.store.write((tx) => tx.setChatPrefs(1, chat(2), { later: [1] } as never));
    expect((await set(1, 2, 5)).current.prefs).toEqual({ later: [1], unreadMark: 5 });
    const failed = context.store.write(async (tx) => {
      await tx.setChatPrefs(1, chat(2), { unreadMark: 6 });
      throw new Error("no");
    });
    await expect(failed).rejects.toThrow("no");
    expect((await changes(1)).prefs).toMatchObject([{ v: 2, prefs: { unreadMark: 5 } }]);
  });

  test("a person has the chats with friends and with whom they write, of their groups and with the system", async () => {
    await context.people(5);
    await context.store.write((tx) => tx.upsertFriend(1, 2));
    await context.store.appendPrivate(newMessage(3, 1));
    const groupId = await group(4, 5);
    await leave(groupId, 5);
    const has = (userId: number, targetId: number, type: ChatType = "PRIVATE") =>
      context.store.hasChat(userId, chat(targetId, type));
    expect(await Promise.all([2, 3, 4, 99].map((id) => has(1, id)))).toEqual([true, true, false, false]);
    expect(await has(3, 1)).toBe(true);
    expect(await Promise.all([1, 4, 5, 2].map((id) => has(id, groupId, "GROUP")))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(await Promise.all([0, 1].map((id) => has(1, id, "SYSTEM")))).toEqual([true, false]);
  });
}
