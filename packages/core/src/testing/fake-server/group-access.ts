import { Cmd, GroupRole, MessageType } from "@parley/protocol/codes";
import { type GroupAction, checkGroupAction } from "@parley/protocol/group-rights";
import type { GroupMessageRow, GroupRow, MemberRow } from "./group-rows.ts";
import { findGroup, groupVOFor, membersIn, findMember } from "./group-tables.ts";
import type { HandlerDeps } from "./handlers.ts";
import { ApiError } from "./api-error.ts";
import type { Actor } from "./fake-gateway.ts";
import { areFriends, type Tables } from "./tables.ts";

/** A change of a group, to be pushed to its members. */
export interface GroupUpdate {
  groupId: number;
  tips?: readonly GroupMessageRow[];
  /** The members to push the group to; without it, all members. */
  readers?: readonly number[];
  /** The client that gets the group with its answer, so that it is pushed only to the user's other clients. */
  actor?: Actor;
}

/** Pushes changes of groups to their members. */
export interface GroupNotifier {
  /** Sends push 90 with the current group, then its tips. */
  notifyChanged(update: GroupUpdate): void;
  /** Sends push 91. */
  notifyLeft(groupId: number, userIds: readonly number[]): void;
}

/** Creates the notifier. */
export function createGroupNotifier({ tables, gateway, hasFault }: HandlerDeps): GroupNotifier {
  const frame = (data: object) => ({ cmd: Cmd.GROUP, data });
  return {
    notifyChanged({ groupId, tips = [], readers, actor }) {
      const members = membersIn(tables, groupId);
      for (const member of members) {
        if (readers?.includes(member.userId) === false) continue;
        const groupPush = groupPushFor(tables, member);
        if (actor?.userId === member.userId) gateway.toOwnOthers(actor, frame(groupPush));
        else if (!hasFault("groupChangeNotPushed")) gateway.toUser(member.userId, frame(groupPush));
      }
      for (const tip of tips) {
        const readers = tip.onlyFor === null ? members.map(({ userId }) => userId) : [tip.onlyFor];
        for (const userId of readers) gateway.toUser(userId, frame(groupMessageFor(tip)));
      }
    },
    notifyLeft(groupId, userIds) {
      if (hasFault("groupLeaveNotPushed")) return;
      for (const userId of userIds)
        gateway.toUser(userId, frame({ type: MessageType.GROUP_LEFT, groupId, content: "" }));
    },
  };
}

/** Push 90 for one member. */
export function groupPushFor(tables: Tables, member: MemberRow): object {
  const group = findGroup(tables, member.groupId);
  if (group === undefined) throw new Error(`no group ${member.groupId}`);
  const content = JSON.stringify(groupVOFor(tables, group, member));
  return { type: MessageType.GROUP_NEW, groupId: group.id, content };
}

function groupMessageFor({ onlyFor: _onlyFor, ...row }: GroupMessageRow): object {
  return row;
}

/** Throws the error of an action that a member may not do. Returns the member. Strangers are answered as if there were no such group. */
export function authorizeGroupAction(
  action: GroupAction,
  group: GroupRow,
  me: MemberRow | undefined,
  target?: MemberRow,
): MemberRow {
  if (me === undefined) throw new ApiError("group.notFound");
  const state = { ...group, isBanned: group.banReason !== null, dissolve: group.isDissolved };
  const permission = checkGroupAction(action, me, state, target ?? { role: GroupRole.MEMBER });
  switch (permission) {
    case "ok":
      return me;
    case "dissolved":
      throw new ApiError("group.dissolved");
    case "banned":
      throw new ApiError("group.banned");
    case "notMember":
      throw new ApiError("group.notMember");
    case "ownerStays":
      throw new ApiError(action === "quit" ? "group.ownerMayNotQuit" : "group.ownerStays");
    default:
      throw new ApiError("group.noRight");
  }
}

/** The group; throws when it does not exist. */
export function requireGroup(tables: Tables, id: number): GroupRow {
  const group = findGroup(tables, id);
  if (group === undefined) throw new ApiError("group.notFound");
  return group;
}

/** A group and the acting member. */
export interface Membership {
  group: GroupRow;
  me: MemberRow;
}

/** The group and the acting member; throws when the member may not do the action. */
export function requireMembership(
  tables: Tables,
  groupId: number,
  userId: number,
  action: GroupAction,
): Membership {
  const group = requireGroup(tables, groupId);
  const me = authorizeGroupAction(action, group, findMember(tables, groupId, userId));
  return { group, me };
}

/** The users to invite, each once and without the inviter; throws unless all are friends. */
export function invitees(tables: Tables, userId: number, ids: readonly number[]): number[] {
  const others = [...new Set(ids)].filter((id) => id !== userId);
  if (!others.every((id) => areFriends(tables, userId, id))) throw new ApiError("group.notFriends");
  return others;
}
