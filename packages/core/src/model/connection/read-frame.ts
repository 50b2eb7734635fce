import { ChatType, Cmd, MessageType, RequestStatus } from "@parley/protocol/codes";
import type { FriendRequestVO, FriendVO, GroupRequestVO, GroupVO } from "@parley/protocol/entities";
import type { LogoutReason } from "@parley/protocol/envelope";
import type { TypingKind } from "@parley/protocol/signal";
import type { MessageExtra } from "@parley/protocol/message-extra";
import { isStoredRow, type PushData, type ReceivedFrame } from "@parley/protocol/received-frame";
import {
  CHANGED_PEOPLE,
  type GroupMessage,
  kindOf,
  type PrivateMessage,
  type SystemMessage,
} from "@parley/protocol/message";
import {
  receivedGroupSignal,
  receivedPrivateSignal,
  type ReceivedReadPosition,
  type ReceivedSignal,
  receivedSystemSignal,
} from "@parley/protocol/received-push";
import { isId } from "@parley/protocol/text";
import type { ChatInput } from "../chats/chat-input.ts";
import type { ToldActs } from "../chats/reaction-notices.ts";
import type { Typist } from "../chats/typing.ts";
import type { ChatKey } from "../state.ts";
import {
  chatKey,
  positionOf,
  privateChatKey,
  SYSTEM_CHAT,
  toSystemMessage,
  toChatMessage,
} from "../chats/chat-rows.ts";
import { groupRowOf, privateRowOf, systemRowOf } from "./wire-fields.ts";

/** What a pushed frame means for this person. */
export type Incoming =
  /** A change of chats; it waits while a pull runs. `position` (rows only) moves the cursor of its kind. */
  | {
      readonly kind: "chat";
      readonly input: ChatInput;
      readonly type: ChatType;
      readonly position: number | null;
      /** Of an extra: what was done to the message just now. */
      readonly told?: ToldActs;
    }
  | {
      readonly kind: "loading";
      readonly type: ChatType;
      readonly isOn: boolean;
      readonly fromId: number | null;
      /** The rows have all extras up to this version. */
      readonly extras: number | null;
      /** The server could not send all rows. */
      readonly hasFailed: boolean;
    }
  /** Somebody else types in a chat or, if `on` is false, no longer does. */
  | { readonly kind: "typing"; readonly key: ChatKey; readonly typist: Typist; readonly on: boolean }
  | { readonly kind: "friend"; readonly friend: FriendVO; readonly requestId: number | null }
  | { readonly kind: "friendDeleted"; readonly userId: number }
  | { readonly kind: "request"; readonly request: FriendRequestVO }
  | { readonly kind: "group"; readonly group: GroupVO }
  /** I am no longer a member, or the group is dissolved. */
  | { readonly kind: "groupLeft"; readonly groupId: number }
  | { readonly kind: "groupRequest"; readonly request: GroupRequestVO }
  /** Something changed. `isAboutContacts`: in lists that are not in `/user/changes`. */
  | { readonly kind: "changes"; readonly isAboutContacts: boolean }
  | { readonly kind: "ended"; readonly reason: LogoutReason; readonly text: string }
  /** From a later version, invalid, or of no use to this client. */
  | { readonly kind: "ignored"; readonly type: number };

type PushedFrame = Extract<ReceivedFrame, { data: PushData }>;

/** Reads a pushed frame: a stored row or a signal. */
export function readFrame(frame: PushedFrame, me: number): Incoming {
  return readPush(frame, me) ?? { kind: "ignored", type: frame.data.type };
}

function readPush({ cmd, data }: PushedFrame, me: number): Incoming | null {
  const isRow = isStoredRow(data);
  switch (cmd) {
    case Cmd.PRIVATE:
      return isRow ? readPrivateRow(data, me) : readPrivateSignal(data, me);
    case Cmd.GROUP:
      return isRow ? readGroupRow(data, me) : readGroupSignal(data, me);
    case Cmd.SYSTEM:
      return isRow ? readPushedSystemRow(data) : readSystemSignal(data);
    default:
      return cmd satisfies never;
  }
}

