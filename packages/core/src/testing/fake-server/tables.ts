import { ChatType, MessageStatus, MessageType, RequestStatus } from "@parley/protocol/codes";
import type { FriendRequestVO, FriendVO, GroupRequestVO, UserInfo } from "@parley/protocol/entities";
import type { PrivateMessage, SystemMessage } from "@parley/protocol/message";
import { createGroupTables, type GroupTables } from "./group-rows.ts";

/** What the fake server knows. Small on purpose; the rules are those of the wire. */

export interface UserRow {
  id: number;
  userName: string;
  nickName: string;
  password: string;
  isManualApprove: boolean;
}

export interface FriendRow {
  ownerId: number;
  friendId: number;
  remark: string | null;
  isTop: boolean;
  msgRemind: number;
  isDeleted: boolean;
}

export interface SystemRow {
  userId: number;
  message: SystemMessage;
  requestId: number | null;
  groupRequestId: number | null;
  /** Change number of its last change. */
  changedAt: number;
}

/** A read position, with the change number of its last move. */
export interface PositionRow {
  readerId: number;
  /** null: the system chat. */
  otherId: number | null;
  position: number;
  changedAt: number;
}

/** A message somebody has deleted for themselves. */
export interface DeletedForMeRow {
  userId: number;
  otherId: number;
  id: number;
  changedAt: number;
}

/** How far somebody has cleared their own copy. */
export interface ClearedRow {
  userId: number;
  type: ChatType;
  upTo: number;
  changedAt: number;
}

export interface Tables {
  users: UserRow[];
  friends: FriendRow[];
  requests: FriendRequestVO[];
  messages: PrivateMessage[];
  system: SystemRow[];
  groups: GroupTables;
  positions: PositionRow[];
  /** What a message quotes, by ids; the copy is made when it is shown. */
  quotes: Map<number, number>;
  /** The notice of each recall, by the id of what was recalled. */
  recalls: Map<number, number>;
  hidden: DeletedForMeRow[];
  cleared: ClearedRow[];
  blocked: { ownerId: number; otherId: number }[];
  /** Number of the last change that `/user/changes` tells. */
  changeNumber: number;
  now(): number;
}

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
    hidden: [],
    cleared: [],
    blocked: [],
    changeNumber: 0,
    now,
  };
}

export function readPositionOf(tables: Tables, readerId: number, otherId: number | null): number {
  return tables.positions.find((row) => row.readerId === readerId && row.otherId === otherId)?.position ?? -1;
}

/** Up, never down; answers whether it moved. */
export function advancePosition(
  tables: Tables,
  readerId: number,
  otherId: number | null,
  position: number,
): boolean {
  let row = tables.positions.find((known) => known.readerId === readerId && known.otherId === otherId);
  if (row === undefined) {
    row = { readerId, otherId, position: -1, changedAt: 0 };
    tables.positions.push(row);
  }
  if (position <= row.position) return false;
  row.position = position;
  row.changedAt = ++tables.changeNumber;
  return true;
}

export function isInChat(row: PrivateMessage, a: number, b: number): boolean {
  return (row.sendId === a && row.recvId === b) || (row.sendId === b && row.recvId === a);
}

export function isVisibleTo(tables: Tables, row: PrivateMessage, userId: number): boolean {
  const isMine = row.sendId === userId || row.recvId === userId;
  const isHidden = tables.hidden.some((hidden) => hidden.userId === userId && hidden.id === row.id);
  return isMine && !isHidden && row.id > clearedUpTo(tables, userId, ChatType.PRIVATE);
}

export function clearedUpTo(tables: Tables, userId: number, type: ChatType): number {
  return tables.cleared.find((row) => row.userId === userId && row.type === type)?.upTo ?? 0;
}

export function isRecalled(row: PrivateMessage): boolean {
  return row.status === MessageStatus.RECALL;
}

