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
import type { GroupMessage, PrivateMessage } from "@parley/protocol/message";
import { parseChatKey } from "../model/rows.ts";
import type { ChatKey, Result } from "../model/state.ts";
import type { Api } from "./api.ts";

export type TalkRow = PrivateMessage | GroupMessage;

/** What a chat between people asks of the server: one set of calls, whichever kind of chat it is. The caller shows failures. */
export interface Talk {
  readonly type: typeof ChatType.PRIVATE | typeof ChatType.GROUP;
  send(message: NewMessage): Promise<Result<TalkRow>>;
  history(query: HistoryQuery): Promise<Result<TalkRow[]>>;
  days(starts: readonly number[]): Promise<Result<number[]>>;
  markRead(messageId: number): Promise<Result<null>>;
  recall(id: number): Promise<Result<TalkRow>>;
  hide(ids: readonly number[]): Promise<Result<null>>;
}

export interface NewMessage {
  readonly type: number;
  readonly content: string;
  readonly tmpId: string;
  readonly quoteMessageId: number | null;
  /** Groups alone. */
  readonly atUserIds?: readonly number[];
  readonly receipt?: boolean;
}

export type HistoryQuery = { size: number } & (
  | { maxId?: number }
  | { minId: number }
  | { aroundId: number }
  | { at: number }
);

const QUIET = { quiet: true };

/** null: nobody talks there (the system chat, or no chat at all). */
export function talkIn(api: Api, key: ChatKey): Talk | null {
  const target = parseChatKey(key);
  switch (target?.type) {
    case ChatType.PRIVATE:
      return privateTalk(api, target.targetId);
    case ChatType.GROUP:
      return groupTalk(api, target.targetId);
    default:
      return null;
  }
}

function privateTalk(api: Api, friendId: number): Talk {
  return {
    type: ChatType.PRIVATE,
    send: ({ type, content, tmpId, quoteMessageId }) =>
      api.call(
        sendPrivateMessage,
        { body: { recvId: friendId, type, content, tmpId, quoteMessageId } },
        QUIET,
      ),
    history: (query) => api.call(privateHistory, { query: { friendId, ...query } }, QUIET),
    days: (starts) => api.call(privateDays, { query: { friendId, starts: [...starts] } }, QUIET),
    markRead: (messageId) => api.call(readPrivateMessages, { query: { friendId, messageId } }, QUIET),
    recall: (id) => api.call(recallPrivateMessage, { params: { id } }, QUIET),
    hide: (ids) => api.call(deletePrivateMessages, { body: { friendId, ids: [...ids] } }, QUIET),
  };
}

function groupTalk(api: Api, groupId: number): Talk {
  return {
    type: ChatType.GROUP,
    send: ({ atUserIds = [], receipt = false, ...message }) =>
      api.call(
        sendGroupMessage,
        {
          body: {
            groupId,
            ...message,
            ...(atUserIds.length > 0 && { atUserIds: [...atUserIds] }),
            ...(receipt && { receipt }),
          },
        },
        QUIET,
      ),
    history: (query) => api.call(groupHistory, { query: { groupId, ...query } }, QUIET),
    days: (starts) => api.call(groupDays, { query: { groupId, starts: [...starts] } }, QUIET),
    markRead: (messageId) => api.call(readGroupMessages, { query: { groupId, messageId } }, QUIET),
    recall: (id) => api.call(recallGroupMessage, { params: { id } }, QUIET),
    hide: (ids) => api.call(deleteGroupMessages, { body: { groupId, ids: [...ids] } }, QUIET),
  };
}
