/** What happens to messages of groups after they were sent, and who has read them. */
/** As `PrivateEditTable`. */
export interface GroupEditTable {
  eventId: number;
  targetId: number;
}

/** What a message said before its first edit, kept where somebody has left since: the later texts are those of its edits. */
export interface GroupFirstTextTable {
  messageId: number;
  content: string;
}

/** Messages of a group that one member no longer sees. */
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
  /** The person's change number when it last moved. */
  changed: number;
}

/** In which groups messages with receipt of this person were read by others. */
export interface GroupReceiptTable {
  ownerId: number;
  groupId: number;
  /** The owner's change number when one was last read. */
  changed: number;
}

export interface GroupMessageChangeTables {
  groupEdit: GroupEditTable;
  groupFirstText: GroupFirstTextTable;
  hiddenGroup: HiddenGroupTable;
  groupRead: GroupReadTable;
  groupReceipt: GroupReceiptTable;
}
