/** Groups, their people and their messages, as the store keeps them: the part of `store.ts` that is theirs. */
import type { GroupRole } from "@parley/protocol/codes";
import type { CallResult, Tip } from "@parley/protocol/message";
import type { QuotedRow } from "./stored-message.ts";

export interface GroupRow {
  id: number;
  name: string;
  ownerId: number;
  headImage: string | null;
  headImageThumb: string | null;
  notice: string | null;
  /** Only the owner may speak. */
  isAllMuted: boolean;
  /** 1 everyone, 2 owner and admins. */
  inviteRole: number;
  editRole: number;
  attrRole: number;
  joinApproval: boolean;
  attributes: Record<string, string>;
  /** Why the group is banned; null: it is not. */
  banReason: string | null;
  /** Takes more members than others. */
  isLarge: boolean;
  dissolvedAt: number | null;
  createdAt: number;
}

/** One person in one group; the row stays when the person leaves. */
export interface GroupMemberRow {
  groupId: number;
  userId: number;
  /** Somebody who has left is an ordinary member. */
  role: GroupRole;
  /** Outlasts leaving and coming back. */
  isMuted: boolean;
  remarkNickName: string | null;
  remarkGroupName: string | null;
  isTop: boolean;
  msgRemind: number;
  quit: boolean;
  /** When the person came in for the last time. */
  joinedAt: number;
  /** `fromId` of the newest stay. */
  stayFrom: number;
}

/** What a person sees of a group for one stay in it: ids above `fromId` and up to `toId`; null: still in. */
export interface GroupStay {
  fromId: number;
  toId: number | null;
}

export interface GroupRequestRow {
  id: number;
  groupId: number;
  /** Who would join. */
  sendId: number;
  /** The member who invites; null: the person asks. */
  inviterId: number | null;
  remark: string;
  /** `RequestStatus`. */
  status: number;
  applyTime: number;
}

export interface NewGroupMessage {
  tmpId: string | null;
  type: number;
  groupId: number;
  sendId: number;
  sendNickName: string;
  /** `GroupRole` of the sender at this moment. */
  sendRole: number;
  content: string;
  /** Wished time, epoch ms; the store may give a later one to keep the order. */
  sendTime: number;
  atUserIds?: readonly number[];
  receipt?: boolean;
  tip?: Tip;
  act?: CallResult;
  /** Only this person ever sees the row. */
  onlyFor?: number;
  /** The row that it quotes, as it stands in the same transaction; of an edit (7) the row that it changes. */
  quote?: QuotedRow;
}

export interface GroupMessageRow {
  id: number;
  tmpId: string | null;
  type: number;
  groupId: number;
  sendId: number;
  sendNickName: string;
  sendRole: number;
  content: string;
  sendTime: number;
  /** -1 is everyone. */
  atUserIds: readonly number[];
  receipt: boolean;
  tip: Tip | null;
  act: CallResult | null;
  onlyFor: number | null;
  quote: QuotedRow | null;
  editedAt: number | null;
  /** The notice (10) of its recall; null: not recalled. */
  noticeId: number | null;
}

export interface GroupReads {
  /** Dissolved ones too. */
  findGroup(id: number): Promise<GroupRow | undefined>;
  /** The group that this person has made under this tmpId, whoever owns it now. */
  findMadeGroup(makerId: number, tmpId: string): Promise<number | undefined>;
  /** In no particular order; unknown ids are left out. */
  findGroups(ids: readonly number[]): Promise<GroupRow[]>;
  /** Those who have left too. */
  findGroupMember(groupId: number, userId: number): Promise<GroupMemberRow | undefined>;
  /** Those who have left too; in the order in which they first came. */
  listGroupMembers(groupId: number): Promise<GroupMemberRow[]>;
  /** How many are in each of these groups now. */
  countGroupMembers(groupIds: readonly number[]): Promise<Map<number, number>>;
  /** Groups that the person has left too; by group. */
  listMembershipsOf(userId: number): Promise<GroupMemberRow[]>;
  /** Which of these people are in a group together with this one. */
  listGroupPeers(userId: number, among: readonly number[]): Promise<number[]>;
  /** Oldest first. */
  listGroupStays(groupId: number, userId: number): Promise<GroupStay[]>;
  /** Whose number it is first, then those with the part in their name, by id; case-insensitive, no wildcards; none that is dissolved. */
  searchGroups(part: string, limit: number): Promise<GroupRow[]>;

  findGroupRequest(id: number): Promise<GroupRequestRow | undefined>;
  findPendingGroupRequest(groupId: number, sendId: number): Promise<GroupRequestRow | undefined>;
  /** Pending ones: of groups that the person leads, then those that the person has made; newest first; none of a dissolved group. */
  listPendingGroupRequests(userId: number): Promise<GroupRequestRow[]>;
  /** All pending ones of one group, by id. */
  listPendingRequestsOfGroup(groupId: number): Promise<GroupRequestRow[]>;
  /** All pending ones that would bring this person in, or are this person's invitations; by id. */
  listPendingGroupRequestsAbout(userId: number): Promise<GroupRequestRow[]>;
  /** Pending ones in which the person asks, not those by inviting; none of a dissolved group. */
  countPendingGroupRequests(userId: number): Promise<number>;

  /** Newest id of a message in this group; 0: none. */
  newestGroupMessageId(groupId: number): Promise<number>;
}

export type NewGroup = Pick<GroupRow, "name" | "ownerId" | "headImage" | "headImageThumb" | "createdAt"> & {
  /** Under which its owner makes it; no other group of that person was made under it. */
  tmpId?: string | null;
};
export type GroupPatch = Partial<Omit<GroupRow, "id" | "createdAt">>;
export type GroupMemberPatch = Partial<
  Pick<GroupMemberRow, "role" | "isMuted" | "remarkNickName" | "remarkGroupName" | "isTop" | "msgRemind">
>;

export interface GroupWrites {
  /** Without any member; everybody may invite, owner and admins edit, joining needs no approval. */
  insertGroup(group: NewGroup): Promise<GroupRow>;
  updateGroup(id: number, patch: GroupPatch): Promise<void>;
  /** Brings a person in, or in again with the old notes and mute; sees what comes from now on. Somebody who is in stays as they are. */
  upsertGroupMember(groupId: number, userId: number, role: GroupRole, now: number): Promise<GroupMemberRow>;
  updateGroupMember(groupId: number, userId: number, patch: GroupMemberPatch): Promise<void>;
  /** The person has left and sees nothing that comes later. */
  endGroupStay(groupId: number, userId: number): Promise<void>;
  /**
   * Rows that this person has written in the group up to now are never returned again, to nobody; but notices of recalls (10) are.
   * Everybody who is or was in the group is given a change number. Answers up to which id.
   */
  removeMessagesOfMember(groupId: number, userId: number): Promise<number>;
  insertGroupRequest(request: Omit<GroupRequestRow, "id">): Promise<GroupRequestRow>;
  setGroupRequestStatus(id: number, status: number): Promise<void>;
}
