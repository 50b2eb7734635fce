/**
 * The truth: everything that outlives the process. One interface for SQLite and PostgreSQL, held to
 * `testing/contracts/store-contract.ts`.
 *
 * Rules for every adapter:
 * 1. A promise of a write resolves after its commit is on disk (SQLite: WAL, synchronous=FULL), never before.
 * 2. Writes that arrive while a commit runs share the next one; one that fails is undone alone and rejects
 *    alone.
 * 3. Message ids and seqNos are given under the lock of the commit, so id order is commit order, on every
 *    node. sendTime never decreases with the id.
 * 4. (sendId, tmpId) is unique among private messages for ever: a repeat answers the first row and writes
 *    nothing.
 * 5. Time comes in as an argument (epoch ms). Ids are numbers below 2^53.
 * 6. Reads see every write whose promise has resolved, and nothing of one that is not committed.
 * 7. When the disk fails a commit, all of its writes reject and `onFatal` is told; nothing is retried
 *    silently. A full disk refuses them too but is not fatal: it undoes cleanly, and later writes are tried
 *    as they come.
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

export interface Store extends Reads, GroupMessageStore {
  /** Random, made with the database, changed by a restore: clients that know another one pull from 0. */
  readonly epoch: string;
  /**
   * Runs `work` as one transaction; what it throws undoes it alone and rejects. It must not wait for anything
   * but `tx`: one that does is refused, since everybody's writes wait behind it.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * The hot path: appends a message in a shared commit. Answers the row, and whether it is new (else: the
   * tmpId was known).
   */
  appendPrivate(message: NewPrivateMessage): Promise<Appended<PrivateRow>>;
  /**
   * Private messages of this person by their words (`protocol/search-text.ts`), the newest first. Whatever
   * was stored when it is asked is found, but right after a very large import.
   */
  searchPrivate(userId: number, search: PrivateSearch): Promise<Found<PrivateRow>>;
  /** Whether reads and writes work at this moment (`/readyz`). */
  isReady(): Promise<boolean>;
  /** Finishes the writes under way and closes. */
  close(): Promise<void>;
}

// Rows

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
  /** Why the account is banned; null: it is not. */
  banReason: string | null;
  unregisteredAt: number | null;
  registeredAt: number;
  registerDevice: string | null;
}

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
  /** When `refreshSerial` was made. */
  refreshedAt: number;
  createdAt: number;
  lastSeenAt: number;
  expiresAt: number;
  endedAt: number | null;
  /** Why it ended; null: it has not, or nobody has noted it. */
  endReason: LogoutReason | null;
}

/** One direction of a friendship: what `ownerId` has noted about `friendId`. */
export interface FriendRow {
  ownerId: number;
  friendId: number;
  remarkNickName: string | null;
  isTop: boolean;
  msgRemind: number;
  isDeleted: boolean;
}

export interface RequestRow {
  id: number;
  sendId: number;
  recvId: number;
  remark: string;
  /** `RequestSource`; null: not told. */
  source: number | null;
  /** `RequestStatus`. */
  status: number;
  applyTime: number;
}

export interface NewPrivateMessage {
  tmpId: string | null;
  type: number;
  sendId: number;
  recvId: number;
  sendNickName: string;
  content: string;
  /** Wished time, epoch ms; the store may give a later one to keep the order. */
  sendTime: number;
  tip?: Tip;
  act?: CallResult;
  /** Only this person ever sees the row. */
  onlyFor?: number;
  /** The row that it quotes, as it stands in the same transaction; of an edit (7) the row that it changes. */
  quote?: QuotedRow;
}

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
  /** The notice (10) of its recall; null: not recalled. */
  noticeId: number | null;
}

export interface NewSystemMessage {
  userId: number;
  type: number;
  title: string | null;
  intro: string | null;
  coverUrl: string | null;
  content: string;
  sendTime: number;
  /** Friend request this message is about, so that its state can follow. */
  requestId?: number;
  /** Likewise the request to join a group. */
  groupRequestId?: number;
  /** The notice whose body belongs to it. */
  noticeId?: number;
}

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

/** What an administrator tells people; their system messages name it. One of `richText` and `externLink` is there. */
export interface NoticeRow {
  id: number;
  title: string;
  intro: string;
  /** Sanitised HTML. */
  richText: string | null;
  externLink: string | null;
  createdAt: number;
  /** It goes to everybody up to this id; 0 when it was for some people only. */
  lastUserId: number;
  /** Everybody up to this id has it. */
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
  /** Cleared marks; the system chat's is a seqNo. */
  cleared: { type: ChatType; upTo: number }[];
  /** By chat; what was cleared since is left out. */
  hidden: { type: ChatType; targetId: number; ids: number[] }[];
  /** People whose messages in a group are gone for everybody, up to this id. */
  purged: { groupId: number; userId: number; upTo: number }[];
  /** Own messages with receipt, of groups in which others have read some. */
  receipts: GroupReceipt[];
  system: SystemRow[];
}

