/** Private messages: the part of `store.ts` for them. Their ids are one sequence over all private chats. */
import type { ReadPositions } from "./change-store.ts";
import type {
  Appended,
  Found,
  HistoryPage,
  MessageEdit,
  MessageRecall,
  MessageSearch,
  NewMessage,
  PullWindow,
  StoredMessage,
} from "./stored-message.ts";

/** A private message to append. */
export interface NewPrivateMessage extends NewMessage {
  recvId: number;
}

/** A stored private message. */
export interface PrivateRow extends StoredMessage {
  recvId: number;
}

export interface PrivateSearch extends MessageSearch {
  friendId?: number;
}

/** Where a pull of private messages starts and ends. */
export interface PullStart {
  /** The first id to send; `upTo + 1` if there is nothing to send. */
  fromId: number;
  /** The last id at this moment, over everybody's messages of this kind. */
  upTo: number;
  /** Whether rows between the cursor and `fromId` were left out. */
  isTruncated: boolean;
}

/** What is read about private messages. */
export interface PrivateMessageReads {
  findPrivate(id: number): Promise<PrivateRow | undefined>;
  /** Those of these rows that there are, in any order. */
  findPrivates(ids: readonly number[]): Promise<PrivateRow[]>;
  /** Undefined also for a row that this person does not see, or does not see any more. */
  findVisiblePrivate(userId: number, id: number): Promise<PrivateRow | undefined>;
  /** Whether this person sees, in the chat with that friend, a row that quotes this one. */
  seesPrivateQuote(userId: number, friendId: number, id: number): Promise<boolean>;
  findPrivateByTmpId(sendId: number, tmpId: string): Promise<PrivateRow | undefined>;
  /** Where a pull of private messages starts and ends for this person. */
  startPrivatePull(userId: number, window: PullWindow): Promise<PullStart>;
  /** This person's private rows with fromId <= id <= upTo, ascending, at most `limit`. */
  listPrivate(userId: number, fromId: number, upTo: number, limit: number): Promise<PrivateRow[]>;
  /** The pages before, newest and page are newest first, the others ascending. */
  privateHistory(userId: number, friendId: number, page: HistoryPage): Promise<PrivateRow[]>;
  /** The starts of those days on which this person sees a message of the chat, ascending. The last entry of `starts` is the end of the last day. */
  privateDays(userId: number, friendId: number, starts: readonly number[]): Promise<number[]>;
  /** The newest row of the chat that this person sees; 0 if there is none. */
  newestPrivateId(userId: number, friendId: number): Promise<number>;
  /** The read positions of every private chat, or of the chats with these friends. */
  privateReadPositions(userId: number, friendIds?: readonly number[]): Promise<ReadPositions[]>;
  /** The highest id of `userId`'s own messages to `friendId` that the friend has read; -1 if there is none. */
  maxReadedId(userId: number, friendId: number): Promise<number>;
}

/** What a transaction writes about private messages. */
export interface PrivateMessageWrites {
  appendPrivate(message: NewPrivateMessage): Promise<Appended<PrivateRow>>;
  /** Stores the new text of a message and links its event (7). */
  editPrivate(edit: MessageEdit): Promise<void>;
  /**
   * Replaces a message by the tip about its recall, and removes the texts of its edits: nothing of its content
   * stays in the tables. The files that it named are released (`FileWrites.nameFiles`).
   */
  recallPrivate(recall: MessageRecall): Promise<void>;
  /**
   * Hides rows of one chat from this person only, and ignores rows that this person does not see. Returns whether
   * any was hidden; then the person gets a change number.
   */
  hidePrivateMessages(userId: number, friendId: number, ids: readonly number[]): Promise<boolean>;
  /**
   * Moves the read position up, never down. Returns whether it moved; then the reader and the friend get a change
   * number.
   */
  raisePrivateRead(userId: number, friendId: number, messageId: number): Promise<boolean>;
}

/** What a store does outside of transactions. */
export interface PrivateMessageStore {
  /**
   * The hot path: appends a message in a shared commit. Returns the row, and whether it is new. It is not if the
   * tmpId was known.
   */
  appendPrivate(message: NewPrivateMessage): Promise<Appended<PrivateRow>>;
  /**
   * Searches the private messages of this person by their words (`protocol/search-text.ts`), the newest first. It
   * finds everything that is stored, except shortly after a very large import.
   */
  searchPrivate(userId: number, search: PrivateSearch): Promise<Found<PrivateRow>>;
}
