import { GroupRole, RequestStatus } from "@parley/protocol/codes";
import { expect, test } from "vitest";
import type { NewGroup, NewGroupMessage } from "../../ports/group-store.ts";
import { required, NOON, type StoreContext } from "./store-fixtures.ts";

function newGroup(ownerId: number, patch: Partial<NewGroup> = {}): NewGroup {
  return { name: "Climbers", ownerId, headImage: null, headImageThumb: null, createdAt: NOON, ...patch };
}

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

/** Groups, their people, requests to join. */
export function groupContract(bench: StoreContext): void {
  const group = (ownerId: number, memberIds: readonly number[], patch: Partial<NewGroup> = {}) =>
    bench.store.write(async (tx) => {
      const row = await tx.insertGroup(newGroup(ownerId, patch));
      await tx.upsertGroupMember(row.id, ownerId, GroupRole.OWNER, NOON);
      for (const id of memberIds) await tx.upsertGroupMember(row.id, id, GroupRole.MEMBER, NOON + 1);
      return row;
    });
  const append = (message: NewGroupMessage) => bench.store.write((tx) => tx.appendGroup(message));

  test("a group starts with plain settings and keeps what is changed of it", async () => {
    await bench.people(1);
    const row = await group(1, []);
    expect(row).toEqual({
      id: row.id,
      ...newGroup(1),
      notice: null,
      isAllMuted: false,
      inviteRole: 1,
      editRole: 2,
      attrRole: 2,
      joinApproval: false,
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
      joinApproval: true,
      attributes: { city: "Bern" },
      banReason: "spam",
      isLarge: true,
      dissolvedAt: NOON,
    };
    await bench.store.write(async (tx) => {
      await tx.updateGroup(row.id, patch);
      await tx.updateGroup(row.id, {});
    });
    expect(await bench.store.findGroup(row.id)).toEqual({ ...row, ...patch });
    expect(await bench.store.findGroups([row.id, 99])).toEqual([{ ...row, ...patch }]);
    expect(await bench.store.findGroup(99)).toBeUndefined();
  });

  test("members come with a role and keep their own notes; who has left is listed but not counted", async () => {
    await bench.people(3);
    const { id } = await group(1, [2, 3]);
    const plain = {
      groupId: id,
      isMuted: false,
      remarkNickName: null,
      remarkGroupName: null,
      isTop: false,
      msgRemind: 0,
      quit: false,
      stayFrom: 0,
    };
    expect(await bench.store.listGroupMembers(id)).toEqual([
      { ...plain, userId: 1, role: GroupRole.OWNER, joinedAt: NOON },
      { ...plain, userId: 2, role: GroupRole.MEMBER, joinedAt: NOON + 1 },
      { ...plain, userId: 3, role: GroupRole.MEMBER, joinedAt: NOON + 1 },
    ]);
    const patch = { role: GroupRole.ADMIN, isMuted: true, remarkNickName: "Two", isTop: true, msgRemind: 2 };
    await bench.store.write(async (tx) => {
      await tx.updateGroupMember(id, 2, patch);
      await tx.updateGroupMember(id, 2, {});
    });
    expect(await bench.store.findGroupMember(id, 2)).toMatchObject(patch);
    await bench.store.write((tx) => tx.endGroupStay(id, 2));
    expect(await bench.store.findGroupMember(id, 2)).toMatchObject({ quit: true, role: GroupRole.MEMBER });
    expect(await bench.store.listGroupMembers(id)).toHaveLength(3);
    expect(await bench.store.countGroupMembers([id, 99])).toEqual(
      new Map([
        [id, 2],
        [99, 0],
      ]),
    );
    expect((await bench.store.listMembershipsOf(2)).map((row) => row.quit)).toEqual([true]);
  });

  test("each stay begins and ends at the head of all groups; coming back keeps notes and mute", async () => {
    await bench.people(2);
    const { id } = await group(1, [2]);
    const other = await group(1, []);
    const first = await append(groupText(id, 1));
    const elsewhere = await append(groupText(other.id, 1));
    await bench.store.write(async (tx) => {
      await tx.updateGroupMember(id, 2, { isMuted: true, remarkGroupName: "Mine", role: GroupRole.ADMIN });
      await tx.endGroupStay(id, 2);
    });
    const missed = await append(groupText(id, 1));
    await bench.store.write((tx) => tx.upsertGroupMember(id, 2, GroupRole.MEMBER, NOON + 5));
    // Who is in stays as they are.
    await bench.store.write((tx) => tx.upsertGroupMember(id, 2, GroupRole.OWNER, NOON + 9));
    expect(first.row.id).toBeLessThan(elsewhere.row.id);
    expect(await bench.store.listGroupStays(id, 2)).toEqual([
      { fromId: 0, toId: elsewhere.row.id },
      { fromId: missed.row.id, toId: null },
    ]);
    expect(await bench.store.findGroupMember(id, 2)).toMatchObject({
      role: GroupRole.MEMBER,
      quit: false,
      isMuted: true,
      remarkGroupName: "Mine",
      joinedAt: NOON + 5,
      stayFrom: missed.row.id,
    });
  });

  test("a group is known by the tmpId under which its maker has made it, and by nobody else's", async () => {
    await bench.people(2);
    const { id } = await group(1, [2], { tmpId: "t" });
    await bench.store.write((tx) => tx.updateGroup(id, { ownerId: 2 }));
    const again = await bench.subject.reopen();
    expect(await again.findMadeGroup(1, "t")).toBe(id);
    expect(await again.findMadeGroup(2, "t")).toBeUndefined();
    const twice = again.write((tx) => tx.insertGroup(newGroup(1, { tmpId: "t" })));
    await expect(twice).rejects.toThrow();
    expect(await again.findGroup(id + 1)).toBeUndefined();
  });

  test("group messages are one sequence over all groups, told apart by (sendId, tmpId) for ever", async () => {
    await bench.people(2);
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
    expect(await bench.store.newestGroupMessageId(a.id)).toBe(first.row.id);
    expect(await bench.store.newestGroupMessageId(b.id)).toBe(second.row.id);
    expect(await bench.store.newestGroupMessageId(99)).toBe(0);
  });

  test("groups are found by number and by a part of the name, never one that is dissolved", async () => {
    await bench.people(1);
    const [one, two] = [await group(1, [], { name: "Alpine 50%" }), await group(1, [], { name: "ALPS 2" })];
    const gone = await group(1, [], { name: "alpine too" });
    await bench.store.write((tx) => tx.updateGroup(gone.id, { dissolvedAt: NOON }));
    const found = async (part: string, limit = 20) =>
      (await bench.store.searchGroups(part, limit)).map((row) => row.id);
    expect(await found("alp")).toEqual([one.id, two.id]);
    expect(await found("alp", 1)).toEqual([one.id]);
    expect(await found("0%")).toEqual([one.id]);
    expect(await found("_")).toEqual([]);
    expect(await found(String(two.id))).toEqual([two.id]);
    expect(await found(String(gone.id))).toEqual([]);
    await bench.store.write((tx) => tx.updateGroup(one.id, { name: "Lakes" }));
    expect(await found("alpine")).toEqual([]);
    expect(await found("LAKE")).toEqual([one.id]);
  });

  test("people share a group while both are in and it lives", async () => {
    await bench.people(4);
    const a = await group(1, [2, 3]);
    const b = await group(1, [2]);
    const peers = async () => (await bench.store.listGroupPeers(1, [1, 2, 3, 4])).sort((x, y) => x - y);
    expect(await peers()).toEqual([2, 3]);
    await bench.store.write((tx) => tx.endGroupStay(a.id, 3));
    expect(await peers()).toEqual([2]);
    await bench.store.write((tx) => tx.updateGroup(a.id, { dissolvedAt: NOON }));
    expect(await peers()).toEqual([2]);
    await bench.store.write((tx) => tx.endGroupStay(b.id, 1));
    expect(await peers()).toEqual([]);
  });

  test("requests to join: found while pending, listed for leaders and for who made them", async () => {
    await bench.people(5);
    const { id } = await group(1, [2, 3]);
    await bench.store.write((tx) => tx.updateGroupMember(id, 2, { role: GroupRole.ADMIN }));
    const request = (sendId: number, inviterId: number | null) => ({
      groupId: id,
      sendId,
      inviterId,
      remark: "hello",
      status: RequestStatus.PENDING,
      applyTime: NOON,
    });
    const asked = await bench.store.write((tx) => tx.insertGroupRequest(request(4, null)));
    const invited = await bench.store.write((tx) => tx.insertGroupRequest(request(5, 3)));
    expect(await bench.store.findGroupRequest(asked.id)).toEqual({ id: asked.id, ...request(4, null) });
    expect(await bench.store.findPendingGroupRequest(id, 5)).toEqual(invited);
    const listed = async (userId: number) =>
      (await bench.store.listPendingGroupRequests(userId)).map((row) => row.id);
    expect(await listed(1)).toEqual([invited.id, asked.id]);
    expect(await listed(2)).toEqual([invited.id, asked.id]);
    expect(await listed(3)).toEqual([invited.id]);
    expect(await listed(4)).toEqual([asked.id]);
    expect(await listed(5)).toEqual([]);
    const about = async (userId: number) =>
      (await bench.store.listPendingGroupRequestsAbout(userId)).map((row) => row.id);
    expect(await about(1)).toEqual([]);
    expect(await about(3)).toEqual([invited.id]);
    expect(await about(4)).toEqual([asked.id]);
    expect(await about(5)).toEqual([invited.id]);
    expect(await bench.store.listPendingRequestsOfGroup(id)).toEqual([asked, invited]);
    expect(await bench.store.listPendingRequestsOfGroup(99)).toEqual([]);
    expect(await bench.store.countPendingGroupRequests(3)).toBe(0);
    expect(await bench.store.countPendingGroupRequests(4)).toBe(1);
    expect(await bench.store.countPendingGroupRequests(5)).toBe(0);
    await bench.store.write((tx) => tx.setGroupRequestStatus(asked.id, RequestStatus.APPROVED));
    expect(await bench.store.findPendingGroupRequest(id, 4)).toBeUndefined();
    expect(await listed(1)).toEqual([invited.id]);
    expect(await bench.store.listPendingRequestsOfGroup(id)).toEqual([invited]);
    await bench.store.write((tx) => tx.endGroupStay(id, 2));
    expect(await listed(2)).toEqual([]);
  });

  test("pending requests of a dissolved group are found by it alone", async () => {
    await bench.people(3);
    const { id } = await group(1, []);
    const request = { groupId: id, inviterId: null, remark: "", status: RequestStatus.PENDING, applyTime: 1 };
    const asked = await bench.store.write(async (tx) => {
      await tx.updateGroup(id, { dissolvedAt: NOON });
      return tx.insertGroupRequest({ ...request, sendId: 2 });
    });
    for (const userId of [1, 2]) expect(await bench.store.listPendingGroupRequests(userId)).toEqual([]);
    expect(await bench.store.countPendingGroupRequests(2)).toBe(0);
    expect(await bench.store.listPendingRequestsOfGroup(id)).toEqual([asked]);
  });

  test("the system messages about a request to join are found, but not cleared ones", async () => {
    await bench.people(2);
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
    const rows = await bench.store.write(async (tx) => [
      await tx.appendSystem(about(1)),
      await tx.appendSystem(about(2)),
    ]);
    expect(await bench.store.listSystemByGroupRequest(7)).toEqual(rows);
    await bench.store.write((tx) => tx.raiseSystemRead(1, 1));
    await bench.store.write((tx) => tx.clearMessages(1));
    expect(await bench.store.listSystemByGroupRequest(7)).toEqual([required(rows[1])]);
    expect(await bench.store.listSystemByGroupRequest(8)).toEqual([]);
  });

  test("everybody who is or was in a group hears of a purge, once, by change numbers", async () => {
    await bench.people(4);
    const { id } = await group(1, [2, 3]);
    await bench.store.write(async (tx) => {
      await tx.endGroupStay(id, 3);
      await tx.removeMessagesOfMember(id, 2);
    });
    const first = await bench.store.listChanges(1, 0);
    expect(first.purged).toEqual([{ groupId: id, userId: 2, upTo: 0 }]);
    expect((await bench.store.listChanges(2, 0)).purged).toEqual([{ groupId: id, userId: 2, upTo: 0 }]);
    expect((await bench.store.listChanges(3, 0)).purged).toEqual([{ groupId: id, userId: 2, upTo: 0 }]);
    expect((await bench.store.listChanges(4, 0)).purged).toEqual([]);
    expect((await bench.store.listChanges(1, first.next)).purged).toEqual([]);
    const { row } = await append(groupText(id, 2));
    expect(await bench.store.write((tx) => tx.removeMessagesOfMember(id, 2))).toBe(row.id);
    const again = await bench.store.listChanges(1, first.next);
    expect(again.purged).toEqual([{ groupId: id, userId: 2, upTo: row.id }]);
  });
}
