import { ChatType } from "@parley/protocol/codes";
import {
  deleteGroupMessages,
  groupDays,
  groupHistory,
  readGroupMessages,
  recallGroupMessage,
  sendGroupMessage,
} from "@parley/protocol/endpoints/group-messages";
import {
  deletePrivateMessages,
  privateDays,
  privateHistory,
  readPrivateMessages,
  recallPrivateMessage,
  sendPrivateMessage,
} from "@parley/protocol/endpoints/messages";
import { groupPins, privatePins } from "@parley/protocol/endpoints/message-extras";
import type { GroupMessage, PrivateMessage } from "@parley/protocol/message";
import type { NewPoll } from "@parley/protocol/poll";
import { parseChatKey } from "../model/chats/chat-rows.ts";
import { readChatRow } from "../model/connection/read-frame.ts";
import type { ChatKey, Failure, Result } from "../model/state.ts";
import { SILENT, type Api } from "../connection/api.ts";
import type { ChatDeps } from "./chat-store.ts";

/** A stored row of a chat between people. */
export type ChatRow = PrivateMessage | GroupMessage;

/** The server calls of a private or a group chat, the same set for both. Callers show failures themselves. */
export interface ChatApi {
  readonly type: typeof ChatType.PRIVATE | typeof ChatType.GROUP;
  send(message: OutgoingMessage): Promise<Result<ChatRow>>;
  history(query: HistoryQuery): Promise<Result<ChatRow[]>>;
  days(starts: readonly number[]): Promise<Result<number[]>>;
  markRead(messageId: number): Promise<Result<null>>;
  recall(id: number): Promise<Result<ChatRow>>;
  deleteForMe(ids: readonly number[]): Promise<Result<null>>;
  pins(): Promise<Result<{ messages: ChatRow[]; unseen: number }>>;
}

/** A message to send. */
export interface OutgoingMessage {
  readonly type: number;
  readonly content: string;
  readonly tmpId: string;
  readonly quoteMessageId: number | null;
  readonly poll?: NewPoll | undefined;
  /** Groups only. */
  readonly atUserIds?: readonly number[];
  readonly receipt?: boolean;
}

/** Which rows of the history to load: at most `size`, from the end, below or above an id, around an id, or at a time. */
export type HistoryQuery = { size: number } & (
  | { maxId?: number }
  | { minId: number }
  | { aroundId: number }
  | { at: number }
);

/** The failure of writing to a chat that does not accept messages, such as the system chat. */
export const NOT_SENDABLE: Failure = {
  kind: "refused",
  code: 0,
  key: "message.typeNotAllowed",
  params: {},
  message: "",
};

/** Sends a message to a chat and shows the row that the server answers. Returns why it failed; null for success. */
export async function sendMessage(
  { api, chatStore, me }: Pick<ChatDeps, "api" | "chatStore" | "me">,
  key: ChatKey,
  message: OutgoingMessage,
): Promise<Failure | null> {
  const chatApi = chatApiOf(api, key);
  if (chatApi === null) return NOT_SENDABLE;
  const result = await chatApi.send(message);
  if (!result.ok) return result.failure;
  const incoming = readChatRow(chatApi.type, key, result.value, me);
  if (incoming.kind === "chat") chatStore.dispatch([incoming.input]);
  return null;
}

/** The calls of a chat; null for the system chat, where nobody can write, and for an invalid key. */
export function chatApiOf(api: Api, key: ChatKey): ChatApi | null {
  const target = parseChatKey(key);
  switch (target?.type) {
    case ChatType.PRIVATE:
      return privateChatApi(api, target.targetId);
    case ChatType.GROUP:
      return groupChatApi(api, target.targetId);
    default:
      return null;
  }
}

function privateChatApi(api: Api, friendId: number): ChatApi {
  return {
    type: ChatType.PRIVATE,
    send: ({ type, content, tmpId, quoteMessageId, poll }) =>
      api.call(
        sendPrivateMessage,
        { body: { recvId: friendId, type, content, tmpId, quoteMessageId, ...(poll && { poll }) } },
        SILENT,
      ),
    history: (query) => api.call(privateHistory, { query: { friendId, ...query } }, SILENT),
    days: (starts) => api.call(privateDays, { query: { friendId, starts: [...starts] } }, SILENT),
    markRead: (messageId) => api.call(readPrivateMessages, { query: { friendId, messageId } }, SILENT),
    recall: (id) => api.call(recallPrivateMessage, { params: { id } }, SILENT),
    deleteForMe: (ids) => api.call(deletePrivateMessages, { body: { friendId, ids: [...ids] } }, SILENT),
    pins: () => api.call(privatePins, { query: { friendId } }, SILENT),
  };
}

function groupChatApi(api: Api, groupId: number): ChatApi {
  return {
    type: ChatType.GROUP,
    send: ({ atUserIds = [], receipt = false, poll, ...message }) =>
      api.call(
        sendGroupMessage,
        {
          body: {
            groupId,
            ...message,
            ...(atUserIds.length > 0 && { atUserIds: [...atUserIds] }),
            ...(receipt && { receipt }),
            ...(poll && { poll }),
          },
        },
        SILENT,
      ),
    history: (query) => api.call(groupHistory, { query: { groupId, ...query } }, SILENT),
    days: (starts) => api.call(groupDays, { query: { groupId, starts: [...starts] } }, SILENT),
    markRead: (messageId) => api.call(readGroupMessages, { query: { groupId, messageId } }, SILENT),
    recall: (id) => api.call(recallGroupMessage, { params: { id } }, SILENT),
    deleteForMe: (ids) => api.call(deleteGroupMessages, { body: { groupId, ids: [...ids] } }, SILENT),
    pins: () => api.call(groupPins, { query: { groupId } }, SILENT),
  };
}
