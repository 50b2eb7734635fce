/** Groups, their members and the requests to join them: the part of `store.ts` for groups. */
import type { GroupRole, JoinMode } from "@parley/protocol/codes";
import type { AlertLevel } from "./alert-level.ts";

/** A group. */
export interface GroupRow {
  id: number;
  name: string;
  ownerId: number;
  headImage: string | null;
  headImageThumb: string | null;
  notice: string | null;
  /** Only the owner may send messages. */
  isAllMuted: boolean;
  /** 1 everyone, 2 owner and admins. */
  inviteRole: number;
  editRole: number;
  attrRole: number;
  joinMode: JoinMode;
  /** Whether people outside find the group by its number and name. */
  isFindable: boolean;
  attributes: Record<string, string>;
  /** Why the group is banned; null if it is not. */
  banReason: string | null;
  /** May have more members than other groups. */
  isLarge: boolean;
  dissolvedAt: number | null;
  createdAt: number;
}

/** One person in one group; the row stays when the person leaves. */
export interface GroupMemberRow extends AlertLevel {
  groupId: number;
  userId: number;
  /** A former member has the role of an ordinary member. */
  role: GroupRole;
  /** Stays the same when the person leaves and comes back. */
  isMuted: boolean;
  remarkNickName: string | null;
  remarkGroupName: string | null;
  isTop: boolean;
  quit: boolean;
  /** Whether a moderator ended the last stay. Joining again ends the mark. */
  wasRemoved: boolean;
  /** When the person joined for the last time. */
  joinedAt: number;
  /** `fromId` of the newest stay. */
  stayFrom: number;
}

/** What a person sees of a group because of one stay: ids above `fromId` up to `toId`, which is null until the person leaves. */
export interface GroupStay {
  fromId: number;
  toId: number | null;
}

/** Whether the message with this id was written during the stay. */
export function isDuringStay({ fromId, toId }: GroupStay, id: number): boolean {
  return id > fromId && (toId === null || id <= toId);
}

/** An invitation or a request to join a group. */
export interface GroupRequestRow {
  id: number;
  groupId: number;
  /** The person who would join. */
  sendId: number;
  /** The member who invites; null if the person applies. */
  inviterId: number | null;
  remark: string;
  /** `RequestStatus`. */
  status: number;
  applyTime: number;
}

/** What is read about members and their stays. */
export interface GroupMemberReads {
  /** Includes former members. */
  findGroupMember(groupId: number, userId: number): Promise<GroupMemberRow | undefined>;
  /** Includes former members, in the order in which they first joined. */
  listGroupMembers(groupId: number): Promise<GroupMemberRow[]>;
  /** Those who were in the group at the same time as this person, and the person; in the same order. */
  listGroupMembersSeenBy(userId: number, groupId: number): Promise<GroupMemberRow[]>;
  /** The number of current members of each of these groups. */
  countGroupMembers(groupIds: readonly number[]): Promise<Map<number, number>>;
  /** Includes groups that the person has left, in the order of the groups. */
  listMembershipsOf(userId: number): Promise<GroupMemberRow[]>;
  /** At most so many rows whose alert level ends by then, the earliest first. Includes former members. */
  listEndedMemberLevels(now: number, limit: number): Promise<GroupMemberRow[]>;
  /** Those of the people in `among` who are in a group together with this person. */
  listGroupPeers(userId: number, among: readonly number[]): Promise<number[]>;
  /** Oldest first. */
  listGroupStays(groupId: number, userId: number): Promise<GroupStay[]>;
}

/** What is read about groups. */
export interface GroupReads extends GroupMemberReads {
  /** Includes dissolved groups. */
  findGroup(id: number): Promise<GroupRow | undefined>;
  /** The group that this person has created with this tmpId, whoever owns it now. */
  findMadeGroup(makerId: number, tmpId: string): Promise<number | undefined>;
  /** By id; unknown ids are left out. */
  findGroups(ids: readonly number[]): Promise<Map<number, GroupRow>>;
  /**
   * The group with this number first, then those with the part in their name, by id: those that can be found, and those that this person is or
   * was in. Case-insensitive, without wildcards and dissolved groups.
   */
  searchGroups(part: string, limit: number, userId: number): Promise<GroupRow[]>;
}

export type NewGroup = Pick<
  GroupRow,
  "name" | "ownerId" | "headImage" | "headImageThumb" | "joinMode" | "isFindable" | "createdAt"
> & {
  /** The creator's tmpId for the group. The creator has created no other group with it. */
  tmpId?: string | null;
};
export type GroupPatch = Partial<Omit<GroupRow, "id" | "createdAt">>;
export type GroupMemberPatch = Partial<
  Pick<GroupMemberRow, "role" | "isMuted" | "remarkNickName" | "remarkGroupName" | "isTop"> & AlertLevel
>;

/** What a transaction writes about members and their stays. */
export interface GroupMemberWrites {
  /** Adds a person, or a former member again with the old remarks and mute; they see what comes from now on. A current member stays unchanged. */
  upsertGroupMember(groupId: number, userId: number, role: GroupRole, now: number): Promise<GroupMemberRow>;
  updateGroupMember(groupId: number, userId: number, patch: GroupMemberPatch): Promise<void>;
  /** Ends the stay of a person, who sees nothing that comes later. `isRemoval`: a moderator ends it, which the row keeps. */
  endGroupStay(groupId: number, userId: number, isRemoval?: boolean): Promise<void>;
  /**
   * Removes what this person has written in the group up to now for everybody, except recall events (10). All current and former members
   * get a change number. Returns the id up to which messages are removed, and who had saved some of them and has no longer.
   */
  removeMessagesOfMember(
    groupId: number,
    userId: number,
  ): Promise<{ upTo: number; savedBy: readonly number[] }>;
}

/** What a transaction writes about groups. */
export interface GroupWrites extends GroupMemberWrites {
  /** Inserts a group without members. Everybody may invite, owner and admins may edit. */
  insertGroup(group: NewGroup): Promise<GroupRow>;
  updateGroup(id: number, patch: GroupPatch): Promise<void>;
}

/** What is read about requests to join groups. */
export interface GroupRequestReads {
  findGroupRequest(id: number): Promise<GroupRequestRow | undefined>;
  findPendingGroupRequest(groupId: number, sendId: number): Promise<GroupRequestRow | undefined>;
  /** Pending requests to groups that the person leads, then those that the person has made; newest first, without dissolved groups. */
  listPendingGroupRequests(userId: number): Promise<GroupRequestRow[]>;
  /** All pending requests to one group, by id. */
  listPendingRequestsOfGroup(groupId: number): Promise<GroupRequestRow[]>;
  /** All pending requests that would add this person, or are this person's invitations, by id. */
  listPendingGroupRequestsAbout(userId: number): Promise<GroupRequestRow[]>;
  /** Pending requests that the person has made for themselves, without dissolved groups. */
  countPendingGroupRequests(userId: number): Promise<number>;
}

/** What a transaction writes about requests to join groups. */
export interface GroupRequestWrites {
  insertGroupRequest(request: Omit<GroupRequestRow, "id">): Promise<GroupRequestRow>;
  setGroupRequestStatus(id: number, status: number): Promise<void>;
}
