import { Cmd, GroupRole, MessageType } from "@parley/protocol/codes";
import { type GroupAction, judgeGroupAction } from "@parley/protocol/group-rights";
import type { GroupMessageRow, GroupRow, MemberRow } from "./group-rows.ts";
import { groupRow, groupVO, membersIn, memberRow } from "./group-tables.ts";
import type { HandlerDeps } from "./handlers.ts";
import { Refused } from "./refused.ts";
import type { Actor } from "./sockets.ts";
import { areFriends, type Tables } from "./tables.ts";

/** What a write has done to a group, for those who are to hear of it. */
export interface GroupNews {
  groupId: number;
  tips?: readonly GroupMessageRow[];
  /** These alone are shown the group anew; left out: everybody in it. */
  concerns?: readonly number[];
  /** Answered already. */
  answered?: Actor;
}

/** Who hears what of a group. */
export interface GroupVoice {
  /** 90 with the group as it stands, then its tips. */
  changed(news: GroupNews): void;
  /** 91. */
  left(groupId: number, userIds: readonly number[]): void;
}

export function createVoice({ tables, gateway, hasFault }: HandlerDeps): GroupVoice {
  const frame = (data: object) => ({ cmd: Cmd.GROUP, data });
  return {
    changed({ groupId, tips = [], concerns, answered }) {
      const members = membersIn(tables, groupId);
      for (const member of members) {
        if (concerns?.includes(member.userId) === false) continue;
        const shown = showing(tables, member);
        if (answered?.userId === member.userId) gateway.toOwnOthers(answered, frame(shown));
        else if (!hasFault("groupNotTold")) gateway.toUser(member.userId, frame(shown));
      }
      for (const tip of tips) {
        const readers = tip.onlyFor === null ? members.map(({ userId }) => userId) : [tip.onlyFor];
        for (const userId of readers) gateway.toUser(userId, frame(groupMessageFor(tip)));
      }
    },
    left(groupId, userIds) {
      if (hasFault("groupLeftNotTold")) return;
      for (const userId of userIds)
        gateway.toUser(userId, frame({ type: MessageType.GROUP_LEFT, groupId, content: "" }));
    },
  };
}

/** 90. */
export function showing(tables: Tables, member: MemberRow): object {
  const group = groupRow(tables, member.groupId);
  if (group === undefined) throw new Error(`no group ${member.groupId}`);
  const content = JSON.stringify(groupVO(tables, group, member));
  return { type: MessageType.GROUP_NEW, groupId: group.id, content };
}

function groupMessageFor({ onlyFor: _onlyFor, ...row }: GroupMessageRow): object {
  return row;
}

export function refuseUnlessMay(
  action: GroupAction,
  group: GroupRow,
  me: MemberRow | undefined,
  target?: MemberRow,
): void {
  const state = { ...group, isBanned: group.banReason !== null, dissolve: group.isDissolved };
  const verdict = judgeGroupAction(action, me, state, target ?? { role: GroupRole.MEMBER });
  switch (verdict) {
    case "ok":
      return;
    case "dissolved":
      throw new Refused("group.dissolved");
    case "banned":
      throw new Refused("group.banned");
    case "notMember":
      throw new Refused("group.notMember");
    case "ownerStays":
      throw new Refused(action === "quit" ? "group.ownerMayNotQuit" : "group.ownerStays");
    default:
      throw new Refused("group.noRight");
  }
}

export function existing(tables: Tables, id: number): GroupRow {
  const group = groupRow(tables, id);
  if (group === undefined) throw new Refused("group.notFound");
  return group;
}

export interface Standing {
  group: GroupRow;
  me: MemberRow;
}

export function standing(tables: Tables, groupId: number, userId: number, action: GroupAction): Standing {
  const group = existing(tables, groupId);
  const me = memberRow(tables, groupId, userId);
  refuseUnlessMay(action, group, me);
  if (me === undefined) throw new Refused("group.notMember");
  return { group, me };
}

/** Friends on both sides, each once, without oneself. */
export function invitees(tables: Tables, userId: number, ids: readonly number[]): number[] {
  const others = [...new Set(ids)].filter((id) => id !== userId);
  if (!others.every((id) => areFriends(tables, userId, id))) throw new Refused("group.notFriends");
  return others;
}
