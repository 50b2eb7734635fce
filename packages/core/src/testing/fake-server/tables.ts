import { ChatType, MessageStatus, MessageType, RequestStatus } from "@parley/protocol/codes";
import { type ChangeField, noChanges, type UserChanges } from "@parley/protocol/endpoints/changes";
import type { FriendRequestVO, FriendVO, GroupRequestVO, UserInfo } from "@parley/protocol/entities";
import type { PrivateMessage, SystemMessage } from "@parley/protocol/message";
import { createGroupTables, type GroupTables } from "./group-rows.ts";

/** The tables of the fake server and the rules of the protocol that depend only on them. */

/** An account. */
export interface UserRow {
  id: number;
  userName: string;
  nickName: string;
  password: string;
  isManualApprove: boolean;
}

/** One direction of a friendship. */
export interface FriendRow {
  ownerId: number;
  friendId: number;
  isTop: boolean;
  msgRemind: number;
  msgRemindUntil: number | null;
  isDeleted: boolean;
}

/** A message of the system chat. */
export interface SystemRow {
  userId: number;
  message: SystemMessage;
  requestId: number | null;
  groupRequestId: number | null;
  /** The number of its last change. */
  changedAt: number;
}

/** A read position, with the number of its last change. */
export interface PositionRow {
  readerId: number;
  /** null: the system chat. */
  otherId: number | null;
  position: number;
  changedAt: number;
}

const { next: _next, extras: _extras, extrasNext: _extrasNext, ...fields } = noChanges("0");
/** The fields of the change feed, without extras: nobody reacts to messages of this server, but to those of the simulation. */
export const CHANGE_FIELDS = Object.keys(fields) as Exclude<ChangeField, "extras">[];

/** A change that the feed of a user reports as it is. */
export type FeedRow = {
  [Field in ChangeField]: {
    userId: number;
    field: Field;
    change: UserChanges[Field][number];
    changedAt: number;
  };
}[ChangeField];

/** All tables. */
export interface Tables {
  users: UserRow[];
  friends: FriendRow[];
  requests: FriendRequestVO[];
  messages: PrivateMessage[];
  system: SystemRow[];
  groups: GroupTables;
  positions: PositionRow[];
  /** The id of the quoted message, by message id; its text is copied when a row is presented. */
  quotes: Map<number, number>;
  /** The id of the recall event, by the id of the recalled message. */
  recalls: Map<number, number>;
  /** What users have deleted for themselves and cleared. The feed computes its other fields from the other tables. */
  feed: FeedRow[];
  blocked: { ownerId: number; otherId: number }[];
  /** The number of the last change, as `/user/changes` counts them. */
  changeNumber: number;
  now(): number;
}

/** Creates empty tables. */
export function createTables(now: () => number): Tables {
  return {
    users: [],
    friends: [],
    requests: [],
    messages: [],
    system: [],
    groups: createGroupTables(),
    positions: [],
    quotes: new Map(),
    recalls: new Map(),
    feed: [],
    blocked: [],
    changeNumber: 0,
    now,
  };
}

/** The read position of a user in a chat; -1 for none. */
export function readPositionOf(tables: Tables, readerId: number, otherId: number | null): number {
  return tables.positions.find((row) => row.readerId === readerId && row.otherId === otherId)?.position ?? -1;
}

/** Moves a read position up, never down; returns whether it moved. */
export function advancePosition(
  tables: Tables,
  readerId: number,
  otherId: number | null,
  position: number,
): boolean {
  let row = tables.positions.find(
    (position) => position.readerId === readerId && position.otherId === otherId,
  );
  if (row === undefined) {
    row = { readerId, otherId, position: -1, changedAt: 0 };
    tables.positions.push(row);
  }
  if (position <= row.position) return false;
  row.position = position;
  row.changedAt = ++tables.changeNumber;
  return true;
}

/** Whether a row belongs to the chat of two users. */
export function isInChat(row: PrivateMessage, a: number, b: number): boolean {
  return (row.sendId === a && row.recvId === b) || (row.sendId === b && row.recvId === a);
}

/** Whether a user may see a row. */
export function isVisibleTo(tables: Tables, row: PrivateMessage, userId: number): boolean {
  const isMine = row.sendId === userId || row.recvId === userId;
  return (
    isMine &&
    !isHidden(tables, userId, ChatType.PRIVATE, row.id) &&
    row.id > clearedUpTo(tables, userId, ChatType.PRIVATE)
  );
}

/** Whether a user has deleted a message for themselves. */
export function isHidden(tables: Tables, userId: number, type: ChatType, id: number): boolean {
  return tables.feed.some(
    ({ userId: ownerId, field, change }) =>
      ownerId === userId && field === "hidden" && change.type === type && change.ids.includes(id),
  );
}

/** The position up to which a user has cleared a kind of chat. */
export function clearedUpTo(tables: Tables, userId: number, type: ChatType): number {
  for (const { userId: ownerId, field, change } of tables.feed)
    if (ownerId === userId && field === "cleared" && change.type === type) return change.upTo;
  return 0;
}

/** Adds changes to the feed of a user, all with the next number. */
export function addToFeed<Field extends ChangeField>(
  tables: Tables,
  userId: number,
  field: Field,
  changes: readonly UserChanges[Field][number][],
): void {
  const changedAt = ++tables.changeNumber;
  for (const change of changes) tables.feed.push({ userId, field, change, changedAt } as FeedRow);
}

/** Whether a row was recalled. */
export function isRecalled(row: PrivateMessage): boolean {
  return row.status === MessageStatus.RECALL;
}

