/** Finds the acting member of a group and checks whether the action is allowed. */
import { GroupRole } from "@parley/protocol/codes";
import type { GroupAction, GroupTarget } from "@parley/protocol/group-rights";
import { ApiError } from "../../api/api-error.ts";
import type { GroupMemberRow, GroupRequestRow, GroupRow } from "../../ports/group-store.ts";
import { authorize } from "../../access/group-access.ts";
import type { GroupsReads } from "./groups-store.ts";

/** A group, and the row of a person in it. */
export interface Membership {
  group: GroupRow;
  me: GroupMemberRow;
}

/**
 * Finds a group with the row of a current or former member. For everybody else it throws as for a number that no group has, after the same
 * reads: groups are numbered, and somebody who tries all numbers must not learn which are groups.
 */
export async function requireOwnGroup(
  reads: Pick<GroupsReads, "findGroup" | "findGroupMember">,
  groupId: number,
  userId: number,
): Promise<Membership> {
  const group = await reads.findGroup(groupId);
  const me = await reads.findGroupMember(groupId, userId);
  if (group === undefined || me === undefined) throw new ApiError("group.notFound");
  return { group, me };
}

/**
 * Finds a group that this person may know of, with their row if they are or were a member: their own, those that can be found, and those that they
 * have asked to join. Throws as for a number that no group has, after the same reads.
 */
export async function requireKnownGroup(
  reads: Pick<GroupsReads, "findGroup" | "findGroupMember" | "findPendingGroupRequest">,
  groupId: number,
  userId: number,
): Promise<{ group: GroupRow; member: GroupMemberRow | undefined; pending: GroupRequestRow | undefined }> {
  const group = await reads.findGroup(groupId);
  const member = await reads.findGroupMember(groupId, userId);
  const pending = await reads.findPendingGroupRequest(groupId, userId);
  const isOpen = group?.dissolvedAt === null && (group.isFindable || pending?.inviterId === null);
  if (group === undefined || !(member !== undefined || isOpen)) throw new ApiError("group.notFound");
  return { group, member, pending };
}

const ANY_MEMBER: GroupTarget = { role: GroupRole.MEMBER };

/** Throws unless the table of rights allows the action to this person, with an ordinary member as its target if it needs one. */
export async function authorizeMember(
  reads: GroupsReads,
  groupId: number,
  userId: number,
  action: GroupAction,
): Promise<Membership> {
  const { group, me } = await requireOwnGroup(reads, groupId, userId);
  return { group, me: authorize(action, group, me, ANY_MEMBER) };
}

/** Those of these people who are current members, each once, in the given order. */
export async function findCurrentMembers(
  reads: GroupsReads,
  groupId: number,
  userIds: readonly number[],
): Promise<GroupMemberRow[]> {
  const members: GroupMemberRow[] = [];
  for (const userId of new Set(userIds)) {
    const member = await reads.findGroupMember(groupId, userId);
    if (member !== undefined && !member.quit) members.push(member);
  }
  return members;
}