export type HistoryPage =
  | { from: "newest"; size: number }
  | { from: "before"; id: number; size: number }
  | { from: "after"; id: number; size: number }
  | { from: "around"; id: number; size: number }
  | { from: "time"; at: number; size: number }
  | { from: "page"; page: number; size: number };

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
  /** `total` counts no further. */
  totalMax: number;
}

export interface PrivateSearch extends MessageSearch {
  friendId?: number;
}

export interface Found<Row> {
  rows: Row[];
  /** Of all pages. */
  total: number;
  /** Null: that was all. */
  next: number | null;
  /** How many rows had to be read. */
  scannedRows: number;
}

export interface PullWindow {
  /** Highest id the asking client has; 0: it has nothing. */
  minId: number;
  /** Rows stored this long before the cursor's row are answered again. */
  overlapMs: number;
  /** Rows older than this time are left out (they come by history). */
  notBefore: number;
  /** A first pull (minId 0) gives at most this many, the newest. */
  firstMax: number;
}

export interface PullStart {
  /** First id to send, inclusive; `upTo + 1` when nothing follows. */
  fromId: number;
  /** Last id at the moment of asking, over everybody's messages of this kind. */
  upTo: number;
  /** Rows between the cursor and `fromId` were left out. */
  isTruncated: boolean;
}

// Reads

export interface Reads extends GroupReads, GroupMessageReads {
  findUser(id: number): Promise<UserRow | undefined>;
  /** Compares case-insensitively. */
  findUserByName(userName: string): Promise<UserRow | undefined>;
  /** In no particular order; unknown ids are left out. Any number of ids. */
  findUsers(ids: readonly number[]): Promise<UserRow[]>;
  /**
   * Substring of user name or nickname, case-insensitive, no wildcards; nobody banned or deregistered; by id.
   */
  searchUsers(part: string, limit: number): Promise<UserRow[]>;

  /** Everybody, banned and deregistered people too: ids above `after`, ascending. */
  listUsers(after: number, limit: number): Promise<UserRow[]>;
  /** 0: nobody is there. */
  newestUserId(): Promise<number>;

  findSession(id: string): Promise<SessionRow | undefined>;
  /** Not ended and not expired. */
  listSessions(userId: number, now: number): Promise<SessionRow[]>;

  /** Deleted ones included. */
  listFriends(ownerId: number): Promise<FriendRow[]>;
  findFriend(ownerId: number, friendId: number): Promise<FriendRow | undefined>;
  /** Ids of people who have `userId` as a friend that is not deleted. */
  listFriendIdsOf(userId: number): Promise<number[]>;
  findRequest(id: number): Promise<RequestRow | undefined>;
  findPendingRequest(sendId: number, recvId: number): Promise<RequestRow | undefined>;
  /** Pending ones, received first, newest first. */
  listPendingRequests(userId: number): Promise<RequestRow[]>;
  countPendingRequests(side: "sent" | "received", userId: number): Promise<number>;
  isBlocked(ownerId: number, otherId: number): Promise<boolean>;
  listBlocked(ownerId: number): Promise<number[]>;
  /** Ids of people who have blocked `userId`. */
  listBlockers(userId: number): Promise<number[]>;

  findPrivate(id: number): Promise<PrivateRow | undefined>;
  /** Undefined also for a row that this person does not see (any more). */
  findVisiblePrivate(userId: number, id: number): Promise<PrivateRow | undefined>;
  /** Whether this person sees, in the chat with that friend, a row that quotes this one. */
  seesPrivateQuote(userId: number, friendId: number, id: number): Promise<boolean>;
  findPrivateByTmpId(sendId: number, tmpId: string): Promise<PrivateRow | undefined>;
  /** Where a pull of private messages starts and ends for this person. */
  startPrivatePull(userId: number, window: PullWindow): Promise<PullStart>;
  /** This person's private rows with fromId <= id <= upTo, ascending, at most `limit`. */
  listPrivate(userId: number, fromId: number, upTo: number, limit: number): Promise<PrivateRow[]>;
  /** before, newest, page: newest first; the others ascending. */
  privateHistory(userId: number, friendId: number, page: HistoryPage): Promise<PrivateRow[]>;
  /** Of days that begin at these times, the last one being an end: those on which this person sees a message of the chat, ascending. */
  privateDays(userId: number, friendId: number, starts: readonly number[]): Promise<number[]>;
  /** Newest row of the chat that this person can see; 0 for none. */
  newestPrivateId(userId: number, friendId: number): Promise<number>;
  /** Of every private chat, or one entry for each friend given. */
  privateReadPositions(userId: number, friendIds?: readonly number[]): Promise<ReadPositions[]>;
  /** Highest id of `userId`'s own messages to `friendId` that the friend has read; -1 for none. */
  maxReadedId(userId: number, friendId: number): Promise<number>;

