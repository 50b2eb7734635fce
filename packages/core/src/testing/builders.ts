import {
  ChatType,
  FindableBy,
  JoinMode,
  MessageStatus,
  MessageType,
  RequestStatus,
} from "@parley/protocol/codes";
import type {
  FriendRequestVO,
  FriendVO,
  GroupMemberVO,
  GroupRequestVO,
  GroupVO,
  UserInfo,
} from "@parley/protocol/entities";
import type { GroupMessage, PrivateMessage, SystemMessage } from "@parley/protocol/message";
import type { OutgoingFile } from "../chats/outgoing-file.ts";
import { newChatSync } from "../model/chats/new-chat.ts";
import { chatKey, parseChatKey } from "../model/chats/chat-rows.ts";
import type { Chat, ChatKey, ChatMessage } from "../model/state.ts";

/** Complete values for tests, which name only the fields they are about. The user has id 1, the friend 2, the group 5. */

/** The id of the user who is logged in. */
export const ME = 1;
export const FRIEND = 2;
export const FRIEND_CHAT: ChatKey = chatKey(ChatType.PRIVATE, FRIEND);
export const GROUP = 5;
export const GROUP_CHAT: ChatKey = chatKey(ChatType.GROUP, GROUP);
/** A time far from the beginning and the end of its day. */
export const NOON = Date.UTC(2026, 5, 15, 12);

/** A message of the friend to the user. */
export function privateRow(part: Partial<PrivateMessage> & { id: number }): PrivateMessage {
  return {
    tmpId: null,
    type: MessageType.TEXT,
    sendId: FRIEND,
    recvId: ME,
    sendNickName: "Friend",
    content: `text ${part.id}`,
    sendTime: NOON + part.id * 1_000,
    status: MessageStatus.SENDED,
    quoteMessage: null,
    isEdited: false,
    editedAt: null,
    tip: null,
    act: null,
    ...part,
  };
}

/** A message of the user to the friend. */
export function ownRow(part: Partial<PrivateMessage> & { id: number }): PrivateMessage {
  return privateRow({ sendId: ME, recvId: FRIEND, sendNickName: "Me", tmpId: `tmp-${part.id}`, ...part });
}

/** A message of the friend in the group. */
export function groupRow(part: Partial<GroupMessage> & { id: number }): GroupMessage {
  const { recvId: _recvId, ...common } = privateRow({ id: part.id });
  return {
    ...common,
    groupId: GROUP,
    sendRole: 1,
    atUserIds: [],
    receipt: false,
    receiptOk: false,
    readedCount: 0,
    ...part,
  };
}

/** A friend request of the friend to the user. */
export function requestVO(part: Partial<FriendRequestVO> = {}): FriendRequestVO {
  return {
    id: 1,
    sendId: FRIEND,
    sendNickName: "Friend",
    sendHeadImage: null,
    recvId: ME,
    recvNickName: "Me",
    recvHeadImage: null,
    remark: "hello",
    status: RequestStatus.PENDING,
    applyTime: NOON,
    ...part,
  };
}

/** A message of the system chat about a friend request. */
export function systemRow(part: Partial<SystemMessage> & { seqNo: number }): SystemMessage {
  return {
    id: part.seqNo + 1_000,
    type: MessageType.FRIEND_APPLY,
    title: null,
    intro: null,
    coverUrl: null,
    content: JSON.stringify(requestVO({ id: part.seqNo })),
    status: MessageStatus.SENDED,
    sendTime: NOON + part.seqNo * 1_000,
    isVerifyMessage: true,
    isPermanent: true,
    isTop: true,
    ...part,
  };
}

/** The friend, in the user's list. */
export function friendVO(part: Partial<FriendVO> = {}): FriendVO {
  return {
    id: FRIEND,
    userName: "friend",
    nickName: "Friend",
    headImage: null,
    headImageThumb: null,
    showNickName: part.nickName ?? "Friend",
    remarkNickName: null,
    online: false,
    onlineWeb: false,
    onlineApp: false,
    isTop: false,
    msgRemind: 1,
    isDnd: false,
    isDeleted: false,
    deleted: false,
    ...part,
  };
}