function readPrivateRow(data: PushData, me: number): Incoming | null {
  const row = privateRowOf(data);
  return row && readChatRow(ChatType.PRIVATE, privateChatKey(row, me), row, me);
}

function readGroupRow(data: PushData, me: number): Incoming | null {
  const row = groupRowOf(data);
  return row && readChatRow(ChatType.GROUP, chatKey(ChatType.GROUP, row.groupId), row, me);
}

function readPushedSystemRow(data: PushData): Incoming | null {
  const row = systemRowOf(data);
  return row && readSystemRow(row);
}

/** A private or group row as an input: an event on another row, or a row to insert. */
export function readChatRow(
  type: ChatType,
  key: ChatKey,
  row: PrivateMessage | GroupMessage,
  me: number,
): Incoming {
  const { id: position } = row;
  if (row.type === MessageType.EDIT || row.type === MessageType.RECALL) {
    const targetId = row.type === MessageType.EDIT ? row.quoteMessage?.id : Number(row.content);
    if (!isId(targetId)) return { kind: "ignored", type: row.type };
    const content = row.type === MessageType.EDIT ? row.content : "";
    // In a private chat only the sender can edit or recall a message.
    const by = "groupId" in row ? { id: row.sendId, name: row.sendNickName } : null;
    const event = { id: row.id, type: row.type, targetId, content, sendTime: row.sendTime, by } as const;
    return { kind: "chat", type, position, input: { kind: "event", key, event } };
  }
  if (kindOf(row.type)?.shown === false) return { kind: "ignored", type: row.type };
  return { kind: "chat", type, position, input: { kind: "row", key, message: toChatMessage(row, me) } };
}

/** A row of the system chat as an input. */
export function readSystemRow(row: SystemMessage): Extract<Incoming, { kind: "chat" }> {
  const message = toSystemMessage(row);
  const input: ChatInput = { kind: "row", key: SYSTEM_CHAT, message };
  return { kind: "chat", type: ChatType.SYSTEM, position: positionOf(message), input };
}

function readPrivateSignal(data: PushData, me: number): Incoming | null {
  const signal = receivedPrivateSignal.safeParse(data).data;
  if (signal === undefined) return null;
  switch (signal.type) {
    case MessageType.READED:
    case MessageType.RECEIPT: {
      const peerId = signal.sendId === me ? signal.recvId : signal.sendId;
      return peerId === undefined ? null : readPosition(ChatType.PRIVATE, peerId, signal);
    }
    case MessageType.EXTRA:
      return readExtra(ChatType.PRIVATE, privateChatKey(signal, me), signal);
    case MessageType.TYPING:
      return readTyping(chatKey(ChatType.PRIVATE, signal.sendId), signal, null, me);
    default:
      return meaningOf(signal, ChatType.PRIVATE);
  }
}

function readGroupSignal(data: PushData, me: number): Incoming | null {
  const signal = receivedGroupSignal.safeParse(data).data;
  if (signal === undefined) return null;
  switch (signal.type) {
    case MessageType.READED:
      return readPosition(ChatType.GROUP, signal.groupId, signal);
    case MessageType.RECEIPT: {
      const { id, readedCount, receiptOk } = "content" in signal ? signal.content : signal;
      const receipt = { id, readedCount, receiptOk };
      return groupInput(signal.groupId, (key) => ({ kind: "receipt", key, receipt }));
    }
    case MessageType.EXTRA:
      return readExtra(ChatType.GROUP, chatKey(ChatType.GROUP, signal.groupId), signal);
    case MessageType.TYPING:
      return readTyping(chatKey(ChatType.GROUP, signal.groupId), signal, signal.sendNickName, me);
    default:
      return meaningOf(signal, ChatType.GROUP);
  }
}

