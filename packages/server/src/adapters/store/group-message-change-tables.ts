/** Tables for changes of group messages after they were sent, and for read positions. */

/** The edits of each group message, as in `PrivateEditTable`. */
export interface GroupEditTable {
  eventId: number;
  targetId: number;
}

/** The text of a message before its first edit, stored only if a reader has left since. Later texts are in the edits. */
export interface GroupFirstTextTable {
  messageId: number;
  content: string;
}

/** Messages of a group that one member has deleted for themselves. */
export interface HiddenGroupTable {
  ownerId: number;
  messageId: number;
  groupId: number;
  changed: number;
}

/** How far a person has read in a group. */
export interface GroupReadTable {
  groupId: number;
  userId: number;
  readId: number;
  /** The person's change number when the position last moved. */
  changed: number;
}

/** Groups in which others read messages of this person that ask for receipts. */
export interface GroupReceiptTable {
  ownerId: number;
  groupId: number;
  /** The owner's change number when such a message was last read. */
  changed: number;
}

/** All tables of this file, by name. */
export interface GroupMessageChangeTables {
  groupEdit: GroupEditTable;
  groupFirstText: GroupFirstTextTable;
  hiddenGroup: HiddenGroupTable;
  groupRead: GroupReadTable;
  groupReceipt: GroupReceiptTable;
}
