import { ChatType, MessageStatus, MessageType, RequestStatus } from "@parley/protocol/codes";
import {
  type FriendRequestVO,
  friendRequestVO,
  type GroupRequestVO,
  groupRequestVO,
} from "@parley/protocol/entities";
import { type GroupMessage, kindOf, type PrivateMessage, type SystemMessage } from "@parley/protocol/message";
import { mergeExtra } from "./extras.ts";
import { recalledMessage, recalledQuote } from "./row-events.ts";
import { parseObject } from "../parse-object.ts";
import type { ChatKey, ChatMessage, GroupPart, SystemPart } from "../state.ts";

/** Chat keys, and the one place where rows of the wire become messages of the state. */

/** The key of a chat. */
export function chatKey(type: ChatType, targetId: number): ChatKey {
  return `${type}:${targetId}`;
}

/** The key of the system chat. */
export const SYSTEM_CHAT: ChatKey = chatKey(ChatType.SYSTEM, 0);

const KEY = /^(PRIVATE|GROUP|SYSTEM):(\d{1,16})$/;

/** The parts of a chat key; null for text that is none, for example from the address bar. */
export function parseChatKey(text: string): { key: ChatKey; type: ChatType; targetId: number } | null {
  const match = KEY.exec(text);
  if (!match) return null;
  const type = match[1] as ChatType;
  const targetId = Number(match[2]);
  return { key: chatKey(type, targetId), type, targetId };
}

/** The type of a chat. It runs for every row. */
export function chatTypeOf(key: ChatKey): ChatType {
  // Comparing the first letter is cheaper than cutting out the type.
  return key.startsWith("P") ? ChatType.PRIVATE : key.startsWith("G") ? ChatType.GROUP : ChatType.SYSTEM;
}

/** The value that read positions and cursors are compared with: the id, in the system chat the seqNo. Infinity for a local echo. */
export function positionOf(message: Pick<ChatMessage, "id" | "system">): number {
  return message.system?.seqNo ?? message.id ?? Infinity;
}

/** The chat of a private row: with the other person, or with oneself. */
export function privateChatKey(row: { sendId: number; recvId: number }, me: number): ChatKey {
  return chatKey(ChatType.PRIVATE, row.sendId === me ? row.recvId : row.sendId);
}

/** A private or group row as a message. */
export function toChatMessage(row: PrivateMessage | GroupMessage, me: number): ChatMessage {
  const { tmpId, quoteMessage: quote } = row;
  const selfSend = row.sendId === me;
  const message: ChatMessage = {
    // Only one's own tmpIds are known to be unique: other clients choose theirs.
    key: selfSend && tmpId !== null ? tmpId : String(row.id),
    id: row.id,
    tmpId,
    type: row.type,
    sendId: row.sendId,
    sendNickName: row.sendNickName,
    content: row.content,
    upload: null,
    sendTime: row.sendTime,
    ...(row.receivedAt !== undefined && { receivedAt: row.receivedAt }),
    status: statusOf(row.status),
    selfSend,
    sending: null,
    failure: null,
    quoteMessage: quote?.status === MessageStatus.RECALL ? recalledQuote(quote) : quote,
    isEdited: row.isEdited,
    editedAt: row.editedAt,
    tip: row.tip,
    act: row.act,
    hasTimeTip: false,
    system: null,
    group: "groupId" in row ? groupPart(row) : null,
    ...(row.extra !== undefined && { extra: mergeExtra(undefined, row.extra) }),
  };
  // Whatever else a server sends with a recalled message, only the tip stays.
  return message.status === MessageStatus.RECALL
    ? { ...recalledMessage(message), tip: message.tip ?? recalledMessage(message).tip }
    : message;
}

/** A row of the system chat as a message. */
export function toSystemMessage(row: SystemMessage): ChatMessage {
  const isRequest = kindOf(row.type)?.isRequest === true;
  const system: SystemPart = {
    seqNo: row.seqNo,
    title: row.title,
    intro: row.intro,
    coverUrl: row.coverUrl,
    isVerifyMessage: isRequest || row.isVerifyMessage,
    isPermanent: isRequest || row.isPermanent,
    isTop: isRequest || row.isTop,
    request: row.type === MessageType.FRIEND_APPLY ? parseFriendRequest(row.content) : null,
    groupRequest: row.type === MessageType.GROUP_APPLY ? parseGroupRequest(row.content) : null,
  };
  return {
    key: String(row.id),
    id: row.id,
    tmpId: null,
    type: row.type,
    sendId: 0,
    sendNickName: "",
    content: row.content,
    upload: null,
    sendTime: row.sendTime,
    status: statusOf(row.status),
    selfSend: false,
    sending: null,
    failure: null,
    quoteMessage: null,
    isEdited: false,
    editedAt: null,
    tip: null,
    act: null,
    hasTimeTip: false,
    system,
    group: null,
  };
}

function groupPart({ sendRole, atUserIds, receipt, receiptOk, readedCount }: GroupMessage): GroupPart {
  return { sendRole, atUserIds, receipt, receiptOk, readedCount };
}

/** The request in a message of the system chat: to be friends, or to join a group. */
export function systemRequestOf({ system }: Pick<ChatMessage, "system">): { readonly status: number } | null {
  return system?.request ?? system?.groupRequest ?? null;
}

/** Whether a message contains a request that is no longer pending. */
export function isHandled(message: Pick<ChatMessage, "system">): boolean {
  const request = systemRequestOf(message);
  return request !== null && request.status !== RequestStatus.PENDING;
}

/** Parses a friend request from the content of a message; null when unreadable. */
export function parseFriendRequest(content: string | undefined): FriendRequestVO | null {
  return friendRequestVO.safeParse(parseObject(content)).data ?? null;
}

/** Parses a request to join a group from the content of a message; null when unreadable. */
export function parseGroupRequest(content: string | undefined): GroupRequestVO | null {
  return groupRequestVO.safeParse(parseObject(content)).data ?? null;
}

function statusOf(status: number): MessageStatus {
  return status === MessageStatus.RECALL || status === MessageStatus.READED ? status : MessageStatus.SENDED;
}
