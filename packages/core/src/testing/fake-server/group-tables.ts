import { GroupRole, JoinMode, MessageStatus, MessageType } from "@parley/protocol/codes";
import type { GroupMemberVO, GroupRequestVO, GroupVO } from "@parley/protocol/entities";
import type { GroupMessage, Tip } from "@parley/protocol/message";
import { type TipKey, nameParams } from "@parley/protocol/tips";
import type {
  GroupMessageRow,
  GroupRequestRow,
  GroupRow,
  MemberRow,
  MembershipPeriodRow,
} from "./group-rows.ts";
import { type Tables, userOf } from "./tables.ts";

/** The group with this id. */
export function findGroup(tables: Tables, id: number): GroupRow | undefined {
  return tables.groups.groups.find((row) => row.id === id);
}

/** The row of a current or former member. */
export function findMember(tables: Tables, groupId: number, userId: number): MemberRow | undefined {
  return tables.groups.members.find((row) => row.groupId === groupId && row.userId === userId);
}

/** The current members of a group. */
export function membersIn(tables: Tables, groupId: number): MemberRow[] {
  return tables.groups.members.filter((row) => row.groupId === groupId && !row.quit);
}

/** The person, and the current and former members who were in the group at the same time. */
export function membersSeenBy(tables: Tables, groupId: number, userId: number): MemberRow[] {
  const staysOf = (id: number) =>
    tables.groups.stays.filter((stay) => stay.groupId === groupId && stay.userId === id);
  const own = staysOf(userId);
  const wasThere = (other: MembershipPeriodRow) =>
    own.some((mine) => mine.fromId < (other.toId ?? Infinity) && other.fromId < (mine.toId ?? Infinity));
  return tables.groups.members.filter(
    (row) => row.groupId === groupId && (row.userId === userId || staysOf(row.userId).some(wasThere)),
  );
}

/** The highest message id of all groups. */
export function newestGroupId(tables: Tables): number {
  return tables.groups.messages.at(-1)?.id ?? 0;
}

/** Adds a member, or lets one rejoin with the old remarks and mute. The member sees messages from now on. */
export function joinGroup(tables: Tables, groupId: number, userId: number, role: GroupRole): MemberRow {
  let row = findMember(tables, groupId, userId);
  if (row?.quit === false) return row;
  const { members, stays } = tables.groups;
  if (row === undefined) {
    row = {
      groupId,
      userId,
      role,
      isMuted: false,
      remarkNickName: null,
      remarkGroupName: null,
      isTop: false,
      msgRemind: 0,
      msgRemindUntil: null,
      quit: false,
      wasRemoved: false,
    };
    members.push(row);
  }
  Object.assign(row, { role, quit: false, wasRemoved: false });
  stays.push({ groupId, userId, fromId: newestGroupId(tables), toId: null });
  return row;
}

/** Ends a membership. */
export function leaveGroup(tables: Tables, groupId: number, userId: number, wasRemoved = false): void {
  const row = findMember(tables, groupId, userId);
  if (row !== undefined) Object.assign(row, { quit: true, wasRemoved, role: GroupRole.MEMBER });
  for (const stay of tables.groups.stays)
    if (stay.groupId === groupId && stay.userId === userId) stay.toId ??= newestGroupId(tables);
}

/** Whether a row was written while a user was a member, and is not meant for another user only. */
export function isInMembershipPeriod(tables: Tables, row: GroupMessageRow, userId: number): boolean {
  if (row.onlyFor !== null && row.onlyFor !== userId) return false;
  return tables.groups.stays.some(
    (stay) =>
      stay.groupId === row.groupId &&
      stay.userId === userId &&
      row.id > stay.fromId &&
      (stay.toId === null || row.id <= stay.toId),
  );
}

/** What a new group message is created from. */
export type NewGroupMessage = Pick<GroupMessage, "groupId" | "sendId" | "type" | "content" | "tmpId"> &
  Partial<Pick<GroupMessage, "atUserIds" | "receipt">> & { tip?: Tip; onlyFor?: number };

