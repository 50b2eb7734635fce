import type { LogoutReason } from "@parley/protocol/envelope";
import type { Generated } from "kysely";
import type { GroupMessageChangeTables } from "./group-message-change-tables.ts";
import type { GroupTables } from "./group-tables.ts";

/**
 * The tables as Kysely sees them. Columns have the names of the port's rows, so that reading needs no
 * renaming. Booleans are 0 or 1, JSON is text, ids and times are whole numbers below 2^53: these mean the same
 * in SQLite and PostgreSQL.
 */

/** Single values of the database, such as its epoch. */
export interface MetaTable {
  key: string;
  value: string;
}

/** Accounts. */
export interface UserTable {
  id: number;
  userName: string;
  nickName: string;
  /**
   * Names in lower case, for uniqueness and search, so that the database's own rules for case do not matter.
   */
  userNameKey: string;
  nickNameKey: string;
  passwordHash: string;
  sex: number | null;
  signature: string | null;
  birthday: string | null;
  mobile: string | null;
  email: string | null;
  headImage: string | null;
  headImageThumb: string | null;
  isManualApprove: number;
  banReason: string | null;
  unregisteredAt: number | null;
  registeredAt: number;
  registerDevice: string | null;
}

/** Logins, including those that ended recently. */
export interface SessionTable {
  id: string;
  userId: number;
  terminal: number;
  deviceNo: string | null;
  device: string | null;
  os: string | null;
  browser: string | null;
  refreshSerial: number;
  refreshedAt: number;
  createdAt: number;
  lastSeenAt: number;
  expiresAt: number;
  endedAt: number | null;
  endReason: LogoutReason | null;
}

/** A friend from the view of one person, with that person's settings. */
export interface FriendTable {
  ownerId: number;
  friendId: number;
  remarkNickName: string | null;
  isTop: number;
  msgRemind: number;
  isDeleted: number;
}

/** Friend requests. */
export interface FriendRequestTable {
  id: number;
  sendId: number;
  recvId: number;
  remark: string;
  source: number | null;
  status: number;
  applyTime: number;
}

/** Who has blocked whom. */
export interface BlockTable {
  ownerId: number;
  otherId: number;
  createdAt: number;
}

/**
 * One person's side of a private chat. Both sides are created together and share `chatId`. Pulls read a
 * person's chats here, and the read position is stored here.
 */
export interface PrivateChatTable {
  id: number;
  ownerId: number;
  peerId: number;
  chatId: number;
  /** -1: nothing read. */
  readId: number;
  /** The owner's change number when this or the peer's position last moved; 0: never. */
  changed: number;
}

/** Rows are changed by edits and recalls but never deleted: the next id is counted from the newest. */
export interface PrivateMessageTable {
  id: number;
  chatId: number;
  tmpId: string | null;
  type: number;
  sendId: number;
  recvId: number;
  sendNickName: string;
  content: string;
  sendTime: number;
  tip: string | null;
  act: string | null;
  onlyFor: number | null;
  /** The quoted message; for an edit (7) the message that it changes. */
  quoteId: number | null;
  /** When its text was last changed. */
  editedAt: number | null;
  /** The id of the event (10) that recalled it. */
  noticeId: number | null;
}

/** The edits (7) of each message, so that a recall finds them without an index on the message table. */
export interface PrivateEditTable {
  eventId: number;
  targetId: number;
}

/** Messages that one person of a chat has deleted for themselves. */
export interface HiddenPrivateTable {
  ownerId: number;
  messageId: number;
  peerId: number;
  /** The owner's change number. */
  changed: number;
}

/** Messages of the system chats. */
export interface SystemMessageTable {
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
  groupRequestId: number | null;
  noticeId: number | null;
  /** The owner's change number when the row was last updated; 0: never. */
  changed: number;
}

/** State per person: the last assigned change number, the read position of the system chat, and what they have cleared. */
export interface UserStateTable {
  userId: number;
  lastChange: number;
  systemRead: number;
  systemReadChanged: number;
  /** Up to where this person has cleared their history: message ids, and a seqNo for the system chat. 0: never. */
  clearedPrivate: Generated<number>;
  clearedGroup: Generated<number>;
  clearedSystem: Generated<number>;
  clearedChanged: Generated<number>;
}

/** Invite codes for registration. */
export interface InviteCodeTable {
  code: string;
  usesLeft: number;
  expiresAt: number | null;
}

/** Uploaded files. */
export interface FileTable {
  url: string;
  userId: number | null;
  bytes: number;
  createdAt: number;
  /** A value of `FileUse`. */
  use: number;
}

/** Notices of administrators, and up to which user id they were sent. */
export interface NoticeTable {
  id: number;
  title: string;
  intro: string;
  richText: string | null;
  externLink: string | null;
  createdAt: number;
  lastUserId: number;
  reachedUserId: number;
}

/** All tables, by name. */
export interface Tables extends GroupTables, GroupMessageChangeTables {
  meta: MetaTable;
  user: UserTable;
  session: SessionTable;
  friend: FriendTable;
  friendRequest: FriendRequestTable;
  block: BlockTable;
  privateChat: PrivateChatTable;
  privateMessage: PrivateMessageTable;
  privateEdit: PrivateEditTable;
  hiddenPrivate: HiddenPrivateTable;
  systemMessage: SystemMessageTable;
  userState: UserStateTable;
  inviteCode: InviteCodeTable;
  file: FileTable;
  notice: NoticeTable;
}
