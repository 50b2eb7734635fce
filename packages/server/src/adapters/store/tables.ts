import type { LogoutReason } from "@parley/protocol/envelope";
import type { Generated } from "kysely";
import type { GroupMessageChangeTables } from "./group-message-change-tables.ts";
import type { GroupTables } from "./group-tables.ts";

/**
 * The tables as Kysely sees them. Column names are those of the port's rows, so that reading needs no
 * renaming. Booleans are 0 or 1, JSON is text, ids and times are whole numbers below 2^53: all three mean the
 * same in SQLite and PostgreSQL.
 */

export interface MetaTable {
  key: string;
  value: string;
}

export interface UserTable {
  id: number;
  userName: string;
  nickName: string;
  /**
   * Lower-cased names: what uniqueness and search compare, so that no database's own idea of case matters.
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

export interface FriendTable {
  ownerId: number;
  friendId: number;
  remarkNickName: string | null;
  isTop: number;
  msgRemind: number;
  isDeleted: number;
}

export interface FriendRequestTable {
  id: number;
  sendId: number;
  recvId: number;
  remark: string;
  source: number | null;
  status: number;
  applyTime: number;
}

export interface BlockTable {
  ownerId: number;
  otherId: number;
  createdAt: number;
}

/**
 * One person's side of a private chat; both sides are made together and share `chatId`. Lists a person's
 * chats (for pulls) and holds how far the person has read.
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
  /** The message it quotes; of an edit (7) the one that it changes. */
  quoteId: number | null;
  /** When its text was last changed. */
  editedAt: number | null;
  /** The notice (10) of its recall. */
  noticeId: number | null;
}

/** The edits (7) of each message, so that a recall finds them without an index on the messages. */
export interface PrivateEditTable {
  eventId: number;
  targetId: number;
}

/** Messages that one side of a chat no longer sees. */
export interface HiddenPrivateTable {
  ownerId: number;
  messageId: number;
  peerId: number;
  /** The owner's change number. */
  changed: number;
}

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

/** What counts per person: the last change number given, the read position of the system chat, the cleared marks. */
export interface UserStateTable {
  userId: number;
  lastChange: number;
  systemRead: number;
  systemReadChanged: number;
  /** Up to where this person has cleared: message ids, and a seqNo for the system chat. 0: never. */
  clearedPrivate: Generated<number>;
  clearedGroup: Generated<number>;
  clearedSystem: Generated<number>;
  clearedChanged: Generated<number>;
}

export interface InviteCodeTable {
  code: string;
  usesLeft: number;
  expiresAt: number | null;
}

export interface FileTable {
  url: string;
  userId: number | null;
  bytes: number;
  createdAt: number;
  /** `Use` of files.ts. */
  use: number;
}

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