/** The group, in which the user is an ordinary member. */
export function groupVO(part: Partial<GroupVO> = {}): GroupVO {
  const msgRemind = part.msgRemind ?? 0;
  return {
    id: GROUP,
    name: "Group",
    headImage: null,
    headImageThumb: null,
    membersCount: 3,
    wasRemoved: false,
    ownerId: FRIEND,
    notice: null,
    remarkGroupName: null,
    showGroupName: part.remarkGroupName ?? part.name ?? "Group",
    remarkNickName: null,
    showNickName: part.remarkNickName ?? "Me",
    role: 1,
    isAllMuted: false,
    isMuted: false,
    inviteRole: 1,
    editRole: 2,
    attrRole: 2,
    joinMode: JoinMode.FREE,
    joinApproval: false,
    isFindable: true,
    attributes: {},
    isTop: false,
    msgRemind,
    isDnd: msgRemind === 2,
    isBanned: false,
    reason: null,
    dissolve: false,
    quit: false,
    rtcInfo: null,
    ...part,
  };
}

/** A member of the group. */
export function memberVO(part: Partial<GroupMemberVO> & { userId: number }): GroupMemberVO {
  return {
    showNickName: part.remarkNickName ?? `Person ${part.userId}`,
    remarkNickName: null,
    headImage: null,
    online: false,
    role: 1,
    isMuted: false,
    quit: false,
    ...part,
  };
}

/** A request of user 11 to join the group. */
export function groupRequestVO(part: Partial<GroupRequestVO> = {}): GroupRequestVO {
  return {
    id: 1,
    groupId: GROUP,
    groupName: "Group",
    groupHeadImage: null,
    sendId: 11,
    sendNickName: "Person 11",
    sendHeadImage: null,
    inviterId: null,
    inviterNickName: null,
    remark: "hello",
    status: RequestStatus.PENDING,
    applyTime: NOON,
    ...part,
  };
}

/** The data of the user. */
export function userInfo(part: Partial<UserInfo> = {}): UserInfo {
  return {
    id: ME,
    userName: "me",
    nickName: "Me",
    sex: null,
    signature: null,
    birthday: null,
    mobile: null,
    email: null,
    headImage: null,
    headImageThumb: null,
    online: true,
    isManualApprove: true,
    isAdmin: false,
    findableBy: FindableBy.ANY_NAME,
    readReceipts: true,
    lastSeenShown: true,
    isBanned: false,
    reason: null,
    ...part,
  };
}

/** A message of the user that is not confirmed yet. */
export function localEcho(tmpId: string, part: Partial<ChatMessage> = {}): ChatMessage {
  return {
    key: tmpId,
    id: null,
    tmpId,
    type: MessageType.TEXT,
    sendId: ME,
    sendNickName: "Me",
    content: `echo ${tmpId}`,
    upload: null,
    sendTime: NOON,
    status: MessageStatus.UNSEND,
    selfSend: true,
    sending: "waiting",
    failure: null,
    quoteMessage: null,
    isEdited: false,
    editedAt: null,
    tip: null,
    act: null,
    hasTimeTip: false,
    system: null,
    group: null,
    ...part,
  };
}

/** An empty chat. */
export function chat(part: Partial<Chat> & { key: ChatKey }): Chat {
  const parsed = parseChatKey(part.key);
  return {
    type: parsed?.type ?? ChatType.PRIVATE,
    targetId: parsed?.targetId ?? 0,
    preview: null,
    lastSendTime: 0,
    unread: 0,
    isTop: false,
    msgRemind: 1,
    readId: -1,
    theirReadId: -1,
    atMe: false,
    atAll: false,
    draft: "",
    draftMentions: [],
    draftQuote: null,
    draftEdit: null,
    draftFiles: [],
    isRemoved: false,
    window: { messages: [], hasOlder: false, hasNewer: false, older: "idle", newer: "idle" },
    sync: newChatSync(0),
    ...part,
  };
}

/** A file as the composer hands it over. */
export function outgoingFile(name: string, part: Partial<OutgoingFile> = {}): OutgoingFile {
  return {
    type: MessageType.FILE,
    name,
    size: 1_000,
    mimeType: "text/plain",
    width: null,
    height: null,
    duration: null,
    wave: null,
    file: { size: 1_000, type: "text/plain" },
    cover: null,
    ...part,
  };
}
