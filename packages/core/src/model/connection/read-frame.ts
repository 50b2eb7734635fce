import { ChatType, Cmd, MessageType, RequestStatus } from "@parley/protocol/codes";
import type { FriendRequestVO, FriendVO, GroupRequestVO, GroupVO } from "@parley/protocol/entities";
import type { LogoutReason } from "@parley/protocol/envelope";
import { type ReceivedFrame, isStoredRow } from "@parley/protocol/frame";
import {
  CHANGED_PEOPLE,
  type GroupMessage,
  kindOf,
  type PrivateMessage,
  type Signal,
  type SystemMessage,
} from "@parley/protocol/message";
import type { ChatInput } from "../chats/chat-input.ts";
import type { ChatKey, ModeratorRemoval, Receipt } from "../state.ts";
import { parseObject } from "../parse-object.ts";
import { isFlatEntry, isId, isCompleteSystemRow, isCompleteChatRow, textOf } from "./wire-fields.ts";
import {
  chatKey,
  positionOf,
  privateChatKey,
  parseGroupRequest,
  parseFriendRequest,
  SYSTEM_CHAT,
  toSystemMessage,
  toChatMessage,
} from "../chats/chat-rows.ts";

/** What a pushed frame means for this person. */
export type Incoming =
  /** A change of chats; it waits while a pull runs. `position` (rows only) moves the cursor of its kind. */
  | {
      readonly kind: "chat";
      readonly input: ChatInput;
      readonly type: ChatType;
      readonly position: number | null;
    }
  | {
      readonly kind: "loading";
      readonly type: ChatType;
      readonly isOn: boolean;
      readonly fromId: number | null;
      /** The server could not send all rows. */
      readonly hasFailed: boolean;
    }
  | { readonly kind: "friend"; readonly friend: FriendVO; readonly requestId: number | null }
  | { readonly kind: "friendDeleted"; readonly userId: number }
  | { readonly kind: "request"; readonly request: FriendRequestVO }
  | { readonly kind: "group"; readonly group: GroupVO }
  /** I am no member any more, or the group is dissolved. */
  | { readonly kind: "groupLeft"; readonly groupId: number }
  | { readonly kind: "groupRequest"; readonly request: GroupRequestVO }
  /** Something changed. `isAboutContacts`: in lists that are not in `/user/changes`. */
  | { readonly kind: "changes"; readonly isAboutContacts: boolean }
  | { readonly kind: "ended"; readonly reason: LogoutReason; readonly text: string }
  /** Of a later version, invalid, or of no use to this client. */
  | { readonly kind: "ignored"; readonly type: number };

type ChatFrame = Extract<ReceivedFrame, { data: PrivateMessage | GroupMessage | SystemMessage | Signal }>;

/** Reads a pushed frame: a stored row or a signal. */
export function readFrame(frame: ChatFrame, me: number): Incoming {
  // Type 82 never becomes a message, whatever other fields it has (spec §3).
  if (frame.data.type === MessageType.CHANGES) {
    return { kind: "changes", isAboutContacts: frame.data.content === CHANGED_PEOPLE };
  }
  switch (frame.cmd) {
    case Cmd.PRIVATE:
      return isStoredRow<PrivateMessage | Signal>(frame.data)
        ? readPushed(ChatType.PRIVATE, frame.data, me)
        : readSignal(ChatType.PRIVATE, frame.data, me);
    case Cmd.GROUP:
      return isStoredRow<GroupMessage | Signal>(frame.data)
        ? readPushed(ChatType.GROUP, frame.data, me)
        : readSignal(ChatType.GROUP, frame.data, me);
    case Cmd.SYSTEM:
      return isStoredRow<SystemMessage | Signal>(frame.data)
        ? readSystemRow(frame.data)
        : readSignal(ChatType.SYSTEM, frame.data, me);
    default:
      return frame satisfies never;
  }
}

