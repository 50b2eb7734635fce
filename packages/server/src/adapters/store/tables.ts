import type { ChatType } from "@parley/protocol/codes";
import type { Generated } from "kysely";
import type { GroupMessageChangeTables } from "./group-message-change-tables.ts";
import type { SessionRow, UserRow } from "../../ports/account-store.ts";
import type { AuditRow } from "../../ports/admin-store.ts";
import type { CallMemberRow, CallRow } from "../../ports/call-store.ts";
import type { FriendRow, RequestRow } from "../../ports/contact-store.ts";
import type { NamingMessage } from "../../ports/file-store.ts";
import type { NoticeRow } from "../../ports/notice-store.ts";
import type { NodeRow } from "../../ports/server-state-store.ts";
import type { SystemRow } from "../../ports/system-message-store.ts";
import type { WebPushSubscription } from "../../ports/web-push-store.ts";
import type { StoredMessage } from "../../ports/stored-message.ts";
import type { Columns } from "./columns.ts";
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
export interface UserTable extends Columns<UserRow> {
  /**
   * Names in lower case, for uniqueness and search, so that the database's own rules for case do not matter.
   */
  userNameKey: string;
  nickNameKey: string;
}

/** Logins, including those that ended recently. */
export type SessionTable = Columns<SessionRow>;

/** A friend from the view of one person, with that person's settings. */
export type FriendTable = Columns<FriendRow>;

/** Friend requests. */
export type FriendRequestTable = Columns<RequestRow>;

/** The people who have lately found somebody by their complete user name. */
export interface FoundPersonTable {
  finderId: number;
  personId: number;
  foundAt: number;
}

/** Who has blocked whom. */
export interface BlockTable {
  ownerId: number;
  otherId: number;
  createdAt: number;
}

/**
 * One person's side of a private chat. Both sides are created together and share `chatId`, which is negative, because the chat of a group has
 * the id of the group. Pulls read a person's chats here, and the read position is stored here.
 */
export interface PrivateChatTable {
  id: number;
  ownerId: number;
  peerId: number;
  chatId: number;
  /** -1: nothing read. */
  readId: number;
  /** The part of `readId` that the peer was told, if it is less; null: all of it. */
  toldId: number | null;
  /** The owner's change number when this position or what is told of the peer's last moved; 0: never. */
  changed: number;
}

/** Messages of all chats. Rows are changed by edits and recalls but never deleted: the next id is counted from the newest. */
export interface MessageTable extends Columns<Omit<StoredMessage, "tip" | "act" | "quote">> {
  /** Positive: the group with this id. Negative: the private chat that has it in `PrivateChatTable`. */
  chatId: number;
  /** The person to whom a private message was sent; 0 in a group. */
  recvId: number;
  /** The role of the sender in the group; 0 in a private chat. */
  sendRole: number;
  /** JSON, as is `act`. */
  tip: string | null;
  act: string | null;
  /** The quoted message; for an edit (7) the message that it changes. */
  quoteId: number | null;
  /** A JSON array of user ids; null: nobody is mentioned. */
  atUserIds: string | null;
  receipt: number;
}

/** The edits (7) of each message, so that a recall finds them without an index on the message table. */
export interface MessageEditTable {
  eventId: number;
  targetId: number;
}

/** What people did to messages after they were sent. */
export interface MessageExtraTable {
  messageId: number;
  /** As in `MessageTable`. */
  chatId: number;
  /** Of all messages, rises with each change. */
  v: number;
  /** What everybody sees of it, as JSON. */
  state: string;
}

/** The pinned messages, by chat. Who pinned one, and when, is in its extra. */
export interface MessagePinTable {
  messageId: number;
  /** As in `MessageTable`. */
  chatId: number;
  /** The version of the extra that it made, which orders them. */
  v: number;
}

/** The keys that people have chosen, such as reactions. */
export interface MessageTallyTable {
  messageId: number;
  userId: number;
  /** A `TallyKind`. */
  kind: string;
  key: string;
  /** The version of the extra that the choice made. */
  v: number;
  at: number;
}

/** When polls end that are not closed. */
export interface PollEndTable {
  messageId: number;
  /** Epoch ms. */
  closesAt: number;
}

/** What people have set for chats. */
export interface ChatPrefTable {
  userId: number;
  type: ChatType;
  /** The other person or the group; 0 in the system chat. */
  targetId: number;
  /** The person's change number. */
  changed: number;
  /** JSON. */
  prefs: string;
}

