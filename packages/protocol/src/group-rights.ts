/** Who may do what in a group: the one table that the server obeys and a client shows (spec §6, protocol §4). */
import { GroupRole } from "./codes.ts";

export const GROUP_ACTIONS = [
  "speak",
  "edit",
  "recallOwn",
  /** A message of an ordinary member, at any time. */
  "recallOthers",
  "mentionAll",
  "askReceipt",
  "invite",
  "editInfo",
  "editAttributes",
  "setOwnRemarks",
  "changeSettings",
  "handleRequests",
  "mute",
  "muteAll",
  "remove",
  "manageAdmins",
  "transfer",
  "quit",
  "dissolve",
] as const;
export type GroupAction = (typeof GROUP_ACTIONS)[number];

/** The acting person in the group. */
export interface GroupMembership {
  readonly role: GroupRole;
  readonly isMuted: boolean;
  /** Has left, or was removed. */
  readonly quit: boolean;
}

export interface GroupState {
  readonly isAllMuted: boolean;
  /** 1 everyone, 2 admins. */
  readonly inviteRole: number;
  readonly editRole: number;
  readonly attrRole: number;
  readonly isBanned: boolean;
  readonly dissolve: boolean;
}

/** `target`: whom it is done to, for the actions on a member. */
export interface GroupTarget {
  readonly role: GroupRole;
}

export type GroupActionResult =
  | "ok"
  /** Nobody does anything there any more. */
  | "dissolved"
  | "banned"
  | "notMember"
  | "allMuted"
  | "muted"
  /** The role is not enough, or the target stands too high. */
  | "noRight"
  /** An owner hands the group over or dissolves it. */
  | "ownerStays";

/** What a group under a ban or a global mute leaves to a member. */
const ALLOWED_IN_BANNED_GROUP: ReadonlySet<GroupAction> = new Set(["quit", "setOwnRemarks", "dissolve"]);
const SPEAKING_ACTIONS: ReadonlySet<GroupAction> = new Set([
  "speak",
  "edit",
  "recallOwn",
  "recallOthers",
  "mentionAll",
  "askReceipt",
]);

export function checkGroupAction(
  action: GroupAction,
  me: GroupMembership | undefined,
  group: GroupState,
  target?: GroupTarget,
): GroupActionResult {
  if (group.dissolve) return "dissolved";
  if (me === undefined || me.quit) return "notMember";
  if (group.isBanned && !ALLOWED_IN_BANNED_GROUP.has(action)) return "banned";
  if (SPEAKING_ACTIONS.has(action)) {
    // The owner is never silenced; everybody else is by either mute.
    if (me.role !== GroupRole.OWNER && group.isAllMuted) return "allMuted";
    if (me.role !== GroupRole.OWNER && me.isMuted) return "muted";
  }
  return checkRole(action, me.role, group, target);
}

function checkRole(
  action: GroupAction,
  role: GroupRole,
  group: GroupState,
  target: GroupTarget | undefined,
): GroupActionResult {
  const isLeader = role === GroupRole.OWNER || role === GroupRole.ADMIN;
  const allowIf = (may: boolean): GroupActionResult => (may ? "ok" : "noRight");
  const bySetting = (setting: number) => allowIf(setting === 1 || isLeader);
  switch (action) {
    case "speak":
    case "edit":
    case "recallOwn":
    case "askReceipt":
    case "setOwnRemarks":
      return "ok";
    case "mentionAll":
    case "handleRequests":
    case "muteAll":
      return allowIf(isLeader);
    case "invite":
      return bySetting(group.inviteRole);
    case "editInfo":
      return bySetting(group.editRole);
    case "editAttributes":
      return bySetting(group.attrRole);
    case "changeSettings":
    case "manageAdmins":
    case "transfer":
    case "dissolve":
      return allowIf(role === GroupRole.OWNER);
    case "mute":
      if (target?.role === GroupRole.OWNER) return "noRight";
      return allowIf(isLeader);
    case "recallOthers":
    case "remove":
      if (action === "remove" && isLeader && target?.role === GroupRole.OWNER) return "ownerStays";
      return allowIf(role === GroupRole.OWNER || (isLeader && target?.role === GroupRole.MEMBER));
    case "quit":
      return role === GroupRole.OWNER ? "ownerStays" : "ok";
    default:
      return action satisfies never;
  }
}