function readPushed(type: ChatType, row: PrivateMessage | GroupMessage, me: number): Incoming {
  // Without the required fields, not even the chat of the row is known.
  if (!isCompleteChatRow(row, type)) return { kind: "ignored", type: row.type };
  const key =
    "groupId" in row && type === ChatType.GROUP
      ? chatKey(type, row.groupId)
      : privateChatKey(row as PrivateMessage, me);
  return readChatRow(type, key, row, me);
}

/** A private or group row as an input: an event on another row, or a row to insert. */
export function readChatRow(
  type: ChatType,
  key: ReturnType<typeof chatKey>,
  row: PrivateMessage | GroupMessage,
  me: number,
): Incoming {
  const { id: position } = row;
  if (!isCompleteChatRow(row, type)) return { kind: "ignored", type: row.type };
  if (row.type === MessageType.EDIT || row.type === MessageType.RECALL) {
    const targetId = row.type === MessageType.EDIT ? row.quoteMessage?.id : Number(textOf(row.content));
    if (!isId(targetId)) return { kind: "ignored", type: row.type };
    const content = row.type === MessageType.EDIT ? textOf(row.content) : "";
    // In a private chat only the sender can edit or recall a message.
    const by = "groupId" in row ? { id: row.sendId, name: textOf(row.sendNickName) } : null;
    const event = { id: row.id, type: row.type, targetId, content, sendTime: row.sendTime, by } as const;
    return { kind: "chat", type, position, input: { kind: "event", key, event } };
  }
  if (kindOf(row.type)?.shown === false) return { kind: "ignored", type: row.type };
  return { kind: "chat", type, position, input: { kind: "row", key, message: toChatMessage(row, me) } };
}

/** A row of the system chat as an input. */
export function readSystemRow(row: SystemMessage): Incoming {
  if (!isCompleteSystemRow(row)) return { kind: "ignored", type: row.type };
  const message = toSystemMessage(row);
  const input: ChatInput = { kind: "row", key: SYSTEM_CHAT, message };
  return { kind: "chat", type: ChatType.SYSTEM, position: positionOf(message), input };
}

function readSignal(type: ChatType, signal: Signal, me: number): Incoming {
  switch (signal.type) {
    case MessageType.LOADING:
      return {
        kind: "loading",
        type,
        isOn: signal.content === "true",
        fromId: isId(signal.fromId) ? signal.fromId : null,
        hasFailed: signal.failed === true,
      };
    case MessageType.READED:
    case MessageType.RECEIPT:
      return readPosition(type, signal, me);
    case MessageType.FRIEND_NEW:
    case MessageType.FRIEND_REQ_APPROVE:
      return readFriend(signal);
    case MessageType.FRIEND_DELETED:
      return isId(signal.sendId)
        ? { kind: "friendDeleted", userId: signal.sendId }
        : { kind: "ignored", type: signal.type };
    case MessageType.FRIEND_REQ_APPLY:
      return readRequestSignal(signal, RequestStatus.PENDING);
    case MessageType.FRIEND_REQ_REJECT:
      return readRequestSignal(signal, RequestStatus.REJECTED);
    case MessageType.FRIEND_REQ_RECALL:
      return readRequestSignal(signal, RequestStatus.RECALLED);
    case MessageType.GROUP_REQ_APPLY:
    case MessageType.GROUP_REQ_APPROVE:
    case MessageType.GROUP_REQ_REJECT:
      return readGroupRequestSignal(signal);
    case MessageType.GROUP_KICK_USER_MSG:
      return readModeratorRemoval(signal);
    case MessageType.GROUP_NEW:
      return readGroup(signal);
    case MessageType.GROUP_LEFT:
      return isId(signal.groupId)
        ? { kind: "groupLeft", groupId: signal.groupId }
        : { kind: "ignored", type: signal.type };
    case MessageType.USER_BANNED:
      return { kind: "ended", reason: "banned", text: textOf(signal.content) };
    case MessageType.USER_UNREG:
      return { kind: "ended", reason: "unregistered", text: textOf(signal.content) };
    default:
      return { kind: "ignored", type: signal.type };
  }
}