/** Stores a message with the next id. */
export function appendGroupMessage(tables: Tables, message: NewGroupMessage): GroupMessageRow {
  const { groupId, sendId, tip = null, onlyFor = null, ...rest } = message;
  const row: GroupMessageRow = {
    atUserIds: [],
    receipt: false,
    ...rest,
    groupId,
    sendId,
    tip,
    onlyFor,
    id: newestGroupId(tables) + 1,
    sendNickName: nameInGroup(tables, groupId, sendId),
    sendRole: findMember(tables, groupId, sendId)?.role ?? GroupRole.MEMBER,
    sendTime: Math.max(tables.now(), tables.groups.messages.at(-1)?.sendTime ?? 0),
    status: MessageStatus.SENDED,
    quoteMessage: null,
    isEdited: false,
    editedAt: null,
    act: null,
    receiptOk: false,
    readedCount: 0,
  };
  tables.groups.messages.push(row);
  return row;
}

/** Stores a tip about the group among its messages. */
export function appendTip(
  tables: Tables,
  groupId: number,
  sendId: number,
  key: TipKey,
  { names = [], onlyFor }: { names?: readonly number[]; onlyFor?: number } = {},
): GroupMessageRow {
  const nameOf = (userId: number) => nameInGroup(tables, groupId, userId);
  const people = names.map((id) => ({ id, name: nameOf(id) }));
  return appendGroupMessage(tables, {
    groupId,
    sendId,
    type: MessageType.TIP_TEXT,
    content: key,
    tmpId: null,
    tip: { key, params: { name: nameOf(sendId), ...(names.length > 0 && nameParams(people)) } },
    ...(onlyFor !== undefined && { onlyFor }),
  });
}

/** The name that a user has in a group. */
export function nameInGroup(tables: Tables, groupId: number, userId: number): string {
  return findMember(tables, groupId, userId)?.remarkNickName || userOf(tables, userId).nickName;
}

/** How a person comes into a group. A person whom a moderator has removed needs approval. */
export function joinModeFor(group: GroupRow, member: MemberRow | undefined): JoinMode {
  return group.joinMode === JoinMode.FREE && member?.wasRemoved === true ? JoinMode.APPROVAL : group.joinMode;
}

/** A group as a current or former member sees it. */
export function groupVOFor(tables: Tables, group: GroupRow, member: MemberRow): GroupVO {
  const { id, name, ownerId, isAllMuted, inviteRole, editRole, attrRole } = group;
  const { role, isMuted, isTop, msgRemind, msgRemindUntil, remarkGroupName, remarkNickName, quit } = member;
  return {
    id,
    name,
    headImage: null,
    headImageThumb: null,
    membersCount: membersIn(tables, id).length,
    ownerId,
    notice: quit ? null : group.notice,
    remarkGroupName,
    showGroupName: remarkGroupName || name,
    remarkNickName,
    showNickName: nameInGroup(tables, id, member.userId),
    role,
    isAllMuted,
    isMuted,
    inviteRole,
    editRole,
    attrRole,
    joinMode: joinModeFor(group, member),
    joinApproval: group.joinMode !== JoinMode.FREE,
    isFindable: group.isFindable,
    attributes: quit ? {} : group.attributes,
    isTop,
    msgRemind,
    msgRemindUntil,
    isDnd: msgRemind === 2,
    isBanned: group.banReason !== null,
    reason: group.banReason,
    dissolve: group.isDissolved,
    quit,
    wasRemoved: member.wasRemoved,
    stayFrom:
      tables.groups.stays.findLast((stay) => stay.groupId === id && stay.userId === member.userId)?.fromId ??
      0,
    rtcInfo: null,
  };
}

/** A member as other members see it. */
export function memberVOFor(tables: Tables, member: MemberRow, online: boolean): GroupMemberVO {
  const { groupId, userId, remarkNickName, role, isMuted, quit } = member;
  const showNickName = nameInGroup(tables, groupId, userId);
  return { userId, showNickName, remarkNickName, headImage: null, online, role, isMuted, quit };
}

/** A request to join, as it is sent to clients. */
export function groupRequestVOFor(tables: Tables, request: GroupRequestRow): GroupRequestVO {
  const { groupId, sendId, inviterId } = request;
  return {
    ...request,
    groupName: findGroup(tables, groupId)?.name ?? "",
    groupHeadImage: null,
    sendNickName: userOf(tables, sendId).nickName,
    sendHeadImage: null,
    inviterNickName: inviterId === null ? null : userOf(tables, inviterId).nickName,
  };
}
