import type { Generated } from "kysely";
import type { GroupMemberRow, GroupRequestRow, GroupRow } from "../../ports/group-store.ts";
import type { Columns } from "./columns.ts";

/** The tables of groups. The table is not called "group" because that is a keyword of SQL. */
export interface ChatGroupTable extends Columns<Omit<GroupRow, "attributes">> {
  /** The name in lower case, for search. */
  nameKey: string;
  /** JSON. */
  attributes: string;
  /** How often its members have changed. */
  memberChanges: Generated<number>;
}

/** Which call of its creator made a group, so that a repeated call creates no second one. */
export interface GroupMakingTable {
  makerId: number;
  tmpId: string;
  groupId: number;
}

/** The members of groups, including those who have left. */
export interface GroupMemberTable extends Columns<GroupMemberRow> {
  /** When the person first joined; members are listed in this order. */
  firstJoinedAt: number;
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
export type GroupRequestTable = Columns<GroupRequestRow>;

/** Up to which id the messages of a person in a group were removed for everybody by a moderator. */
export interface GroupPurgeTable {
  groupId: number;
  userId: number;
  upTo: number;
}

/** The people to whom the change feed reports a removal. */
export interface GroupPurgeNewsTable {
  ownerId: number;
  groupId: number;
  userId: number;
  /** The owner's change number. */
  changed: number;
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
}
