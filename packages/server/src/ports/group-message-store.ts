/** Group messages: the part of `store.ts` for what only they have. */
import type { NewMessage, PullWindow, StoredMessage } from "./stored-message.ts";

/** A group message to append. */
export interface NewGroupMessage extends NewMessage {
  groupId: number;
  /** `GroupRole` of the sender at this moment. */
  sendRole: number;
  atUserIds?: readonly number[];
  receipt?: boolean;
}

/** A stored group message. */
export interface GroupMessageRow extends StoredMessage {
  groupId: number;
  sendRole: number;
  /** -1 is everyone. */
  atUserIds: readonly number[];
  receipt: boolean;
}

/** The result of starting a pull of group messages. */
export interface GroupPull {
  /** The ids to send, ascending. */
  ids: readonly number[];
  /** Rows below this id were left out in some group; null if none were. */
  fromId: number | null;
}

/** How far a message with receipt has been read. */
export interface GroupReceipt {
  id: number;
  groupId: number;
  /** How many others have read it. */
  readedCount: number;
  /** Whether every other member who can see it has read it. */
  receiptOk: boolean;
}

/** What is read about group messages. */
export interface GroupMessageReads {
  /** With the texts of this person's stays, ascending. The person is assumed to see all of them. */
  listGroupMessages(userId: number, ids: readonly number[]): Promise<GroupMessageRow[]>;
  /** The newest id of a message in this group; 0 if there is none. */
  newestGroupMessageId(groupId: number): Promise<number>;
  /** How far this person has read in each group, without groups that were never read. */
  groupReadPositions(userId: number): Promise<Map<number, number>>;
  /** How far this person has read in one group; -1 if it was never read. */
  groupReadPosition(userId: number, groupId: number): Promise<number>;
  /** The receipts of messages of one group, by id. Messages without receipt are left out. */
  listGroupReceipts(groupId: number, ids: readonly number[]): Promise<GroupReceipt[]>;
  /** The people except the sender who have read a message, by id. */
  listGroupReaders(message: Pick<GroupMessageRow, "id" | "groupId" | "sendId">): Promise<number[]>;
  /** The members except the sender who were there when the message was written and have not read it, by id. */
  listGroupUnread(message: Pick<GroupMessageRow, "id" | "groupId" | "sendId">): Promise<number[]>;
  /** The people who have hidden a message and every row that quotes it. */
  listGroupHiders(id: number): Promise<number[]>;
  /** The current members who were not in the group when this message was written. */
  listGroupLatecomers(groupId: number, id: number): Promise<number[]>;
  /**
   * The current members who were there when this message was written and have missed its newest edit, with the text that they know; null if
   * it was not stored.
   */
  listGroupFormerTexts(groupId: number, id: number): Promise<{ userId: number; content: string | null }[]>;
}

/** What a transaction writes about group messages. */
export interface GroupMessageWrites {
  /**
   * Moves the read position up, never down. Returns the messages of others with receipt that are read by it, or undefined if it did not
   * move. The reader and the senders of those messages get change numbers.
   */
  raiseGroupRead(
    userId: number,
    groupId: number,
    messageId: number,
  ): Promise<{ id: number; sendId: number }[] | undefined>;
}

/** What a store does outside of transactions. */
export interface GroupMessageStore {
  /** How often members joined or left since the store was opened. All committed changes count; changes that were undone may count too. */
  memberChanges(groupId: number): Promise<number>;
  /** What a pull has to send. A first pull (minId 0) has at most `firstMax` rows of each group. */
  startGroupPull(userId: number, window: PullWindow): Promise<GroupPull>;
}