/** The quoted row in its current form. */
function quoteOf(tables: Tables, row: PrivateMessage): PrivateMessage["quoteMessage"] {
  const id = tables.quotes.get(row.id);
  const quoted = tables.messages.find((message) => message.id === id);
  if (quoted === undefined) return null;
  const { sendId, content, type, status } = quoted;
  return { id: quoted.id, sendId, content: isRecalled(quoted) ? "" : content, type, status };
}

/** A row as it is sent to a user; its status depends on the read position. */
export function privateMessageFor(tables: Tables, row: PrivateMessage, userId: number): PrivateMessage {
  const other = row.sendId === userId ? row.recvId : row.sendId;
  const isRead =
    row.sendId === userId
      ? row.recvId === userId || row.id <= readPositionOf(tables, other, userId)
      : row.id <= readPositionOf(tables, userId, other);
  const status = isRead ? MessageStatus.READED : MessageStatus.SENDED;
  return { ...row, quoteMessage: quoteOf(tables, row), status: isRecalled(row) ? row.status : status };
}

/** A system message as it is sent to its user. */
export function systemMessageFor(tables: Tables, row: SystemRow): SystemMessage {
  const { status } = JSON.parse(row.message.content) as { status: number };
  const isRead =
    status !== RequestStatus.PENDING || row.message.seqNo <= readPositionOf(tables, row.userId, null);
  return { ...row.message, status: isRead ? MessageStatus.READED : MessageStatus.SENDED };
}

/** What a new private message is created from. */
export interface NewPrivateMessage {
  sendId: number;
  recvId: number;
  type: number;
  content: string;
  tmpId: string | null;
  tipKey?: string;
}

/** Stores a message with the next id. */
export function appendMessage(tables: Tables, message: NewPrivateMessage): PrivateMessage {
  const { tipKey, ...rest } = message;
  const row: PrivateMessage = {
    ...rest,
    id: (tables.messages.at(-1)?.id ?? 0) + 1,
    sendNickName: userOf(tables, message.sendId).nickName,
    sendTime: Math.max(tables.now(), tables.messages.at(-1)?.sendTime ?? 0),
    status: MessageStatus.SENDED,
    quoteMessage: null,
    isEdited: false,
    editedAt: null,
    tip: tipKey === undefined ? null : { key: tipKey, params: {} },
    act: null,
  };
  tables.messages.push(row);
  return row;
}

/** Stores the system message about a request. */
export function appendSystem(
  tables: Tables,
  userId: number,
  request: FriendRequestVO | GroupRequestVO,
): SystemRow {
  const isGroupRequest = "groupId" in request;
  const row: SystemRow = {
    userId,
    requestId: isGroupRequest ? null : request.id,
    groupRequestId: isGroupRequest ? request.id : null,
    changedAt: 0,
    message: {
      id: tables.system.length + 1,
      seqNo: tables.system.filter((other) => other.userId === userId).length + 1,
      type: isGroupRequest ? MessageType.GROUP_APPLY : MessageType.FRIEND_APPLY,
      title: null,
      intro: null,
      coverUrl: null,
      content: JSON.stringify(request),
      status: MessageStatus.SENDED,
      sendTime: tables.now(),
      isVerifyMessage: true,
      isPermanent: true,
      isTop: true,
    },
  };
  tables.system.push(row);
  return row;
}

/** The user with this id; throws when there is none. */
export function userOf(tables: Tables, id: number): UserRow {
  const found = tables.users.find((user) => user.id === id);
  if (found === undefined) throw new Error(`no user ${id}`);
  return found;
}

/** One direction of a friendship, ended ones included. */
export function friendRowOf(tables: Tables, ownerId: number, friendId: number): FriendRow | undefined {
  return tables.friends.find((row) => row.ownerId === ownerId && row.friendId === friendId);
}

/** Whether two users are friends of each other. */
export function areFriends(tables: Tables, a: number, b: number): boolean {
  return friendRowOf(tables, a, b)?.isDeleted === false && friendRowOf(tables, b, a)?.isDeleted === false;
}

/** Creates or restores one direction of a friendship. */
export function makeFriends(tables: Tables, ownerId: number, friendId: number): void {
  const existing = friendRowOf(tables, ownerId, friendId);
  if (existing !== undefined) existing.isDeleted = false;
  else
    tables.friends.push({
      ownerId,
      friendId,
      isTop: false,
      msgRemind: 1,
      msgRemindUntil: null,
      isDeleted: false,
    });
}

/** The pending request of one user to another. */
export function pendingRequest(tables: Tables, sendId: number, recvId: number): FriendRequestVO | undefined {
  return tables.requests.find(
    (row) => row.sendId === sendId && row.recvId === recvId && row.status === RequestStatus.PENDING,
  );
}

/** A user as others see it. */
export function userInfoFor(tables: Tables, id: number, isOnline: boolean): UserInfo {
  const { userName, nickName, isManualApprove } = userOf(tables, id);
  return {
    id,
    userName,
    nickName,
    sex: null,
    signature: null,
    birthday: null,
    mobile: null,
    email: null,
    headImage: null,
    headImageThumb: null,
    online: isOnline,
    isManualApprove,
    findableBy: null,
    isBanned: false,
    reason: null,
    isAdmin: null,
  };
}

/** A friend as the owner of the row sees it. */
export function friendVOFor(tables: Tables, row: FriendRow, isOnline: boolean): FriendVO {
  const { userName, nickName } = userOf(tables, row.friendId);
  return {
    id: row.friendId,
    userName,
    nickName,
    headImage: null,
    headImageThumb: null,
    showNickName: nickName,
    remarkNickName: null,
    online: isOnline,
    onlineWeb: isOnline,
    onlineApp: false,
    isTop: row.isTop,
    msgRemind: row.msgRemind,
    msgRemindUntil: row.msgRemindUntil,
    isDnd: row.msgRemind === 0,
    isDeleted: row.isDeleted,
    deleted: row.isDeleted,
  };
}
