/** Finds the acting member of a group and checks whether the action is allowed. */
import { GroupRole } from "@parley/protocol/codes";
import type { GroupAction, GroupTarget } from "@parley/protocol/group-rights";
import { ApiError } from "../../api/api-error.ts";
import type { GroupMemberRow, GroupRow } from "../../ports/group-store.ts";
import { authorize } from "../../access/group-access.ts";
import type { GroupsReads } from "./groups-store.ts";

/** A group, and a current member who may do what they are about to do. */
export interface Membership {
  group: GroupRow;
  me: GroupMemberRow;
}

/** Finds a group, or throws. */
export async function requireGroup(reads: GroupsReads, groupId: number): Promise<GroupRow> {
  const group = await reads.findGroup(groupId);
  if (group === undefined) throw new ApiError("group.notFound");
  return group;
}

const ANY_MEMBER: GroupTarget = { role: GroupRole.MEMBER };

/** Throws unless the table of rights allows the action to this person, with an ordinary member as its target if it needs one. */
export async function authorizeMember(
  reads: GroupsReads,
  groupId: number,
  userId: number,
  action: GroupAction,
): Promise<Membership> {
  const group = await requireGroup(reads, groupId);
  const me = await reads.findGroupMember(groupId, userId);
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
