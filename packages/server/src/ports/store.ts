/**
 * The truth: everything that outlives the process. One interface for SQLite and PostgreSQL, with the contract
 * suite `testing/contracts/store-contract.ts`.
 *
 * Rules for every adapter:
 * 1. A promise of a write resolves after its commit is on disk (SQLite: WAL, synchronous=FULL), never before.
 * 2. Writes that arrive while a commit runs share the next one; one that fails is undone alone and rejects
 *    alone.
 * 3. Message ids and seqNos are given under the lock of the commit, so id order is commit order, on every
 *    node. sendTime never decreases with the id.
 * 4. (sendId, tmpId) is unique among private messages for ever: a repeated send returns the first row and writes
 *    nothing.
 * 5. Time comes in as an argument (epoch ms). Ids are numbers below 2^53.
 * 6. Reads see every write whose promise has resolved, and nothing of one that is not committed.
 * 7. When the disk fails a commit, all of its writes reject and `onFatal` is called; nothing is retried
 *    silently. With a full disk they reject too, but that is not fatal: the commit is rolled back, and later
 *    writes are tried as usual.
 */
import type { ChatType } from "@parley/protocol/codes";
import type { LogoutReason } from "@parley/protocol/envelope";
import type { CallResult, Tip } from "@parley/protocol/message";
import type {
  GroupMessageReads,
  GroupMessageStore,
  GroupMessageWrites,
  GroupReceipt,
} from "./group-message-store.ts";
import type { GroupReads, GroupWrites } from "./group-store.ts";
import type { Appended, MessageEdit, MessageRecall, QuotedRow } from "./stored-message.ts";

/** The database of the server. */
export interface Store extends Reads, GroupMessageStore {
  /** Random, created with the database and changed by a restore. Clients that know another epoch pull from 0. */
  readonly epoch: string;
  /**
   * Runs `work` as one transaction. If it throws, only this transaction is rolled back, and the promise rejects.
   * It must not wait for anything but `tx`, or it is rejected, because everybody's writes wait for it.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
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
  /** Whether reads and writes work at this moment (`/readyz`). */
  isReady(): Promise<boolean>;
  /** Finishes the running writes and closes. */
  close(): Promise<void>;
}

// Rows

/** An account. */
export interface UserRow {
  id: number;
  userName: string;
  nickName: string;
  passwordHash: string;
  sex: number | null;
  signature: string | null;
  birthday: string | null;
  mobile: string | null;
  email: string | null;
  headImage: string | null;
  headImageThumb: string | null;
  isManualApprove: boolean;
  /** Why the account is banned; null if it is not. */
  banReason: string | null;
  unregisteredAt: number | null;
  registeredAt: number;
  registerDevice: string | null;
}

/** A session: what a login creates. */
export interface SessionRow {
  id: string;
  userId: number;
  terminal: number;
  deviceNo: string | null;
  device: string | null;
  os: string | null;
  browser: string | null;
  /** Serial of the newest refresh token; it rises by one with each rotation. */
  refreshSerial: number;
  /** When `refreshSerial` was issued. */
  refreshedAt: number;
  createdAt: number;
  lastSeenAt: number;
  expiresAt: number;
  endedAt: number | null;
  /** Why it ended; null if it has not ended or the reason is unknown. */
  endReason: LogoutReason | null;
}

/** One direction of a friendship: the settings of `ownerId` for `friendId`. */
export interface FriendRow {
  ownerId: number;
  friendId: number;
  remarkNickName: string | null;
  isTop: boolean;
  msgRemind: number;
  isDeleted: boolean;
}

/** A friend request. */
export interface RequestRow {
  id: number;
  sendId: number;
  recvId: number;
  remark: string;
  /** `RequestSource`; null if unknown. */
  source: number | null;
  /** `RequestStatus`. */
  status: number;
  applyTime: number;
}

/** A private message to append. */
export interface NewPrivateMessage {
  tmpId: string | null;
  type: number;
  sendId: number;
  recvId: number;
  sendNickName: string;
  content: string;
  /** The wanted time, epoch ms. The store may choose a later one to keep the order. */
  sendTime: number;
  tip?: Tip;
  act?: CallResult;
  /** Only this person sees the row. */
  onlyFor?: number;
  /** The row that it quotes, read in the same transaction. For an edit (7), the row that it changes. */
  quote?: QuotedRow;
}