/** A quoted row as it stands now. */
function quoteOf(tables: Tables, row: PrivateMessage): PrivateMessage["quoteMessage"] {
  const id = tables.quotes.get(row.id);
  const quoted = tables.messages.find((known) => known.id === id);
  if (quoted === undefined) return null;
  const { sendId, content, type, status } = quoted;
  return { id: quoted.id, sendId, content: isRecalled(quoted) ? "" : content, type, status };
}

/** The row as this person sees it: its status tells the read position. */
export function privateMessageFor(tables: Tables, row: PrivateMessage, userId: number): PrivateMessage {
  const other = row.sendId === userId ? row.recvId : row.sendId;
  const isRead =
    row.sendId === userId
      ? row.recvId === userId || row.id <= readPositionOf(tables, other, userId)
      : row.id <= readPositionOf(tables, userId, other);
  const status = isRead ? MessageStatus.READED : MessageStatus.SENDED;
  return { ...row, quoteMessage: quoteOf(tables, row), status: isRecalled(row) ? row.status : status };
}

export function systemMessageFor(tables: Tables, row: SystemRow): SystemMessage {
  const { status } = JSON.parse(row.message.content) as { status: number };
  const isRead =
    status !== RequestStatus.PENDING || row.message.seqNo <= readPositionOf(tables, row.userId, null);
  return { ...row.message, status: isRead ? MessageStatus.READED : MessageStatus.SENDED };
}

export interface NewPrivateMessage {
  sendId: number;
  recvId: number;
  type: number;
  content: string;
  tmpId: string | null;
  tipKey?: string;
}

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

/** The message that asks for an answer to a request. */
export function appendSystem(
  tables: Tables,
  userId: number,
  request: FriendRequestVO | GroupRequestVO,
): SystemRow {
  const isOfGroup = "groupId" in request;
  const row: SystemRow = {
    userId,
    requestId: isOfGroup ? null : request.id,
    groupRequestId: isOfGroup ? request.id : null,
    changedAt: 0,
    message: {
      id: tables.system.length + 1,
      seqNo: tables.system.filter((known) => known.userId === userId).length + 1,
      type: isOfGroup ? MessageType.GROUP_APPLY : MessageType.FRIEND_APPLY,
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

export function userOf(tables: Tables, id: number): UserRow {
  const found = tables.users.find((user) => user.id === id);
  if (found === undefined) throw new Error(`no user ${id}`);
  return found;
}

export function friendRowOf(tables: Tables, ownerId: number, friendId: number): FriendRow | undefined {
  return tables.friends.find((row) => row.ownerId === ownerId && row.friendId === friendId);
}

export function areFriends(tables: Tables, a: number, b: number): boolean {
  return friendRowOf(tables, a, b)?.isDeleted === false && friendRowOf(tables, b, a)?.isDeleted === false;
}

export function makeFriends(tables: Tables, ownerId: number, friendId: number): void {
  const known = friendRowOf(tables, ownerId, friendId);
  if (known !== undefined) known.isDeleted = false;
  else tables.friends.push({ ownerId, friendId, remark: null, isTop: false, msgRemind: 1, isDeleted: false });
}

export function pendingRequest(tables: Tables, sendId: number, recvId: number): FriendRequestVO | undefined {
  return tables.requests.find(
    (row) => row.sendId === sendId && row.recvId === recvId && row.status === RequestStatus.PENDING,
  );
}

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
    isBanned: false,
    reason: null,
  };
}

export function friendVOFor(tables: Tables, row: FriendRow, isOnline: boolean): FriendVO {
  const { userName, nickName } = userOf(tables, row.friendId);
  return {
    id: row.friendId,
    userName,
    nickName,
    headImage: null,
    headImageThumb: null,
    showNickName: row.remark ?? nickName,
    remarkNickName: row.remark,
    online: isOnline,
    onlineWeb: isOnline,
    onlineApp: false,
    isTop: row.isTop,
    msgRemind: row.msgRemind,
    isDnd: row.msgRemind === 0,
    isDeleted: row.isDeleted,
    deleted: row.isDeleted,
  };
}
