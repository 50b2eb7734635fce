/** Messages of groups in the store; the rules of `store.ts` hold for them too. Their ids are one sequence over all groups. */
import type { GroupMessageRow, NewGroupMessage } from "./group-store.ts";
import type { Found, HistoryPage, MessageSearch, PullWindow } from "./store.ts";
import type { Appended, MessageEdit, MessageRecall } from "./stored-message.ts";

export interface GroupPull {
  /** What to send, ascending. */
  ids: readonly number[];
  /** Rows below this id were left out in some group; null: none were. */
  fromId: number | null;
}

/** How far a message with receipt has been read. */
export interface GroupReceipt {
  id: number;
  groupId: number;
  /** How many others have read it. */
  readedCount: number;
  /** Whether every other member who can see it has. */
  receiptOk: boolean;
}

export interface GroupSearch extends MessageSearch {
  groupId?: number;
}

/**
 * "Sees" means: by the person's stays in the group, not cleared, not hidden, not for somebody else, not of one whose messages were purged.
 * What is read for a person, quotes too, has the text of its newest edit within those stays; before the first of them, its first text.
 */
export interface GroupMessageReads {
  /** As it stands now. */
  findGroupMessage(id: number): Promise<GroupMessageRow | undefined>;
  /** Undefined also for a row that this person does not see (any more). */
  findVisibleGroupMessage(userId: number, id: number): Promise<GroupMessageRow | undefined>;
  findGroupMessageByTmpId(sendId: number, tmpId: string): Promise<GroupMessageRow | undefined>;
  /** As this person was there for them, ascending; all are taken to be seen. */
  listGroupMessages(userId: number, ids: readonly number[]): Promise<GroupMessageRow[]>;
  /** before, newest, page: newest first; the others ascending. */
  groupHistory(userId: number, groupId: number, page: HistoryPage): Promise<GroupMessageRow[]>;
  /** As `privateDays`. */
  groupDays(userId: number, groupId: number, starts: readonly number[]): Promise<number[]>;
  /** Newest row of the group that this person sees; 0 for none. */
  newestSeenGroupMessageId(userId: number, groupId: number): Promise<number>;
  /** How far this person has read in each group; those never read in are left out. */
  groupReadPositions(userId: number): Promise<Map<number, number>>;
  /** Of messages with receipt of one group, by id; others are left out. */
  listGroupReceipts(groupId: number, ids: readonly number[]): Promise<GroupReceipt[]>;
  /** Who but its sender has read a message, by id. */
  listGroupReaders(message: Pick<GroupMessageRow, "id" | "groupId" | "sendId">): Promise<number[]>;
  /** Who is in the group now, was when the message was written, and has not read it, by id; not its sender. */
  listGroupUnread(message: Pick<GroupMessageRow, "id" | "groupId" | "sendId">): Promise<number[]>;
  /** Who has hidden a message, and every row that quotes it. */
  listGroupHiders(id: number): Promise<number[]>;
  /** Who is in the group now, but was not when this message was written. */
  listGroupLatecomers(groupId: number, id: number): Promise<number[]>;
  /** Who is in the group now, was when this message was written, and has missed its newest edit: the text that the person knows; null: it was not kept. */
  listGroupFormerTexts(groupId: number, id: number): Promise<{ userId: number; content: string | null }[]>;
}

export interface GroupMessageWrites {
  /** Answers the row, and whether it is new (else: the tmpId was known). */
  appendGroup(message: NewGroupMessage): Promise<Appended<GroupMessageRow>>;
  /**
   * New text of a message, and the stored event (7) that tells of it; who has hidden the message and what quotes it, or came later, does not see the event either.
   * To those who have left, the message stands as it did.
   */
  editGroup(edit: MessageEdit): Promise<void>;
  /** As `recallPrivate`; nobody is mentioned and no receipt is kept any more. */
  recallGroup(recall: MessageRecall): Promise<void>;
  /** As `hidePrivate`. */
  hideGroupMessages(userId: number, groupId: number, ids: readonly number[]): Promise<boolean>;
  /**
   * Moves up, never down; undefined: it did not move. Answers others' messages with receipt that are read by this; change numbers
   * are given to the reader and to the senders of those.
   */
  raiseGroupRead(
    userId: number,
    groupId: number,
    messageId: number,
  ): Promise<{ id: number; sendId: number }[] | undefined>;
}

/** What a store does outside of transactions. */
export interface GroupMessageStore {
  /** How often people came or left since the store was opened, as far as it is committed; what was undone may count. */
  memberChanges(groupId: number): Promise<number>;
  /** The hot path, as `appendPrivate`. Refuses with `message.notInGroup` whose sender was removed, or left, before the commit. */
  appendGroup(message: NewGroupMessage): Promise<Appended<GroupMessageRow>>;
  /** What a pull has to send; a first one (minId 0) gives at most `firstMax` rows of each group. */
  startGroupPull(userId: number, window: PullWindow): Promise<GroupPull>;
  /** As `searchPrivate`, of everything that this person sees in groups. */
  searchGroupMessages(userId: number, search: GroupSearch): Promise<Found<GroupMessageRow>>;
}
