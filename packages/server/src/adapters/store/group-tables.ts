/** The tables of groups. The table is not called "group" because that is a keyword of SQL. */
export interface ChatGroupTable {
  id: number;
  name: string;
  /** The name in lower case, for search. */
  nameKey: string;
  ownerId: number;
  headImage: string | null;
  headImageThumb: string | null;
  notice: string | null;
  isAllMuted: number;
  inviteRole: number;
  editRole: number;
  attrRole: number;
  joinApproval: number;
  /** JSON. */
  attributes: string;
  banReason: string | null;
  isLarge: number;
  dissolvedAt: number | null;
  createdAt: number;
}

/** Which call of its creator made a group, so that a repeated call creates no second one. */
export interface GroupMakingTable {
  makerId: number;
  tmpId: string;
  groupId: number;
}

/** The members of groups, including those who have left. */
export interface GroupMemberTable {
  groupId: number;
  userId: number;
  role: number;
  isMuted: number;
  remarkNickName: string | null;
  remarkGroupName: string | null;
  isTop: number;
  msgRemind: number;
  quit: number;
  joinedAt: number;
  /** When the person first joined; members are listed in this order. */
  firstJoinedAt: number;
  /** `fromId` of the newest stay. */
  stayFrom: number;
}

/** The stays of people in groups; `fromId` and `toId` are the newest message ids when a stay began and ended. */
export interface GroupStayTable {
  groupId: number;
  userId: number;
  /** Counts a person's stays in a group, from 1. */
  nth: number;
  fromId: number;
  toId: number | null;
}

/** Requests to join groups. */
export interface GroupRequestTable {
  id: number;
  groupId: number;
  sendId: number;
  inviterId: number | null;
  remark: string;
  status: number;
  applyTime: number;
}

/** Up to which id the messages of a person in a group were removed for everybody by a moderator. */
export interface GroupPurgeTable {
  groupId: number;
  userId: number;
  upTo: number;
}

/** Who has to learn of a removal from the change feed. */
export interface GroupPurgeNewsTable {
  ownerId: number;
  groupId: number;
  userId: number;
  /** The owner's change number. */
  changed: number;
}

/** Rows are changed by edits and recalls but never deleted: the next id is counted from the newest. */
export interface GroupMessageTable {
  id: number;
  groupId: number;
  tmpId: string | null;
  type: number;
  sendId: number;
  sendNickName: string;
  sendRole: number;
  content: string;
  sendTime: number;
  tip: string | null;
  act: string | null;
  onlyFor: number | null;
  quoteId: number | null;
  editedAt: number | null;
  noticeId: number | null;
  /** A JSON array of user ids; null: nobody is mentioned. */
  atUserIds: string | null;
  receipt: number;
}

/** All tables of this file, by name. */
export interface GroupTables {
  chatGroup: ChatGroupTable;
  groupMaking: GroupMakingTable;
  groupMember: GroupMemberTable;
  groupStay: GroupStayTable;
  groupRequest: GroupRequestTable;
  groupPurge: GroupPurgeTable;
  groupPurgeNews: GroupPurgeNewsTable;
  groupMessage: GroupMessageTable;
}