function readSystemSignal(data: PushData): Incoming | null {
  const signal = receivedSystemSignal.safeParse(data).data;
  if (signal === undefined) return null;
  switch (signal.type) {
    case MessageType.READED:
    case MessageType.RECEIPT:
      return readPosition(ChatType.SYSTEM, 0, signal);
    default:
      return meaningOf(signal, ChatType.SYSTEM);
  }
}

/** What a signal means whose meaning does not depend on its kind of chat. */
function meaningOf(signal: ReceivedSignal, type: ChatType): Incoming {
  switch (signal.type) {
    case MessageType.CHANGES:
      return { kind: "changes", isAboutContacts: signal.content === CHANGED_PEOPLE };
    case MessageType.LOADING:
      return {
        kind: "loading",
        type,
        isOn: signal.content === "true",
        fromId: signal.fromId ?? null,
        extras: signal.extras ?? null,
        hasFailed: signal.failed === true,
      };
    case MessageType.FRIEND_NEW:
    case MessageType.FRIEND_REQ_APPROVE: {
      const { requestId, ...friend } = signal.content;
      return { kind: "friend", friend, requestId };
    }
    case MessageType.FRIEND_DELETED:
      return { kind: "friendDeleted", userId: signal.sendId };
    case MessageType.FRIEND_REQ_APPLY:
      return { kind: "request", request: { ...signal.content, status: RequestStatus.PENDING } };
    case MessageType.FRIEND_REQ_REJECT:
      return { kind: "request", request: { ...signal.content, status: RequestStatus.REJECTED } };
    case MessageType.FRIEND_REQ_RECALL:
      return { kind: "request", request: { ...signal.content, status: RequestStatus.RECALLED } };
    // The content has the status of the request; a withdrawn request is pushed like a refused one.
    case MessageType.GROUP_REQ_APPLY:
    case MessageType.GROUP_REQ_APPROVE:
    case MessageType.GROUP_REQ_REJECT:
      return { kind: "groupRequest", request: signal.content };
    // A moderator removed a member's messages. If the push is unreadable, the next `/user/changes` repeats it.
    case MessageType.GROUP_KICK_USER_MSG:
      return groupInput(signal.groupId, (key) => ({
        kind: "removeByModerator",
        key,
        removal: signal.content,
      }));
    case MessageType.GROUP_NEW:
      return { kind: "group", group: signal.content };
    case MessageType.GROUP_LEFT:
      return { kind: "groupLeft", groupId: signal.groupId };
    case MessageType.USER_BANNED:
      return { kind: "ended", reason: "banned", text: signal.content ?? "" };
    case MessageType.USER_UNREG:
      return { kind: "ended", reason: "unregistered", text: signal.content ?? "" };
    default:
      return signal satisfies never;
  }
}

/** A read position; without an id everything is read. */
function readPosition(type: ChatType, targetId: number, signal: ReceivedReadPosition): Incoming {
  const side = signal.type === MessageType.READED ? "mine" : "theirs";
  const upTo = signal.maxId ?? signal.content?.id ?? null;
  const input: ChatInput = { kind: "read", key: chatKey(type, targetId), side, upTo };
  return { kind: "chat", type, position: null, input };
}

/** What people did to a message. */
function readExtra(
  type: ChatType,
  key: ChatKey,
  { extra, messageId, sendId, acts }: Omit<ToldActs, "key"> & { extra: MessageExtra },
): Incoming {
  const input: ChatInput = { kind: "extra", key, change: { id: messageId, extra } };
  return { kind: "chat", type, position: null, input, told: { key, messageId, sendId, acts } };
}

/** Who types; null for what another client of mine does. */
function readTyping(
  key: ChatKey,
  { sendId: userId, what, on }: { sendId: number; what: TypingKind; on: boolean },
  name: string | null,
  me: number,
): Incoming | null {
  return userId === me ? null : { kind: "typing", key, typist: { userId, name, what }, on };
}

function groupInput(groupId: number, toInput: (key: ChatKey) => ChatInput): Incoming {
  const type = ChatType.GROUP;
  return { kind: "chat", type, position: null, input: toInput(chatKey(type, groupId)) };
}
