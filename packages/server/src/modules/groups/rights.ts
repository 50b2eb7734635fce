/** Who acts in which group, and whether they may. */
import { GroupRole } from "@parley/protocol/codes";
import { type GroupAction, type GroupTarget, judgeGroupAction } from "@parley/protocol/group-rights";
import { Refusal } from "../../ports/call.ts";
import type { GroupMemberRow, GroupRow } from "../../ports/groups.ts";
import type { Reads } from "../../ports/store.ts";
import { groupState } from "../../rules/groups.ts";

/** Somebody who is in a group and may do what they are about to. */
export interface Standing {
  group: GroupRow;
  me: GroupMemberRow;
}

export async function findExisting(reads: Reads, groupId: number): Promise<GroupRow> {
  const group = await reads.findGroup(groupId);
  if (group === undefined) throw new Refusal("group.notFound");
  return group;
}

const ANY_MEMBER: GroupTarget = { role: GroupRole.MEMBER };

/** Refuses unless this person may do it, if need be to an ordinary member, by the one table of rights. */
export async function findStanding(
  reads: Reads,
  groupId: number,
  userId: number,
  action: GroupAction,
): Promise<Standing> {
  const group = await findExisting(reads, groupId);
  const me = await reads.findGroupMember(groupId, userId);
  refuseUnlessMay(action, group, me, ANY_MEMBER);
  if (me === undefined) throw new Refusal("group.notMember");
  return { group, me };
}

export function refuseUnlessMay(
  action: GroupAction,
  group: GroupRow,
  me: GroupMemberRow | undefined,
  target?: GroupTarget,
): void {
  const verdict = judgeGroupAction(action, me, groupState(group), target);
  switch (verdict) {
    case "ok":
      return;
    case "dissolved":
      throw new Refusal("group.dissolved", { name: group.name });
    case "banned":
      throw new Refusal("group.banned", { name: group.name, reason: group.banReason ?? "" });
    case "notMember":
      throw new Refusal("group.notMember");
    case "ownerStays":
      throw new Refusal(action === "quit" ? "group.ownerMayNotQuit" : "group.ownerStays");
    case "noRight":
    // Mutes keep people from speaking alone, and nobody speaks through this module.
    case "allMuted":
    case "muted":
      throw new Refusal("group.noRight");
  }
}

/** Those of these people who are in the group, each once, in the order of asking. */
export async function findMembers(
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
