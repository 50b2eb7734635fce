/** Who may do what in a group. The table of rights is in the protocol; this turns its results into errors. */
import {
  type GroupAction,
  type GroupMembership,
  type GroupTarget,
  SPEAKING_ACTIONS,
  checkGroupAction,
} from "@parley/protocol/group-rights";
import { ApiError } from "../api/api-error.ts";
import type { GroupRow } from "../ports/group-store.ts";
import { groupState } from "../presenters/group-presenter.ts";

/**
 * Throws unless the table of rights allows the action to this member. Returns the member. For somebody who was never in it, the group does not exist.
 */
export function authorize<Member extends GroupMembership>(
  action: GroupAction,
  group: GroupRow,
  me: Member | undefined,
  target?: GroupTarget,
): Member {
  if (me === undefined) throw new ApiError("group.notFound");
  const result = checkGroupAction(action, me, groupState(group), target);
  if (result === "ok") return me;
  switch (result) {
    case "dissolved":
      throw dissolvedError(group);
    case "banned":
      throw bannedError(group);
    case "allMuted":
      throw new ApiError("message.allMuted");
    case "muted":
      throw new ApiError("message.muted");
    case "notMember":
      throw new ApiError(SPEAKING_ACTIONS.has(action) ? "message.notInGroup" : "group.notMember");
    case "ownerStays":
      throw new ApiError(action === "quit" ? "group.ownerMayNotQuit" : "group.ownerStays");
    case "noRight":
      throw new ApiError("group.noRight");
    default:
      return result satisfies never;
  }
}

/** Throws if the group is dissolved or banned, for people who are no members of it. */
export function requireOpenGroup(group: GroupRow): void {
  if (group.dissolvedAt !== null) throw dissolvedError(group);
  if (group.banReason !== null) throw bannedError(group);
}

function dissolvedError({ name }: GroupRow): ApiError {
  return new ApiError("group.dissolved", { name });
}

function bannedError({ name, banReason }: GroupRow): ApiError {
  return new ApiError("group.banned", { name, reason: banReason ?? "" });
}
