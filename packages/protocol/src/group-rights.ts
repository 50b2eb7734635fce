/** Who may do what in a group. The server enforces these rules, and clients show actions by them (spec §6, protocol §4). */
import { GroupRole } from "./codes.ts";

/** What a member can do in a group. */
export const GROUP_ACTIONS = [
  "speak",
  "edit",
  "recallOwn",
  /** Recall a message of another member, at any time. */
  "recallOthers",
  "mentionAll",
  "askReceipt",
  "react",
  /** Pin messages, and unpin them. */
  "pin",
  /** Vote in polls, and end one's own. */
  "vote",
  /** End the polls of others. */
  "closePoll",
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

/** The membership of the acting person. */
export interface GroupMembership {
  readonly role: GroupRole;
  readonly isMuted: boolean;
  /** Whether the person has left or was removed. */
  readonly quit: boolean;
}

/** The settings of a group that decide about rights. */
export interface GroupState {
  readonly isAllMuted: boolean;
  /** 1 everyone, 2 admins. */
  readonly inviteRole: number;
  readonly editRole: number;
  readonly attrRole: number;
  readonly isBanned: boolean;
  readonly dissolve: boolean;
}

/** The member to whom an action is done. */
export interface GroupTarget {
  readonly role: GroupRole;
}

/** `ok`, or why the action is not allowed. */
export type GroupActionResult =
  | "ok"
  /** Nothing can be done in a dissolved group. */
  | "dissolved"
  | "banned"
  | "notMember"
  | "allMuted"
  | "muted"
  /** The person's role is too low, or that of the target is too high. */
  | "noRight"
  /** An owner cannot leave or be removed, only transfer or dissolve the group. */
  | "ownerStays";

/** What a member of a banned group may still do. */
const ALLOWED_IN_BANNED_GROUP: ReadonlySet<GroupAction> = new Set(["quit", "setOwnRemarks", "dissolve"]);
/** What members do with messages. Muted members may do none of it. */
export const SPEAKING_ACTIONS: ReadonlySet<GroupAction> = new Set([
  "speak",
  "edit",
  "recallOwn",
  "recallOthers",
  "mentionAll",
  "askReceipt",
]);
/** What members do to messages. It is welcome where only the leaders write, but not from somebody who is muted. */
const ACTIONS_OF_UNMUTED: ReadonlySet<GroupAction> = new Set(["react", "pin", "vote", "closePoll"]);

/** Whether a person may do something in a group; undefined `me` is no member. */
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
    // Both kinds of mute apply to everybody except the owner.
    if (me.role !== GroupRole.OWNER && group.isAllMuted) return "allMuted";
    if (me.role !== GroupRole.OWNER && me.isMuted) return "muted";
  }
  if (ACTIONS_OF_UNMUTED.has(action) && me.role !== GroupRole.OWNER && me.isMuted) return "muted";
  return checkRole(action, me.role, group, target);
}

function checkRole(
  action: GroupAction,
  role: GroupRole,
  group: GroupState,
  target: GroupTarget | undefined,
): GroupActionResult {
  const isLeader = role === GroupRole.OWNER || role === GroupRole.ADMIN;
  const allowIf = (isAllowed: boolean): GroupActionResult => (isAllowed ? "ok" : "noRight");
  const bySetting = (setting: number) => allowIf(setting === 1 || isLeader);
  switch (action) {
    case "speak":
    case "edit":
    case "recallOwn":
    case "askReceipt":
    case "react":
    case "vote":
    case "setOwnRemarks":
      return "ok";
    case "mentionAll":
    case "handleRequests":
    case "muteAll":
    case "closePoll":
      return allowIf(isLeader);
    case "invite":
      return bySetting(group.inviteRole);
    case "editInfo":
    // What is pinned shows at the top of the group for all its members, as its notice does.
    case "pin":
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