/** A stored private message. */
export interface PrivateRow {
  id: number;
  tmpId: string | null;
  type: number;
  sendId: number;
  recvId: number;
  sendNickName: string;
  content: string;
  sendTime: number;
  tip: Tip | null;
  act: CallResult | null;
  onlyFor: number | null;
  quote: QuotedRow | null;
  /** When its text was last changed. */
  editedAt: number | null;
  /** The id of its recall event (10); null if it is not recalled. */
  noticeId: number | null;
}

/** A message to append to a system chat. */
export interface NewSystemMessage {
  userId: number;
  type: number;
  title: string | null;
  intro: string | null;
  coverUrl: string | null;
  content: string;
  sendTime: number;
  /** The friend request that this message is about, so that the message can show its state. */
  requestId?: number;
  /** The request to join a group that this message is about. */
  groupRequestId?: number;
  /** The notice that has the body of this message. */
  noticeId?: number;
}

/** A stored message of a system chat. */
export interface SystemRow {
  id: number;
  userId: number;
  seqNo: number;
  type: number;
  title: string | null;
  intro: string | null;
  coverUrl: string | null;
  content: string;
  sendTime: number;
  requestId: number | null;
  noticeId: number | null;
}

/** A notice of an administrator. The receivers' system messages refer to it. It has `richText`, `externLink` or both. */
export interface NoticeRow {
  id: number;
  title: string;
  intro: string;
  /** Sanitised HTML. */
  richText: string | null;
  externLink: string | null;
  createdAt: number;
  /** It goes to everybody up to this id; 0 if it was for some people only. */
  lastUserId: number;
  /** Everybody up to this id has got it. */
  reachedUserId: number;
}

/**
 * Read positions of one chat as one person sees them; -1 is none. The system chat: target 0, positions are
 * seqNos, no `theirs`.
 */
export interface ReadPositions {
  type: ChatType;
  targetId: number;
  mine: number;
  theirs: number;
}

/** State that changed for a person after a change number. */
export interface ChangeSet {
  next: number;
  read: ReadPositions[];
  /** Clear marks. That of the system chat is a seqNo. */
  cleared: { type: ChatType; upTo: number }[];
  /** Hidden messages by chat, without those that have been cleared since. */
  hidden: { type: ChatType; targetId: number; ids: number[] }[];
  /** People whose messages in a group up to this id were removed for everybody. */
  purged: { groupId: number; userId: number; upTo: number }[];
  /** Receipts of the person's own group messages that others have read. */
  receipts: GroupReceipt[];
  system: SystemRow[];
}

/** Which page of a history is wanted. */
export type HistoryPage =
  | { from: "newest"; size: number }
  | { from: "before"; id: number; size: number }
  | { from: "after"; id: number; size: number }
  | { from: "around"; id: number; size: number }
  | { from: "time"; at: number; size: number }
  | { from: "page"; page: number; size: number };

/** What to search for. */
export interface MessageSearch {
  text: string;
  sendId?: number;
  types?: readonly number[];
  /** Epoch ms, both inclusive. */
  from?: number;
  to?: number;
  /** Only rows with lower ids: the `next` of the page before. */
  below?: number;
  size: number;
  /** The highest `total`. */
  totalMax: number;
}

export interface PrivateSearch extends MessageSearch {
  friendId?: number;
}

/** A page of search results. */
export interface Found<Row> {
  rows: Row[];
  /** The number of rows on all pages. */
  total: number;
  /** Where the next page continues; null if there is none. */
  next: number | null;
  /** How many rows had to be read. */
  scannedRows: number;
}

/** What a pull asks for. */
export interface PullWindow {
  /** The highest id that the client has; 0 if it has nothing. */
  minId: number;
  /** Rows stored up to this long before the cursor's row are sent again. */
  overlapMs: number;
  /** Rows older than this time are left out. Clients get them from the history. */
  notBefore: number;
  /** A first pull (minId 0) has at most this many rows, the newest. */
  firstMax: number;
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

// Reads

/** Everything that can be read, inside and outside of a transaction. */
export interface Reads extends GroupReads, GroupMessageReads {
  findUser(id: number): Promise<UserRow | undefined>;
  /** Compares case-insensitively. */
  findUserByName(userName: string): Promise<UserRow | undefined>;
  /** In no particular order; unknown ids are left out. Any number of ids. */
  findUsers(ids: readonly number[]): Promise<UserRow[]>;
  /**
   * People with the part in their user name or nickname, by id. Case-insensitive, without wildcards, and without
   * banned or deregistered people.
   */
  searchUsers(part: string, limit: number): Promise<UserRow[]>;