function readPosition(type: ChatType, signal: Signal, me: number): Incoming {
  const { sendId, recvId, groupId } = signal;
  const ignored: Incoming = { kind: "ignored", type: signal.type };
  if (signal.type === MessageType.RECEIPT && type !== ChatType.PRIVATE) return readReceipt(signal);
  const peerId = sendId === me ? recvId : sendId;
  const targetId = type === ChatType.SYSTEM ? 0 : type === ChatType.GROUP ? groupId : peerId;
  if (!isId(targetId) || !isPosition(signal.maxId ?? 0)) return ignored;
  const side = signal.type === MessageType.READED ? "mine" : "theirs";
  const input: ChatInput = { kind: "read", key: chatKey(type, targetId), side, upTo: upToOf(signal) };
  return { kind: "chat", type, position: null, input };
}

/** How many members have read a group message. Older servers send it only in the content, others only on the frame. */
function readReceipt(signal: Signal): Incoming {
  const { id, readedCount, receiptOk } = parseObject(signal.content) ?? signal;
  const { groupId } = signal;
  const isComplete = [groupId, id, readedCount].every(isId);
  if (!isComplete) return { kind: "ignored", type: signal.type };
  const receipt = { id, readedCount, receiptOk: receiptOk === true } as Receipt;
  return groupInput(groupId, (key) => ({ kind: "receipt", key, receipt }));
}

/** A moderator removed a member's messages. If the push is unreadable, the next `/user/changes` repeats it. */
function readModeratorRemoval(signal: Signal): Incoming {
  const { userId, upTo } = parseObject(signal.content) ?? {};
  const { groupId } = signal;
  const isComplete = [groupId, userId].every(isId) && isPosition(upTo);
  if (!isComplete) return { kind: "ignored", type: signal.type };
  const removal = { userId, upTo } as ModeratorRemoval;
  return groupInput(groupId, (key) => ({ kind: "removeByModerator", key, removal }));
}

function groupInput(groupId: number | undefined, toInput: (key: ChatKey) => ChatInput): Incoming {
  const type = ChatType.GROUP;
  return { kind: "chat", type, position: null, input: toInput(chatKey(type, groupId ?? 0)) };
}

/** The position of a signal. Older servers send it only in the content. null: everything is read. */
function upToOf(signal: Signal): number | null {
  if (isPosition(signal.maxId)) return signal.maxId;
  const id = parseObject(signal.content)?.["id"];
  return isPosition(id) ? id : null;
}

/** An id, or -1 for nothing read. */
function isPosition(value: unknown): value is number {
  return value === -1 || isId(value);
}

function readFriend(signal: Signal): Incoming {
  const value = parseObject(signal.content);
  if (!isId(value?.["id"]) || typeof value["showNickName"] !== "string" || !isFlatEntry(value)) {
    return { kind: "ignored", type: signal.type };
  }
  // Push 71 has fields of the request beside those of the friend; only the latter go into the list.
  const { requestId, status: _status, remark: _remark, applyTime: _applyTime, ...friend } = value;
  return {
    kind: "friend",
    friend: friend as unknown as FriendVO,
    requestId: typeof requestId === "number" ? requestId : null,
  };
}

function readRequestSignal(signal: Signal, status: number): Incoming {
  const request = parseFriendRequest(signal.content);
  return request === null
    ? { kind: "ignored", type: signal.type }
    : { kind: "request", request: { ...request, status } };
}

function readGroup(signal: Signal): Incoming {
  const value = parseObject(signal.content);
  const isComplete =
    isId(value?.["id"]) && typeof value["showGroupName"] === "string" && isFlatEntry(value, ["attributes"]);
  return isComplete
    ? { kind: "group", group: value as unknown as GroupVO }
    : { kind: "ignored", type: signal.type };
}

/** The content has the status of the request; a withdrawn request is pushed like a refused one. */
function readGroupRequestSignal(signal: Signal): Incoming {
  const request = parseGroupRequest(signal.content);
  return request === null ? { kind: "ignored", type: signal.type } : { kind: "groupRequest", request };
}
