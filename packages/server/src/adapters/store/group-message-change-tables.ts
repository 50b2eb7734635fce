/** Tables for changes of group messages after they were sent, and for read positions. */

/** The text of a message before its first edit, stored only if a reader has left since. Later texts are in the edits. */
export interface GroupFirstTextTable {
  messageId: number;
  content: string;
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
  groupFirstText: GroupFirstTextTable;
  groupRead: GroupReadTable;
  groupReceipt: GroupReceiptTable;
}