  /** Everybody, banned and deregistered people too: ids above `after`, ascending. */
  listUsers(after: number, limit: number): Promise<UserRow[]>;
  /** 0 if there are no people. */
  newestUserId(): Promise<number>;

  findSession(id: string): Promise<SessionRow | undefined>;
  /** Only sessions that have neither ended nor expired. */
  listSessions(userId: number, now: number): Promise<SessionRow[]>;

  /** Includes deleted friends. */
  listFriends(ownerId: number): Promise<FriendRow[]>;
  findFriend(ownerId: number, friendId: number): Promise<FriendRow | undefined>;
  /** Ids of people who have `userId` as a friend that is not deleted. */
  listFriendIdsOf(userId: number): Promise<number[]>;
  findRequest(id: number): Promise<RequestRow | undefined>;
  findPendingRequest(sendId: number, recvId: number): Promise<RequestRow | undefined>;
  /** Pending requests: received ones before sent ones, each newest first. */
  listPendingRequests(userId: number): Promise<RequestRow[]>;
  countPendingRequests(side: "sent" | "received", userId: number): Promise<number>;
  isBlocked(ownerId: number, otherId: number): Promise<boolean>;
  listBlocked(ownerId: number): Promise<number[]>;
  /** Ids of people who have blocked `userId`. */
  listBlockers(userId: number): Promise<number[]>;

  findPrivate(id: number): Promise<PrivateRow | undefined>;
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

  /** Rows with seqNo > after, ascending. */
  listSystem(userId: number, after: number, limit: number): Promise<SystemRow[]>;
  /** 0 if there is none. */
  newestSystemSeqNo(userId: number): Promise<number>;
  /** -1 if nothing was read. */
  systemReadPosition(userId: number): Promise<number>;
  /** The system message about a friend request, in the receiver's system chat; undefined if it was cleared. */
  findSystemByRequest(requestId: number): Promise<SystemRow | undefined>;
  /** The system messages about a request to join a group, one for each owner or admin, without cleared ones. */
  listSystemByGroupRequest(groupRequestId: number): Promise<SystemRow[]>;
  /** Undefined also for a message that its owner has cleared. */
  findSystem(id: number): Promise<SystemRow | undefined>;
  findNotice(id: number): Promise<NoticeRow | undefined>;
  /** The notices that have not reached all of their receivers, oldest first. */
  listUnfinishedNotices(): Promise<NoticeRow[]>;

  /** Everything that changed after `since`; 0 means from the beginning. */
  listChanges(userId: number, since: number): Promise<ChangeSet>;

  /** Bytes this person has uploaded since a time. */
  uploadedBytes(userId: number, since: number): Promise<number>;
  /** Whether this server issued the url (`/files/...`) and still has the file. */
  isIssuedFile(url: string): Promise<boolean>;

  /** `banned` does not count deregistered people. */
  countUsers(): Promise<{ all: number; banned: number; unregistered: number }>;
  /** Counts private and group messages. This takes a while in a large store, but does not block other work. */
  countMessages(): Promise<number>;
  countFiles(): Promise<{ count: number; bytes: number }>;
}

// Writes, inside a transaction

export type NewUser = Omit<
  UserRow,
  | "id"
  | "isManualApprove"
  | "banReason"
  | "unregisteredAt"
  | "sex"
  | "signature"
  | "birthday"
  | "mobile"
  | "email"
>;

export type ProfilePatch = Partial<
  Pick<
    UserRow,
    "nickName" | "sex" | "signature" | "birthday" | "mobile" | "email" | "headImage" | "headImageThumb"
  >
>;

/** One transaction. */
export interface Tx extends Reads, GroupWrites, GroupMessageWrites {
  /** Gives the store another epoch, from its next opening on. */
  renewEpoch(): Promise<void>;

