/** Messages of private chats and groups: the part of `store.ts` for what both have in common. */
import type { GroupMessageRow, NewGroupMessage } from "./group-message-store.ts";
import type { NewPrivateMessage, PrivateRow } from "./private-message-store.ts";
import type {
  Appended,
  ChatKind,
  Found,
  HistoryPage,
  MessageEdit,
  MessageRecall,
  MessageSearch,
} from "./stored-message.ts";

/** A stored message of each kind of chat. */
interface Rows {
  PRIVATE: PrivateRow;
  GROUP: GroupMessageRow;
}

/** A stored message of this kind of chat. */
export type RowOf<Kind extends ChatKind> = Rows[Kind];

/** A message to append to each kind of chat. */
interface NewMessages {
  PRIVATE: NewPrivateMessage;
  GROUP: NewGroupMessage;
}

/** A message to append to this kind of chat. */
export type NewOf<Kind extends ChatKind> = NewMessages[Kind];

/**
 * What is read about messages. The messages of all chats have one sequence of ids; one of the other kind counts as one that is not there. A
 * `targetId` is the other person or the group.
 *
 * In a private chat both people see a message unless they have cleared or hidden it, or it is only for the other. In a group a person sees it
 * if it lies within their stays, under the same conditions, and if its sender's messages were not removed. What is read for a person in a
 * group, quotes too, has the text of its newest edit within those stays, or its first text if there is no such edit.
 */
export interface MessageReads {
  /** The current row. */
  findMessage<Kind extends ChatKind>(kind: Kind, id: number): Promise<RowOf<Kind> | undefined>;
  /** The current rows of those of these messages that there are, in any order. */
  findMessages<Kind extends ChatKind>(kind: Kind, ids: readonly number[]): Promise<RowOf<Kind>[]>;
  /** Undefined also for a row that this person does not see, or does not see any more. */
  findVisibleMessage<Kind extends ChatKind>(
    kind: Kind,
    userId: number,
    id: number,
  ): Promise<RowOf<Kind> | undefined>;
  findMessageByTmpId<Kind extends ChatKind>(
    kind: Kind,
    sendId: number,
    tmpId: string,
  ): Promise<RowOf<Kind> | undefined>;
  /** The pages before, newest and page are newest first, the others ascending. */
  listHistory<Kind extends ChatKind>(
    kind: Kind,
    userId: number,
    targetId: number,
    page: HistoryPage,
  ): Promise<RowOf<Kind>[]>;
  /** The starts of those days on which this person sees a message of the chat, ascending. The last entry of `starts` is the end of the last day. */
  listDays(kind: ChatKind, userId: number, targetId: number, starts: readonly number[]): Promise<number[]>;
  /** The newest message of the chat that this person sees; 0 if there is none. */
  newestVisibleId(kind: ChatKind, userId: number, targetId: number): Promise<number>;
}

/** What a transaction writes about messages. */
export interface MessageWrites {
  appendPrivate(message: NewPrivateMessage): Promise<Appended<PrivateRow>>;
  /** Returns the row, and whether it is new. It is not if the tmpId was known. */
  appendGroup(message: NewGroupMessage): Promise<Appended<GroupMessageRow>>;
  /**
   * Stores the new text of a message and links its event (7). In a group, people who came later, or have hidden the message and everything
   * that quotes it, do not see the event, and for former members the message keeps its text.
   * Returns who has saved the message: each gets a change number.
   */
  editMessage(edit: MessageEdit): Promise<readonly number[]>;
  /**
   * Replaces a message by the tip about its recall, and removes the texts of its edits, its mentions and its receipt: nothing of its content
   * stays in the tables. The files that it named are released (`FileWrites.nameFiles`). Returns who had saved the message, and has no longer:
   * each gets a change number.
   */
  recallMessage(recall: MessageRecall): Promise<readonly number[]>;
  /**
   * Hides rows of one chat from this person only, and ignores rows that this person does not see. Those that the person had saved are so no
   * longer. Returns whether any was hidden; then the person gets a change number.
   */
  hideMessages(kind: ChatKind, userId: number, targetId: number, ids: readonly number[]): Promise<boolean>;
}

/** What a store does outside of transactions. */
export interface MessageStore {
  /**
   * The hot path: appends a message in a shared commit. Returns the row, and whether it is new. It is not if the
   * tmpId was known.
   */
  appendPrivate(message: NewPrivateMessage): Promise<Appended<PrivateRow>>;
  /** The same. Stores nothing if the sender was removed or left before the commit. */
  appendGroup(message: NewGroupMessage): Promise<Appended<GroupMessageRow> | "senderLeft">;
  /**
   * Searches what this person sees by its words (`protocol/search-text.ts`), in one chat or in all of this kind, the newest first. It finds
   * everything that is stored, except shortly after a very large import.
   */
  searchMessages<Kind extends ChatKind>(
    kind: Kind,
    userId: number,
    search: MessageSearch,
  ): Promise<Found<RowOf<Kind>>>;
}