  /** Rows with seqNo > after, ascending. */
  listSystem(userId: number, after: number, limit: number): Promise<SystemRow[]>;
  /** 0: none. */
  newestSystemSeqNo(userId: number): Promise<number>;
  /** -1: nothing read. */
  systemReadPosition(userId: number): Promise<number>;
  /** The system message about a friend request, in the receiver's system chat; none once it was cleared. */
  findSystemByRequest(requestId: number): Promise<SystemRow | undefined>;
  /** The system messages about a request to join a group, one for each who led it; cleared ones are left out. */
  listSystemByGroupRequest(groupRequestId: number): Promise<SystemRow[]>;
  /** Undefined also for one that its owner has cleared. */
  findSystem(id: number): Promise<SystemRow | undefined>;
  findNotice(id: number): Promise<NoticeRow | undefined>;
  /** Those that have not reached everybody they are for; the oldest first. */
  listUnfinishedNotices(): Promise<NoticeRow[]>;

  /** Everything that changed after `since` (0: all there is). */
  listChanges(userId: number, since: number): Promise<ChangeSet>;

  /** Bytes this person has uploaded since a time. */
  uploadedBytes(userId: number, since: number): Promise<number>;
  /** Whether this server issued the url (`/files/...`) and still has the file. */
  isIssuedFile(url: string): Promise<boolean>;

  /** `banned` leaves out who is deregistered. */
  countUsers(): Promise<{ all: number; banned: number; unregistered: number }>;
  /** Private ones and those of groups. Of a large store it takes a while, but holds nobody up. */
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

export interface Tx extends Reads, GroupWrites, GroupMessageWrites {
  /** From its next opening on the store has another epoch. */
  renewEpoch(): Promise<void>;

  /** undefined: the name is taken (case-insensitively). */
  insertUser(user: NewUser): Promise<UserRow | undefined>;
  updateUser(id: number, patch: ProfilePatch): Promise<void>;
  setPasswordHash(id: number, hash: string): Promise<void>;
  setManualApprove(id: number, enabled: boolean): Promise<void>;
  /** null lifts the ban. */
  setBanReason(id: number, reason: string | null): Promise<void>;
  setUnregistered(id: number, at: number): Promise<void>;

  insertSession(session: SessionRow): Promise<void>;
  updateSession(
    id: string,
    patch: Partial<
      Pick<SessionRow, "refreshSerial" | "refreshedAt" | "lastSeenAt" | "expiresAt" | "endedAt" | "endReason">
    >,
  ): Promise<void>;
  /** Ends all of a person's sessions but one, expired ones too: a socket of theirs may still be open. Answers the ended ids. */
  endSessions(userId: number, exceptId: string | null, reason: LogoutReason, now: number): Promise<string[]>;
  /** Removes sessions that ended or expired before this time and gave no sign of life since; answers how many. */
  forgetSessions(before: number, limit: number): Promise<number>;
  /** Moves `lastSeenAt` of these sessions up to the given times, never down. */
  touchSessions(seen: readonly (readonly [id: string, at: number])[]): Promise<void>;

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
  /** New text of a message, and the stored event (7) that tells of it. */
  editPrivate(edit: MessageEdit): Promise<void>;
  /**
   * Overwrites a message by the tip that tells of its recall, and takes the texts out of its edits: nothing
   * of what it said stays in the tables.
   */
  recallPrivate(recall: MessageRecall): Promise<void>;
  /**
   * Hides rows of one chat from this person alone; ids that this person does not see are left out. Answers
   * whether any was hidden; then a change number is given to the person.
   */
  hidePrivateMessages(userId: number, friendId: number, ids: readonly number[]): Promise<boolean>;
  /** Moves this person's cleared marks to the head: nothing up to now is seen again. Gives a change number. */
  clearMessages(userId: number): Promise<void>;
  /**
   * Moves up, never down. Answers whether it moved; then a change number is given to the reader and to the
   * friend.
   */
  raisePrivateRead(userId: number, friendId: number, messageId: number): Promise<boolean>;

  /** Gives the person's next seqNo, without gaps. */
  appendSystem(message: NewSystemMessage): Promise<SystemRow>;
  /** New content of a system message (a handled request); a change number is given to its owner. */
  updateSystem(id: number, content: string): Promise<SystemRow>;
  raiseSystemRead(userId: number, seqNo: number): Promise<boolean>;

  /** False: unknown, used up or expired. */
  useInviteCode(code: string, now: number): Promise<boolean>;
  insertInviteCode(code: string, uses: number, expiresAt: number | null): Promise<void>;

  insertNotice(notice: Omit<NoticeRow, "id">): Promise<NoticeRow>;
  setNoticeReached(id: number, userId: number): Promise<void>;

  insertFile(file: { url: string; userId: number | null; bytes: number; createdAt: number }): Promise<void>;
  /** An account or a message names it: it stays. False: not issued by this server, or already gone. */
  claimFile(url: string): Promise<boolean>;
  /** Marks files made before this time that nobody took, so that nobody can take them any more; answers their urls, those marked earlier too. */
  markFilesForDeletion(before: number, limit: number): Promise<string[]>;
  /** Their bytes are deleted. */
  deleteFileRows(urls: readonly string[]): Promise<void>;
}