  /** Undefined if the name is taken (case-insensitively). */
  insertUser(user: NewUser): Promise<UserRow | undefined>;
  updateUser(id: number, patch: ProfilePatch): Promise<void>;
  setPasswordHash(id: number, hash: string): Promise<void>;
  setManualApprove(id: number, enabled: boolean): Promise<void>;
  /** Null lifts the ban. */
  setBanReason(id: number, reason: string | null): Promise<void>;
  setUnregistered(id: number, at: number): Promise<void>;

  insertSession(session: SessionRow): Promise<void>;
  updateSession(
    id: string,
    patch: Partial<
      Pick<SessionRow, "refreshSerial" | "refreshedAt" | "lastSeenAt" | "expiresAt" | "endedAt" | "endReason">
    >,
  ): Promise<void>;
  /** Ends all sessions of a person but one, expired ones too, because their sockets may still be open. Returns the ended ids. */
  endSessions(userId: number, exceptId: string | null, reason: LogoutReason, now: number): Promise<string[]>;
  /** Deletes sessions that ended or expired before this time and gave no sign of life since. Returns how many. */
  forgetSessions(before: number, limit: number): Promise<number>;
  /** Moves `lastSeenAt` of these sessions up to the given times, never down. */
  touchSessions(lastSeenAt: readonly (readonly [id: string, at: number])[]): Promise<void>;

  /** Inserts, or brings a deleted row back (remark and settings stay). */
  upsertFriend(ownerId: number, friendId: number): Promise<FriendRow>;
  updateFriend(
    ownerId: number,
    friendId: number,
    patch: Partial<Pick<FriendRow, "remarkNickName" | "isTop" | "msgRemind" | "isDeleted">>,
  ): Promise<void>;
  insertRequest(request: Omit<RequestRow, "id" | "source"> & { source?: number | null }): Promise<RequestRow>;
  setRequestStatus(id: number, status: number): Promise<void>;
  block(ownerId: number, otherId: number, now: number): Promise<void>;
  unblock(ownerId: number, otherId: number): Promise<void>;

  appendPrivate(message: NewPrivateMessage): Promise<Appended<PrivateRow>>;
  /** Stores the new text of a message and links its event (7). */
  editPrivate(edit: MessageEdit): Promise<void>;
  /**
   * Replaces a message by the tip about its recall, and removes the texts of its edits: nothing of its content
   * stays in the tables.
   */
  recallPrivate(recall: MessageRecall): Promise<void>;
  /**
   * Hides rows of one chat from this person only, and ignores rows that this person does not see. Returns whether
   * any was hidden; then the person gets a change number.
   */
  hidePrivateMessages(userId: number, friendId: number, ids: readonly number[]): Promise<boolean>;
  /** Moves this person's clear marks to the newest messages: the person sees nothing up to now any more, and gets a change number. */
  clearMessages(userId: number): Promise<void>;
  /**
   * Moves the read position up, never down. Returns whether it moved; then the reader and the friend get a change
   * number.
   */
  raisePrivateRead(userId: number, friendId: number, messageId: number): Promise<boolean>;

  /** Gives the person's next seqNo, without gaps. */
  appendSystem(message: NewSystemMessage): Promise<SystemRow>;
  /** Stores the new content of a system message (a handled request). Its owner gets a change number. */
  updateSystem(id: number, content: string): Promise<SystemRow>;
  raiseSystemRead(userId: number, seqNo: number): Promise<boolean>;

  /** False if the code is unknown, used up or expired. */
  useInviteCode(code: string, now: number): Promise<boolean>;
  insertInviteCode(code: string, uses: number, expiresAt: number | null): Promise<void>;

  insertNotice(notice: Omit<NoticeRow, "id">): Promise<NoticeRow>;
  setNoticeReached(id: number, userId: number): Promise<void>;

  insertFile(file: { url: string; userId: number | null; bytes: number; createdAt: number }): Promise<void>;
  /** Keeps a file because an account, a group or a message uses it. False if this server did not issue it or has deleted it. */
  claimFile(url: string): Promise<boolean>;
  /**
   * Marks files created before this time that no write has claimed, so that they cannot be claimed any more. Returns their urls, also of
   * those marked earlier.
   */
  markFilesForDeletion(before: number, limit: number): Promise<string[]>;
  /** Deletes the rows of files after their bytes are deleted. */
  deleteFileRows(urls: readonly string[]): Promise<void>;
}
