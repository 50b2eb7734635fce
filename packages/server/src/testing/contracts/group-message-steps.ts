/** What the rules for group messages share: steps of people in groups of a store, and what they then see. */
import { GroupRole } from "@parley/protocol/codes";
import { expect } from "vitest";
import type { GroupMessageRow, NewGroupMessage } from "../../ports/group-message-store.ts";
import type { HistoryPage, PullWindow } from "../../ports/stored-message.ts";
import { NOON, type StoreContext, stored, newGroup } from "./store-fixtures.ts";

const WINDOW: PullWindow = { minId: 0, overlapMs: 30_000, notBefore: 0, firstMax: 1_000 };
const NEWEST: HistoryPage = { from: "newest", size: 99 };

/** Steps in the store of the running test. */
export function groupMessageSteps(context: Pick<StoreContext, "store">) {
  /** Creates a group of owner 1 and these members. */
  const group = (...memberIds: number[]) =>
    context.store.write(async (tx) => {
      const { id } = await tx.insertGroup(newGroup(1));
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
    (await context.store.listHistory("GROUP", userId, groupId, at)).map((row) => row.id);
  const pull = (userId: number, patch: Partial<PullWindow> = {}) =>
    context.store.startGroupPull(userId, { ...WINDOW, ...patch });
  const search = async (userId: number, text: string, groupId?: number) => {
    const where = groupId === undefined ? {} : { groupId };
    const found = await context.store.searchMessages("GROUP", userId, {
      text,
      size: 50,
      totalMax: 99,
      ...where,
    });
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
    expect(await context.store.newestVisibleId("GROUP", userId, groupId)).toBe(ids.at(-1) ?? 0);
    const days = await context.store.listDays("GROUP", userId, groupId, [NOON, NOON + 1]);
    expect(days).toEqual(ids.length > 0 ? [NOON] : []);
    const found = all.map(
      async (row) => (await context.store.findVisibleMessage("GROUP", userId, row.id))?.id,
    );
    expect((await Promise.all(found)).filter((id) => id !== undefined)).toEqual(ids);
  };
  const hide = (userId: number, groupId: number, ids: number[]) =>
    context.store.write((tx) => tx.hideMessages("GROUP", userId, groupId, ids));
  const read = (userId: number, groupId: number, id: number) =>
    context.store.write((tx) => tx.raiseGroupRead(userId, groupId, id));
  const quoteOf = ({ id, sendId, content, type }: GroupMessageRow) => ({
    id,
    sendId,
    content,
    type,
    isRecalled: false,
  });
  return {
    group,
    join,
    leave,
    tryToSend,
    send,
    plainText,
    page,
    pull,
    search,
    expectSeen,
    hide,
    read,
    quoteOf,
  };
}
