/** Finds the acting member of a group and checks whether the action is allowed. */
import { GroupRole } from "@parley/protocol/codes";
import { type GroupAction, type GroupTarget, checkGroupAction } from "@parley/protocol/group-rights";
import { ApiError } from "../../ports/call.ts";
import type { GroupMemberRow, GroupRow } from "../../ports/group-store.ts";
import type { Reads } from "../../ports/store.ts";
import { groupState } from "../../presenters/group-presenter.ts";

/** A group, and a current member who may do what they are about to do. */
export interface Membership {
  group: GroupRow;
  me: GroupMemberRow;
}

/** Finds a group, or throws. */
export async function requireGroup(reads: Reads, groupId: number): Promise<GroupRow> {
  const group = await reads.findGroup(groupId);
  if (group === undefined) throw new ApiError("group.notFound");
  return group;
}

const ANY_MEMBER: GroupTarget = { role: GroupRole.MEMBER };

/** Throws unless the table of rights allows the action to this person, with an ordinary member as its target if it needs one. */
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

/** Throws unless the table of rights allows the action. */
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
    // Mutes only forbid sending, and no action of this module sends a message.
    case "allMuted":
    case "muted":
      throw new ApiError("group.noRight");
  }
}

/** Those of these people who are current members, each once, in the given order. */
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
