import type { GroupRole } from "@parley/protocol/codes";
import type { GroupMessage } from "@parley/protocol/message";

/** What the fake server knows of groups. */
export interface GroupTables {
  groups: GroupRow[];
  /** By which calls they were made. */
  makings: { makerId: number; tmpId: string; groupId: number }[];
  members: MemberRow[];
  stays: MembershipPeriodRow[];
  requests: GroupRequestRow[];
  messages: GroupMessageRow[];
  purges: ModeratorRemovalRow[];
  reads: GroupReadRow[];
  hidden: GroupDeletedForMeRow[];
  /** Whose messages with receipt were read by somebody. */
  receipts: GroupReceiptRow[];
  /** What a message quotes, by ids; the copy is made when it is shown. */
  quotes: Map<number, number>;
  /** The notice of each recall, by the id of what was recalled. */
  recalls: Map<number, number>;
  /** What edited messages said at first. */
  firstTexts: Map<number, string>;
}

export interface GroupReadRow {
  groupId: number;
  userId: number;
  readId: number;
  changedAt: number;
}

/** A message somebody has deleted for themselves. */
export interface GroupDeletedForMeRow {
  groupId: number;
  userId: number;
  id: number;
  changedAt: number;
}

export interface GroupReceiptRow {
  groupId: number;
  ownerId: number;
  changedAt: number;
}

/** What this person wrote in a group up to an id is gone for everybody. */
export interface ModeratorRemovalRow {
  groupId: number;
  userId: number;
  upTo: number;
  changedAt: number;
}

export interface GroupRow {
  id: number;
  name: string;
  ownerId: number;
  notice: string | null;
  isAllMuted: boolean;
  inviteRole: number;
  editRole: number;
  attrRole: number;
  joinApproval: boolean;
  attributes: Record<string, string>;
  banReason: string | null;
  isDissolved: boolean;
}

/** The row stays when the person leaves. */
export interface MemberRow {
  groupId: number;
  userId: number;
  role: GroupRole;
  isMuted: boolean;
  remarkNickName: string | null;
  remarkGroupName: string | null;
  isTop: boolean;
  msgRemind: number;
  quit: boolean;
}

/** What a person sees of a group for one stay in it: ids above `fromId` and up to `toId`; null: still in. */
export interface MembershipPeriodRow {
  groupId: number;
  userId: number;
  fromId: number;
  toId: number | null;
}

export interface GroupRequestRow {
  id: number;
  groupId: number;
  sendId: number;
  inviterId: number | null;
  remark: string;
  status: number;
  applyTime: number;
}

/** `onlyFor`: nobody else sees it. */
export interface GroupMessageRow extends GroupMessage {
  onlyFor: number | null;
}

export function createGroupTables(): GroupTables {
  return {
    groups: [],
    makings: [],
    members: [],
    stays: [],
    requests: [],
    messages: [],
    purges: [],
    reads: [],
    hidden: [],
    receipts: [],
    quotes: new Map(),
    recalls: new Map(),
    firstTexts: new Map(),
  };
}
