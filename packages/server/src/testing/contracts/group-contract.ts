import { GroupRole, JoinMode, RequestStatus } from "@parley/protocol/codes";
import { expect, test } from "vitest";
import type { NewGroupMessage } from "../../ports/group-message-store.ts";
import type { NewGroup } from "../../ports/group-store.ts";
import { NOON, type StoreContext, newGroup, required } from "./store-fixtures.ts";

function groupText(groupId: number, sendId: number, patch: Partial<NewGroupMessage> = {}): NewGroupMessage {
  return {
    tmpId: null,
    type: 0,
    groupId,
    sendId,
    sendNickName: "nick",
    sendRole: GroupRole.MEMBER,
    content: "text",
    sendTime: NOON,
    ...patch,
  };
}

/** The rules for groups, members and join requests. */
export function groupContract(context: StoreContext): void {
  const group = (ownerId: number, memberIds: readonly number[], patch: Partial<NewGroup> = {}) =>
    context.store.write(async (tx) => {
      const row = await tx.insertGroup(newGroup(ownerId, patch));
      await tx.upsertGroupMember(row.id, ownerId, GroupRole.OWNER, NOON);
      for (const id of memberIds) await tx.upsertGroupMember(row.id, id, GroupRole.MEMBER, NOON + 1);
      return row;
    });
  const append = (message: NewGroupMessage) => context.store.write((tx) => tx.appendGroup(message));

  test("a new group has the default settings, and an update changes only the given fields", async () => {
    await context.people(1);
    const row = await group(1, []);
    expect(row).toEqual({
      id: row.id,
      ...newGroup(1),
      notice: null,
      isAllMuted: false,
      inviteRole: 1,
      editRole: 2,
      attrRole: 2,
      joinMode: JoinMode.APPROVAL,
      isFindable: false,
      attributes: {},
      banReason: null,
      isLarge: false,
      dissolvedAt: null,
    });
    const patch = {
      name: "Hikers",
      notice: "at six",
      isAllMuted: true,
      inviteRole: 2,
      joinMode: JoinMode.INVITATION as JoinMode,
      isFindable: true,
      attributes: { city: "Bern" },
      banReason: "spam",
      isLarge: true,
      dissolvedAt: NOON,
    };
    await context.store.write(async (tx) => {
      await tx.updateGroup(row.id, patch);
      await tx.updateGroup(row.id, {});
    });
    expect(await context.store.findGroup(row.id)).toEqual({ ...row, ...patch });
    expect(await context.store.findGroups([row.id, 99])).toEqual(new Map([[row.id, { ...row, ...patch }]]));
    expect(await context.store.findGroup(99)).toBeUndefined();
  });

  test.each([JoinMode.FREE, JoinMode.APPROVAL, JoinMode.INVITATION])(
    "a group keeps the way of joining %i",
    async (joinMode) => {
      await context.people(1);
      const made = await group(1, [], { joinMode, isFindable: true });
      expect(made).toMatchObject({ joinMode, isFindable: true });
      const other = await group(1, []);
      await context.store.write((tx) => tx.updateGroup(other.id, { joinMode, isFindable: true }));
      const again = await context.subject.reopen();
      expect(await again.findGroup(made.id)).toMatchObject({ joinMode, isFindable: true });
      expect(await again.findGroup(other.id)).toMatchObject({ joinMode, isFindable: true });
    },
  );

  test("a former member is marked as removed by whom a moderator removes, until they join again; not who leaves", async () => {
    await context.people(3);
    const { id } = await group(1, [2, 3]);
    await context.store.write(async (tx) => {
      await tx.endGroupStay(id, 2, true);
      await tx.endGroupStay(id, 3);
    });
    const again = await context.subject.reopen();
    const marks = async () => [
      (await again.findGroupMember(id, 2))?.wasRemoved,
      (await again.findGroupMember(id, 3))?.wasRemoved,
    ];
    expect(await marks()).toEqual([true, false]);
    const back = await again.write((tx) => tx.upsertGroupMember(id, 2, GroupRole.MEMBER, NOON));
    expect(back.wasRemoved).toBe(false);
    await again.write((tx) => tx.endGroupStay(id, 2));
    expect(await marks()).toEqual([false, false]);
  });

  test("a member has a role and own settings; a former member is listed but not counted", async () => {
    await context.people(3);
    const { id } = await group(1, [2, 3]);
    const plain = {
      groupId: id,
      isMuted: false,
      remarkNickName: null,
      remarkGroupName: null,
      isTop: false,
      msgRemind: 0,
      msgRemindUntil: null,
      msgRemindAfter: null,
      quit: false,
      wasRemoved: false,
      stayFrom: 0,
    };
    expect(await context.store.listGroupMembers(id)).toEqual([
      { ...plain, userId: 1, role: GroupRole.OWNER, joinedAt: NOON },
      { ...plain, userId: 2, role: GroupRole.MEMBER, joinedAt: NOON + 1 },
      { ...plain, userId: 3, role: GroupRole.MEMBER, joinedAt: NOON + 1 },
    ]);
    const patch = { role: GroupRole.ADMIN, isMuted: true, remarkNickName: "Two", isTop: true, msgRemind: 2 };
    await context.store.write(async (tx) => {
      await tx.updateGroupMember(id, 2, patch);
      await tx.updateGroupMember(id, 2, {});
    });
    expect(await context.store.findGroupMember(id, 2)).toMatchObject(patch);
    await context.store.write((tx) => tx.endGroupStay(id, 2));
    expect(await context.store.findGroupMember(id, 2)).toMatchObject({ quit: true, role: GroupRole.MEMBER });
    expect(await context.store.listGroupMembers(id)).toHaveLength(3);
    expect(await context.store.countGroupMembers([id, 99])).toEqual(
      new Map([
        [id, 2],
        [99, 0],
      ]),
    );
    expect((await context.store.listMembershipsOf(2)).map((row) => row.quit)).toEqual([true]);
  });

  test("MU2 the alert levels of members that end by a time are found, the earliest first", async () => {
    await context.people(3);
    const { id } = await group(1, [2, 3]);
    await context.store.write(async (tx) => {
      await tx.updateGroupMember(id, 2, { msgRemind: 2, msgRemindUntil: NOON + 2, msgRemindAfter: 1 });
      await tx.updateGroupMember(id, 3, { msgRemind: 2, msgRemindUntil: NOON + 1, msgRemindAfter: 0 });
    });
    const found = async (now: number, limit: number) =>
      (await context.store.listEndedMemberLevels(now, limit)).map((row) => row.userId);
    expect([await found(NOON, 9), await found(NOON + 2, 9), await found(NOON + 2, 1)]).toEqual([
      [],
      [3, 2],
      [3],
    ]);
    expect(await context.store.findGroupMember(id, 2)).toMatchObject({
      msgRemindUntil: NOON + 2,
      msgRemindAfter: 1,
    });
  });

  test("a stay begins and ends at the newest id of all groups; a member who returns keeps settings and mute", async () => {
    await context.people(2);
    const { id } = await group(1, [2]);
    const other = await group(1, []);
    const settings = {
      isMuted: true,
      isTop: true,
      msgRemind: 2,
      remarkNickName: "Two",
      remarkGroupName: "Mine",
    };
    const first = await append(groupText(id, 1));
    const elsewhere = await append(groupText(other.id, 1));
    await context.store.write(async (tx) => {
      await tx.updateGroupMember(id, 2, { ...settings, role: GroupRole.ADMIN });
      await tx.endGroupStay(id, 2);
    });
    const missed = await append(groupText(id, 1));
    await context.store.write((tx) => tx.upsertGroupMember(id, 2, GroupRole.MEMBER, NOON + 5));
    // Adding a current member changes nothing.
    await context.store.write((tx) => tx.upsertGroupMember(id, 2, GroupRole.OWNER, NOON + 9));
    expect(first.row.id).toBeLessThan(elsewhere.row.id);
    expect(await context.store.listGroupStays(id, 2)).toEqual([
      { fromId: 0, toId: elsewhere.row.id },
      { fromId: missed.row.id, toId: null },
    ]);
    expect(await context.store.findGroupMember(id, 2)).toMatchObject({
      role: GroupRole.MEMBER,
      quit: false,
      ...settings,
      joinedAt: NOON + 5,
      stayFrom: missed.row.id,
    });
  });

  test("who was in a group at the same time is listed, and who had left before or came later is not", async () => {
    await context.people(5);
    const { id } = await group(1, [2, 3]);
    const write = context.store.write.bind(context.store);
    const seenBy = async (userId: number) =>
      (await context.store.listGroupMembersSeenBy(userId, id)).map((row) => row.userId);
    await append(groupText(id, 1));
    await write((tx) => tx.endGroupStay(id, 2));
    await write((tx) => tx.upsertGroupMember(id, 4, GroupRole.MEMBER, NOON + 2));
    await append(groupText(id, 1));
    await write((tx) => tx.endGroupStay(id, 3));
    await write((tx) => tx.upsertGroupMember(id, 5, GroupRole.MEMBER, NOON + 3));
    expect(await seenBy(1)).toEqual([1, 2, 3, 4, 5]);
    expect(await seenBy(2)).toEqual([1, 2, 3]);
    expect(await seenBy(4)).toEqual([1, 3, 4, 5]);
    expect(await seenBy(5)).toEqual([1, 4, 5]);
    await write((tx) => tx.endGroupStay(id, 5));
    expect(await seenBy(5)).toEqual([1, 4, 5]);
    // Person 5 has gone; their stay ended where this one begins.
    await write((tx) => tx.upsertGroupMember(id, 2, GroupRole.MEMBER, NOON + 4));
    expect(await seenBy(2)).toEqual([1, 2, 3, 4]);
  });

  test("a group is found by its creator and the tmpId of its creation, not by another person and the same tmpId", async () => {
    await context.people(2);
    const { id } = await group(1, [2], { tmpId: "t" });
    await context.store.write((tx) => tx.updateGroup(id, { ownerId: 2 }));
    const again = await context.subject.reopen();
    expect(await again.findMadeGroup(1, "t")).toBe(id);
    expect(await again.findMadeGroup(2, "t")).toBeUndefined();
    const twice = again.write((tx) => tx.insertGroup(newGroup(1, { tmpId: "t" })));
    await expect(twice).rejects.toThrow();
    expect(await again.findGroup(id + 1)).toBeUndefined();
  });

  test("group messages share one id sequence, and (sendId, tmpId) stays unique for ever", async () => {
    await context.people(2);
    const a = await group(1, [2]);
    const b = await group(2, []);
    const tip = { key: "group.joined", params: { name: "Two" } };
    const first = await append(groupText(a.id, 1, { tmpId: "t", atUserIds: [-1, 2], receipt: true, tip }));
    const second = await append(groupText(b.id, 2, { tmpId: "t", sendTime: NOON - 5, onlyFor: 2 }));
    expect([first.row.id, second.row.id]).toEqual([1, 2]);
    expect(first.row).toMatchObject({ atUserIds: [-1, 2], receipt: true, tip, quote: null });
    expect(second.row).toMatchObject({ atUserIds: [], receipt: false, sendTime: NOON, onlyFor: 2 });
    const again = await append(groupText(a.id, 1, { tmpId: "t", content: "other" }));
    expect(again).toEqual({ row: first.row, isNew: false });
    expect(await context.store.newestGroupMessageId(a.id)).toBe(first.row.id);
    expect(await context.store.newestGroupMessageId(b.id)).toBe(second.row.id);
    expect(await context.store.newestGroupMessageId(99)).toBe(0);
  });

  test("a group is found by its id and by a part of its name, unless it is dissolved", async () => {
    await context.people(1);
    const open = { isFindable: true };
    const one = await group(1, [], { name: "Alpine 50%", ...open });
    const two = await group(1, [], { name: "ALPS 2", ...open });
    const dissolved = await group(1, [], { name: "alpine too", ...open });
    await context.store.write((tx) => tx.updateGroup(dissolved.id, { dissolvedAt: NOON }));
    const found = async (part: string, limit = 20) =>
      (await context.store.searchGroups(part, limit, 2)).map((row) => row.id);
    expect(await found("alp")).toEqual([one.id, two.id]);
    expect(await found("alp", 1)).toEqual([one.id]);
    expect(await found("0%")).toEqual([one.id]);
    expect(await found("_")).toEqual([]);
    expect(await found(String(two.id))).toEqual([two.id]);
    expect(await found(String(dissolved.id))).toEqual([]);
    await context.store.write((tx) => tx.updateGroup(one.id, { name: "Lakes" }));
    expect(await found("alpine")).toEqual([]);
    expect(await found("LAKE")).toEqual([one.id]);
  });

  test("a group that cannot be found is found by those who are or were in it alone, by number and name", async () => {
    await context.people(4);
    const { id } = await group(1, [2, 3], { name: "Hidden" });
    await context.store.write((tx) => tx.endGroupStay(id, 3));
    const found = async (userId: number) =>
      [
        ...(await context.store.searchGroups("hid", 20, userId)),
        ...(await context.store.searchGroups(String(id), 20, userId)),
      ].map((row) => row.id);
    expect(await found(2)).toEqual([id, id]);
    expect(await found(3)).toEqual([id, id]);
    expect(await found(4)).toEqual([]);
    await context.store.write((tx) => tx.updateGroup(id, { isFindable: true }));
    expect(await found(4)).toEqual([id, id]);
  });

  test("two people are group peers while both are members of a group that is not dissolved", async () => {
    await context.people(4);
    const a = await group(1, [2, 3]);
    const b = await group(1, [2]);
    const peers = async () => (await context.store.listGroupPeers(1, [1, 2, 3, 4])).sort((x, y) => x - y);
    expect(await peers()).toEqual([2, 3]);
    await context.store.write((tx) => tx.endGroupStay(a.id, 3));
    expect(await peers()).toEqual([2]);
    await context.store.write((tx) => tx.updateGroup(a.id, { dissolvedAt: NOON }));
    expect(await peers()).toEqual([2]);
    await context.store.write((tx) => tx.endGroupStay(b.id, 1));
    expect(await peers()).toEqual([]);
  });

  test("a join request is found while it is pending, and listed for owner, admins and those who made it", async () => {
    await context.people(5);
    const { id } = await group(1, [2, 3]);
    await context.store.write((tx) => tx.updateGroupMember(id, 2, { role: GroupRole.ADMIN }));
    const request = (sendId: number, inviterId: number | null) => ({
      groupId: id,
      sendId,
      inviterId,
      remark: "hello",
      status: RequestStatus.PENDING,
      applyTime: NOON,
    });
    const asked = await context.store.write((tx) => tx.insertGroupRequest(request(4, null)));
    const invited = await context.store.write((tx) => tx.insertGroupRequest(request(5, 3)));
    expect(await context.store.findGroupRequest(asked.id)).toEqual({ id: asked.id, ...request(4, null) });
    expect(await context.store.findPendingGroupRequest(id, 5)).toEqual(invited);
    const listed = async (userId: number) =>
      (await context.store.listPendingGroupRequests(userId)).map((row) => row.id);
    expect(await listed(1)).toEqual([invited.id, asked.id]);
    expect(await listed(2)).toEqual([invited.id, asked.id]);
    expect(await listed(3)).toEqual([invited.id]);
    expect(await listed(4)).toEqual([asked.id]);
    expect(await listed(5)).toEqual([]);
    const about = async (userId: number) =>
      (await context.store.listPendingGroupRequestsAbout(userId)).map((row) => row.id);
    expect(await about(1)).toEqual([]);
    expect(await about(3)).toEqual([invited.id]);
    expect(await about(4)).toEqual([asked.id]);
    expect(await about(5)).toEqual([invited.id]);
    expect(await context.store.listPendingRequestsOfGroup(id)).toEqual([asked, invited]);
    expect(await context.store.listPendingRequestsOfGroup(99)).toEqual([]);
    expect(await context.store.countPendingGroupRequests(3)).toBe(0);
    expect(await context.store.countPendingGroupRequests(4)).toBe(1);
    expect(await context.store.countPendingGroupRequests(5)).toBe(0);
    await context.store.write((tx) => tx.setGroupRequestStatus(asked.id, RequestStatus.APPROVED));
    expect(await context.store.findPendingGroupRequest(id, 4)).toBeUndefined();
    expect(await listed(1)).toEqual([invited.id]);
    expect(await context.store.listPendingRequestsOfGroup(id)).toEqual([invited]);
    await context.store.write((tx) => tx.endGroupStay(id, 2));
    expect(await listed(2)).toEqual([]);
  });

  test("a pending request of a dissolved group is listed for the group, but for no person", async () => {
    await context.people(3);
    const { id } = await group(1, []);
    const request = { groupId: id, inviterId: null, remark: "", status: RequestStatus.PENDING, applyTime: 1 };
    const asked = await context.store.write(async (tx) => {
      await tx.updateGroup(id, { dissolvedAt: NOON });
      return tx.insertGroupRequest({ ...request, sendId: 2 });
    });
    for (const userId of [1, 2]) expect(await context.store.listPendingGroupRequests(userId)).toEqual([]);
    expect(await context.store.countPendingGroupRequests(2)).toBe(0);
    expect(await context.store.listPendingRequestsOfGroup(id)).toEqual([asked]);
  });

  test("system messages about a join request are found unless the receiver cleared them", async () => {
    await context.people(2);
    const about = (userId: number) => ({
      userId,
      type: 61,
      title: null,
      intro: null,
      coverUrl: null,
      content: "content",
      sendTime: NOON,
      groupRequestId: 7,
    });
    const rows = await context.store.write(async (tx) => [
      await tx.appendSystem(about(1)),
      await tx.appendSystem(about(2)),
    ]);
    expect(await context.store.listSystemByGroupRequest(7)).toEqual(rows);
    await context.store.write((tx) => tx.raiseSystemRead(1, 1));
    await context.store.write((tx) => tx.clearMessages(1));
    expect(await context.store.listSystemByGroupRequest(7)).toEqual([required(rows[1])]);
    expect(await context.store.listSystemByGroupRequest(8)).toEqual([]);
  });

  test("current and former members get the removal of a member's messages once in the change feed", async () => {
    await context.people(4);
    const { id } = await group(1, [2, 3]);
    await context.store.write(async (tx) => {
      await tx.endGroupStay(id, 3);
      await tx.removeMessagesOfMember(id, 2);
    });
    const first = await context.store.listChanges(1, 0);
    expect(first.purged).toEqual([{ groupId: id, userId: 2, upTo: 0 }]);
    expect((await context.store.listChanges(2, 0)).purged).toEqual([{ groupId: id, userId: 2, upTo: 0 }]);
    expect((await context.store.listChanges(3, 0)).purged).toEqual([{ groupId: id, userId: 2, upTo: 0 }]);
    expect((await context.store.listChanges(4, 0)).purged).toEqual([]);
    expect((await context.store.listChanges(1, first.next)).purged).toEqual([]);
    const { row } = await append(groupText(id, 2));
    expect(await context.store.write((tx) => tx.removeMessagesOfMember(id, 2))).toEqual({
      upTo: row.id,
      savedBy: [],
    });
    const again = await context.store.listChanges(1, first.next);
    expect(again.purged).toEqual([{ groupId: id, userId: 2, upTo: row.id }]);
  });
}
