/** Who acts in which group, and whether they may. */
import { GroupRole } from "@parley/protocol/codes";
import { type GroupAction, type GroupTarget, checkGroupAction } from "@parley/protocol/group-rights";
import { ApiError } from "../../ports/call.ts";
import type { GroupMemberRow, GroupRow } from "../../ports/group-store.ts";
import type { Reads } from "../../ports/store.ts";
import { groupState } from "../../presenters/group-presenter.ts";

/** Somebody who is in a group and may do what they are about to. */
export interface Membership {
  group: GroupRow;
  me: GroupMemberRow;
}

export async function requireGroup(reads: Reads, groupId: number): Promise<GroupRow> {
  const group = await reads.findGroup(groupId);
  if (group === undefined) throw new ApiError("group.notFound");
  return group;
}

const ANY_MEMBER: GroupTarget = { role: GroupRole.MEMBER };

/** Refuses unless this person may do it, if need be to an ordinary member, by the one table of rights. */
export async function authorizeMember(
  reads: Reads,
  groupId: number,
  userId: number,
  action: GroupAction,
): Promise<Membership> {
  const group = await requireGroup(reads, groupId);
  const me = await reads.findGroupMember(groupId, userId);
  authorize(action, group, me, ANY_MEMBER);
  if (me === undefined) throw new ApiError("group.notMember");
  return { group, me };
}

export function authorize(
  action: GroupAction,
  group: GroupRow,
  me: GroupMemberRow | undefined,
  target?: GroupTarget,
): void {
  const result = checkGroupAction(action, me, groupState(group), target);
  switch (result) {
    case "ok":
      return;
    case "dissolved":
      throw new ApiError("group.dissolved", { name: group.name });
    case "banned":
      throw new ApiError("group.banned", { name: group.name, reason: group.banReason ?? "" });
    case "notMember":
      throw new ApiError("group.notMember");
    case "ownerStays":
      throw new ApiError(action === "quit" ? "group.ownerMayNotQuit" : "group.ownerStays");
    case "noRight":
    // Mutes keep people from speaking alone, and nobody speaks through this module.
    case "allMuted":
    case "muted":
      throw new ApiError("group.noRight");
  }
}

/** Those of these people who are in the group, each once, in the order of asking. */
export async function findCurrentMembers(
  reads: Reads,
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
