import type { GroupRole, JoinMode } from "@parley/protocol/codes";
import type { GroupMessage } from "@parley/protocol/message";

/** The tables of groups. */
export interface GroupTables {
  groups: GroupRow[];
  /** The calls that created groups, to recognise repeats. */
  creations: { creatorId: number; tmpId: string; groupId: number }[];
  members: MemberRow[];
  stays: MembershipPeriodRow[];
  requests: GroupRequestRow[];
  messages: GroupMessageRow[];
  moderatorRemovals: ModeratorRemovalRow[];
  reads: GroupReadRow[];
  /** Senders whose messages with receipts were read. */
  receipts: GroupReceiptRow[];
  /** The id of the quoted message, by message id; its text is copied when a row is presented. */
  quotes: Map<number, number>;
  /** The id of the recall event, by the id of the recalled message. */
  recalls: Map<number, number>;
  /** The original texts of edited messages. */
  originalTexts: Map<number, string>;
}

/** A read position in a group. */
export interface GroupReadRow {
  groupId: number;
  userId: number;
  readId: number;
  changedAt: number;
}

/** The last change of the receipts of a sender in a group. */
export interface GroupReceiptRow {
  groupId: number;
  ownerId: number;
  changedAt: number;
}

/** The messages of a removed member up to an id are removed for everybody. */
export interface ModeratorRemovalRow {
  groupId: number;
  userId: number;
  upTo: number;
  changedAt: number;
}

/** A group. */
export interface GroupRow {
  id: number;
  name: string;
  ownerId: number;
  notice: string | null;
  isAllMuted: boolean;
  inviteRole: number;
  editRole: number;
  attrRole: number;
  joinMode: JoinMode;
  isFindable: boolean;
  attributes: Record<string, string>;
  banReason: string | null;
  isDissolved: boolean;
}

/** A member of a group; the row stays when the user leaves. */
export interface MemberRow {
  groupId: number;
  userId: number;
  role: GroupRole;
  isMuted: boolean;
  remarkNickName: string | null;
  remarkGroupName: string | null;
  isTop: boolean;
  msgRemind: number;
  msgRemindUntil: number | null;
  quit: boolean;
  /** Whether a moderator ended the last stay. */
  wasRemoved: boolean;
}

/** A stay in a group: the user sees ids above `fromId` and up to `toId`; null: the user is still a member. */
export interface MembershipPeriodRow {
  groupId: number;
  userId: number;
  fromId: number;
  toId: number | null;
}

/** A request to join a group. */
export interface GroupRequestRow {
  id: number;
  groupId: number;
  sendId: number;
  inviterId: number | null;
  remark: string;
  status: number;
  applyTime: number;
}

/** A message of a group. `onlyFor`: only this user sees it. */
export interface GroupMessageRow extends GroupMessage {
  onlyFor: number | null;
}

/** Creates empty tables. */
export function createGroupTables(): GroupTables {
  return {
    groups: [],
    creations: [],
    members: [],
    stays: [],
    requests: [],
    messages: [],
    moderatorRemovals: [],
    reads: [],
    receipts: [],
    quotes: new Map(),
    recalls: new Map(),
    originalTexts: new Map(),
  };
}
