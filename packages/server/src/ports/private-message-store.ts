/** Private messages: the part of `store.ts` for what only they have. */
import type { ReadPositions } from "./change-store.ts";
import type { NewMessage, PullWindow, StoredMessage } from "./stored-message.ts";

/** A private message to append. */
export interface NewPrivateMessage extends NewMessage {
  recvId: number;
}

/** A stored private message. */
export interface PrivateRow extends StoredMessage {
  recvId: number;
}

/** Where a pull of private messages starts and ends. */
export interface PullStart {
  /** The first id to send; `upTo + 1` if there is nothing to send. */
  fromId: number;
  /** The last id at this moment, over everybody's messages. */
  upTo: number;
  /** Whether rows between the cursor and `fromId` were left out. */
  isTruncated: boolean;
}

/** What became of a read position: it stayed, or it moved, and the friend is told of it or not. */
export type RaisedRead = "notMoved" | "told" | "untold";

/** What is read about private messages. */
export interface PrivateMessageReads {
  /** Whether this person sees, in the chat with that friend, a row that quotes this one. */
  seesPrivateQuote(userId: number, friendId: number, id: number): Promise<boolean>;
  /** Where a pull of private messages starts and ends for this person. */
  startPrivatePull(userId: number, window: PullWindow): Promise<PullStart>;
  /** This person's private rows with fromId <= id <= upTo, ascending, at most `limit`. */
  listPrivate(userId: number, fromId: number, upTo: number, limit: number): Promise<PrivateRow[]>;
  /** The read positions of every private chat, or of the chats with these friends. Those of friends are -1 while one of the two has read receipts off. */
  privateReadPositions(userId: number, friendIds?: readonly number[]): Promise<ReadPositions[]>;
  /** The highest id of `userId`'s own messages to `friendId` of which this person was told that the friend has read it; -1 if there is none, or while one of the two has read receipts off. */
  maxReadedId(userId: number, friendId: number): Promise<number>;
}

/** What a transaction writes about private messages. */
export interface PrivateMessageWrites {
  /**
   * Moves the read position up, never down. If it moved, the reader gets a change number, and unless one of the two has switched read
   * receipts off ("untold") so does the friend.
   */
  raisePrivateRead(userId: number, friendId: number, messageId: number): Promise<RaisedRead>;
}
