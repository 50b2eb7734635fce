/** Groups, their members and their messages as one reader sees them. */
import { mutedLevel } from "@parley/protocol/alert-level";
import { ChatType, JoinMode, MessageStatus } from "@parley/protocol/codes";
import type { GroupCard, GroupMemberVO, GroupRequestVO, GroupVO } from "@parley/protocol/entities";
import type { GroupState } from "@parley/protocol/group-rights";
import { GROUP_MEMBERS_MAX, LARGE_GROUP_MEMBERS_MAX } from "@parley/protocol/limits";
import type { GroupMessage } from "@parley/protocol/message";
import type { Language } from "../api/language.ts";
import type { UserRow } from "../ports/account-store.ts";
import type { GroupMessageRow } from "../ports/group-message-store.ts";
import type { GroupMemberRow, GroupRequestRow, GroupRow } from "../ports/group-store.ts";
import { quoteMessage } from "./message-presenter.ts";
import { smallPicture } from "./small-picture.ts";

type Group = Omit<GroupRow, "createdAt">;

type Member = Omit<GroupMemberRow, "groupId" | "joinedAt">;

type Person = Pick<UserRow, "id" | "nickName" | "headImage" | "headImageThumb">;

type PresentedMessage = Omit<GroupMessageRow, "onlyFor" | "receivedAt"> &
  Partial<Pick<GroupMessageRow, "receivedAt">>;

/** The part of a group that the table of rights needs. */
export function groupState(group: Group): GroupState {
  return {
    isAllMuted: group.isAllMuted,
    inviteRole: group.inviteRole,
    editRole: group.editRole,
    attrRole: group.attrRole,
    isBanned: group.banReason !== null,
    dissolve: group.dissolvedAt !== null,
  };
}

/** The maximum number of members of a group. */
export function membersMax(group: { isLarge: boolean }): number {
  return group.isLarge ? LARGE_GROUP_MEMBERS_MAX : GROUP_MEMBERS_MAX;
}

/** The name of a member in the group. */
export function nameInGroup(member: { remarkNickName: string | null }, person: { nickName: string }): string {
  return member.remarkNickName || person.nickName;
}

/** How a person comes into the group. A person whom a moderator has removed never comes back without approval. */
export function joinModeFor(
  group: Pick<Group, "joinMode">,
  member: Pick<Member, "wasRemoved"> | undefined,
): JoinMode {
  return group.joinMode === JoinMode.FREE && member?.wasRemoved === true ? JoinMode.APPROVAL : group.joinMode;
}

/** What people outside may see of a group that can be found. Only those who are or were in it learn how many people it has. */
export function groupCard(group: Group, member?: Pick<Member, "wasRemoved">, membersCount = 0): GroupCard {
  const { id, name, headImage, headImageThumb } = group;
  return { id, name, headImage, headImageThumb, membersCount, joinMode: joinModeFor(group, member) };
}

/** A group as a current or former member sees it. Former members see its name, but nothing that is meant for members. */
export function groupVO(
  group: Group,
  member: Member,
  person: { nickName: string },
  membersCount: number,
  hasCall = false,
): GroupVO {
  return {
    ...groupCard(group, member, membersCount),
    ownerId: group.ownerId,
    notice: member.quit ? null : group.notice,
    remarkGroupName: member.remarkGroupName,
    showGroupName: member.remarkGroupName || group.name,
    remarkNickName: member.remarkNickName,
    showNickName: nameInGroup(member, person),
    role: member.role,
    isAllMuted: group.isAllMuted,
    isMuted: member.isMuted,
    inviteRole: group.inviteRole,
    editRole: group.editRole,
    attrRole: group.attrRole,
    joinApproval: group.joinMode !== JoinMode.FREE,
    isFindable: group.isFindable,
    attributes: member.quit ? {} : group.attributes,
    isTop: member.isTop,
    msgRemind: member.msgRemind,
    msgRemindUntil: member.msgRemindUntil,
    isDnd: member.msgRemind === mutedLevel(ChatType.GROUP),
    isBanned: group.banReason !== null,
    reason: group.banReason,
    dissolve: group.dissolvedAt !== null,
    quit: member.quit,
    wasRemoved: member.wasRemoved,
    stayFrom: member.stayFrom,
    maxMembers: membersMax(group),
    // The people in a call change often, so clients ask for them.
    rtcInfo: hasCall && !member.quit ? { isChating: true } : null,
  };
}

/** A member as other members see them. */
export function groupMemberVO(member: Member, person: Person, online: boolean): GroupMemberVO {
  return {
    userId: member.userId,
    showNickName: nameInGroup(member, person),
    remarkNickName: member.remarkNickName,
    headImage: smallPicture(person),
    online,
    role: member.role,
    isMuted: member.isMuted,
    quit: member.quit,
  };
}

/** A request to join a group. */
export function groupRequestVO(
  request: GroupRequestRow,
  group: Group,
  person: Person,
  inviter: Person | undefined,
): GroupRequestVO {
  return {
    id: request.id,
    groupId: request.groupId,
    groupName: group.name,
    groupHeadImage: smallPicture(group),
    sendId: request.sendId,
    sendNickName: person.nickName,
    sendHeadImage: smallPicture(person),
    inviterId: request.inviterId,
    inviterNickName: inviter?.nickName ?? null,
    remark: request.remark,
    status: request.status,
    applyTime: request.applyTime,
  };
}

/** The part of a message that depends on its reader and on who has read it. */
export interface ReadState {
  /** The status, unless the row is recalled. */
  status: MessageStatus;
  receiptOk: boolean;
  readedCount: number;
}

const UNREAD: ReadState = { status: MessageStatus.SENDED, receiptOk: false, readedCount: 0 };

/** A group message as one reader sees it, in the reader's language. */
export function groupMessage(
  row: PresentedMessage,
  language: Language,
  readState: ReadState = UNREAD,
): GroupMessage {
  return {
    id: row.id,
    tmpId: row.tmpId,
    type: row.type,
    groupId: row.groupId,
    sendId: row.sendId,
    sendNickName: row.sendNickName,
    sendRole: row.sendRole,
    content: row.content,
    sendTime: row.sendTime,
    ...(row.receivedAt != null && { receivedAt: row.receivedAt }),
    status: row.noticeId === null ? readState.status : MessageStatus.RECALL,
    quoteMessage: row.quote && quoteMessage(row.quote, language),
    atUserIds: [...row.atUserIds],
    receipt: row.receipt,
    receiptOk: readState.receiptOk,
    readedCount: readState.readedCount,
    isEdited: row.editedAt !== null,
    editedAt: row.editedAt,
    tip: row.tip,
    act: row.act,
  };
}