/** The messages that people have saved for themselves. What is no longer saved stays, so that the change feed can say so. */
export interface SavedMessageTable {
  userId: number;
  messageId: number;
  /** As in `MessageTable`. */
  chatId: number;
  /** The person's change number. */
  changed: number;
  /** Since when it is saved; null: no longer. */
  at: number | null;
  note: string;
  /** A JSON array. */
  tags: string;
}

/** Messages that one person has deleted for themselves. */
export interface HiddenMessageTable {
  ownerId: number;
  messageId: number;
  /** The owner's change number. */
  changed: number;
}

/** Messages of the system chats. */
export interface SystemMessageTable extends Columns<SystemRow> {
  groupRequestId: number | null;
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
  /** In hexadecimal; null while the file is being uploaded. */
  sha256: string | null;
  createdAt: number;
  /** A value of `FileUse`. */
  use: number;
}

/** Which stored message, or which open report of one, names which uploaded file. */
export interface MessageFileTable {
  /** What names the file: a message in a private chat or in a group, or a report. */
  chatType: NamingMessage["chatType"] | "REPORT";
  /** The id of the message or report. */
  messageId: number;
  /** Who wrote the message. */
  sendId: number;
  url: string;
}

/** Deleted files that still count for the quota of the day. */
export interface DeletedUploadTable {
  userId: number;
  /** The time of the upload. */
  createdAt: number;
  bytes: number;
}

/** Notices of administrators, and up to which user id they were sent. */
export type NoticeTable = Columns<NoticeRow>;

/** What administrators did. A trigger refuses changes. */
export type AdminAuditTable = Columns<AuditRow>;

/** Reports of abuse. The columns of the message are null if a person was reported, those of the closure while it is open. */
export interface ReportTable {
  id: number;
  reporterId: number;
  personId: number;
  chatType: string | null;
  messageId: number | null;
  groupId: number | null;
  messageType: number | null;
  content: string | null;
  sendTime: number | null;
  reason: string;
  text: string;
  createdAt: number;
  closedAt: number | null;
  closedById: number | null;
  outcome: string | null;
  note: string | null;
}

/** Settings that administrators have set. */
export interface ServerSettingTable {
  name: string;
  json: string;
}

/** The nodes of the server. */
export interface NodeTable extends Omit<NodeRow, "roles"> {
  /** Joined by commas. */
  roles: string;
}

/** The devices that are told by web push. */
export type WebPushSubscriptionTable = Columns<WebPushSubscription>;

/** Running calls. */
export interface CallTable extends Omit<CallRow, "heldCandidates" | "groupId" | "calleeId"> {
  /** Exactly one of these two is null. */
  groupId: number | null;
  calleeId: number | null;
  /** A JSON array of texts. */
  heldCandidates: string;
}

/** People in calls. */
export interface CallMemberTable extends Omit<
  CallMemberRow,
  "client" | "failedClients" | "isCamera" | "isMicroPhone" | "isShareScreen"
> {
  isCamera: number;
  isMicroPhone: number;
  isShareScreen: number;
  /** Both null while it rings. */
  clientId: string | null;
  sessionId: string | null;
  /** A JSON array of clients. */
  failedClients: string;
}

/** Frames for clients in calls that have no socket now. */
export interface CallFrameTable {
  userId: number;
  /** Their order. */
  position: number;
  frame: string;
}

/** All tables, by name. */
export interface Tables extends GroupTables, GroupMessageChangeTables {
  meta: MetaTable;
  user: UserTable;
  session: SessionTable;
  friend: FriendTable;
  foundPerson: FoundPersonTable;
  friendRequest: FriendRequestTable;
  block: BlockTable;
  privateChat: PrivateChatTable;
  message: MessageTable;
  messageEdit: MessageEditTable;
  messageExtra: MessageExtraTable;
  messageTally: MessageTallyTable;
  messagePin: MessagePinTable;
  pollEnd: PollEndTable;
  chatPref: ChatPrefTable;
  savedMessage: SavedMessageTable;
  hiddenMessage: HiddenMessageTable;
  systemMessage: SystemMessageTable;
  userState: UserStateTable;
  inviteCode: InviteCodeTable;
  file: FileTable;
  messageFile: MessageFileTable;
  deletedUpload: DeletedUploadTable;
  notice: NoticeTable;
  adminAudit: AdminAuditTable;
  report: ReportTable;
  serverSetting: ServerSettingTable;
  node: NodeTable;
  webPushSubscription: WebPushSubscriptionTable;
  call: CallTable;
  callMember: CallMemberTable;
  callFrame: CallFrameTable;
}
