/** Groups and requests to join, as people see them. */
import type { GroupRequestVO, GroupVO } from "@parley/protocol/entities";
import { ApiError } from "../../api/api-error.ts";
import { groupCallKey } from "../../ports/call-store.ts";
import type { GroupMemberRow, GroupRequestRow, GroupRow } from "../../ports/group-store.ts";
import { groupRequestVO, groupVO } from "../../presenters/group-presenter.ts";
import type { GroupsReads } from "./groups-store.ts";

/** Which of these groups have a running call. */
export async function groupsWithCall(
  reads: GroupsReads,
  groupIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const calls = await reads.findCalls(groupIds.map(groupCallKey));
  return new Set(calls.flatMap(({ groupId }) => (groupId === null ? [] : [groupId])));
}

/** A group as a current or former member sees it. */
export async function viewGroup(reads: GroupsReads, groupId: number, userId: number): Promise<GroupVO> {
  const [group, member, user, counts] = [
    await reads.findGroup(groupId),
    await reads.findGroupMember(groupId, userId),
    await reads.findUser(userId),
    await reads.countGroupMembers([groupId]),
  ];
  if (group === undefined) throw new ApiError("group.notFound");
  if (member === undefined || user === undefined) throw new ApiError("group.notJoined");
  const hasCall = (await groupsWithCall(reads, [groupId])).has(groupId);
  return groupVO(group, member, user, counts.get(groupId) ?? 0, hasCall);
}

/** The same group as each of these members sees it. */
export async function viewGroupFor(
  reads: GroupsReads,
  group: GroupRow,
  members: readonly GroupMemberRow[],
  membersCount: number,
): Promise<Map<number, GroupVO>> {
  const users = await reads.findUsers(members.map((member) => member.userId));
  const hasCall = (await groupsWithCall(reads, [group.id])).has(group.id);
  return new Map(
    members.flatMap((member) => {
      const user = users.get(member.userId);
      return user === undefined
        ? []
        : [[member.userId, groupVO(group, member, user, membersCount, hasCall)] as const];
    }),
  );
}

/** Requests to join. Those whose group or applicant no longer exists are left out. */
export async function viewGroupRequests(
  reads: GroupsReads,
  requests: readonly GroupRequestRow[],
): Promise<GroupRequestVO[]> {
  if (requests.length === 0) return [];
  const ids = requests.flatMap(({ sendId, inviterId }) => [
    sendId,
    ...(inviterId === null ? [] : [inviterId]),
  ]);
  const users = await reads.findUsers([...new Set(ids)]);
  const groupIds = new Set(requests.map((request) => request.groupId));
  const groups = await reads.findGroups([...groupIds]);
  return requests.flatMap((request) => {
    const [group, person] = [groups.get(request.groupId), users.get(request.sendId)];
    const inviter = request.inviterId === null ? undefined : users.get(request.inviterId);
    return group && person ? [groupRequestVO(request, group, person, inviter)] : [];
  });
}
