/** History pages of private chats, and read positions of private chats and the system chat. */
import { Cmd, MessageType } from "@parley/protocol/codes";
import type { QueryOf } from "@parley/protocol/endpoint";
import type { privateHistory } from "@parley/protocol/endpoints/messages";
import type { PrivateSignal, SystemSignal } from "@parley/protocol/signal";
import { type Delivery, frameOf } from "../../delivery.ts";
import { malformedField } from "../../calls/api-error.ts";
import type { Handlers } from "../../calls/call.ts";
import type { Store } from "../../ports/store.ts";
import type { HistoryPage } from "../../ports/stored-message.ts";
import { isOfChat, privateMessage, statusFor } from "../../presenters/message-presenter.ts";

const HISTORY_PAGE_DEFAULT = 20;

export interface PrivateHistoryDeps {
  store: Store;
  delivery: Delivery;
}

type PrivateHistoryHandlers = Pick<
  Handlers,
  "privateHistory" | "privateDays" | "readPrivateMessages" | "maxReadedId" | "readSystemMessages"
>;

export function createPrivateHistory({ store, delivery }: PrivateHistoryDeps): PrivateHistoryHandlers {
  /** At most the newest message that the reader sees, or `messageId` if the reader has hidden or cleared that message since reading it. */
  async function resolveReadPosition(
    me: number,
    friendId: number,
    messageId: number | undefined,
  ): Promise<number> {
    const newest = await store.newestPrivateId(me, friendId);
    if (messageId === undefined || messageId <= newest) return messageId ?? newest;
    const row = await store.findPrivate(messageId);
    const isVisibleToMe = row !== undefined && (row.onlyFor === null || row.onlyFor === me);
    return isVisibleToMe && isOfChat(row, { sendId: me, recvId: friendId }) ? messageId : newest;
  }

  return {
    async privateHistory({ actor, query, language }) {
      const me = actor.userId;
      const rows = await store.privateHistory(me, query.friendId, historyPageOf(query));
      const [positions] = await store.privateReadPositions(me, [query.friendId]);
      return rows.map((row) => privateMessage(row, statusFor(me, row, positions), language));
    },

    privateDays: ({ actor, query }) => store.privateDays(actor.userId, query.friendId, query.starts),

    async readPrivateMessages({ actor, query }) {
      const me = actor.userId;
      const friendId = query.friendId;
      const maxId = await resolveReadPosition(me, friendId, query.messageId);
      if (maxId <= 0) return null;
      if (!(await store.write((tx) => tx.raisePrivateRead(me, friendId, maxId)))) return null;
      const read: PrivateSignal = {
        type: MessageType.READED,
        sendId: me,
        recvId: friendId,
        maxId,
        content: "",
      };
      delivery.toOwnOthers(actor, frameOf(Cmd.PRIVATE, read));
      if (friendId === me) return null;
      const receipt: PrivateSignal = {
        type: MessageType.RECEIPT,
        sendId: me,
        recvId: friendId,
        maxId,
        content: JSON.stringify({ id: maxId }),
      };
      delivery.toUsers([friendId], frameOf(Cmd.PRIVATE, receipt));
      return null;
    },

    async maxReadedId({ actor, query }) {
      const me = actor.userId;
      if (query.friendId !== me) return store.maxReadedId(me, query.friendId);
      // Notes to oneself count as read.
      return (await store.newestPrivateId(me, me)) || -1;
    },

    async readSystemMessages({ actor, query }) {
      const newest = await store.newestSystemSeqNo(actor.userId);
      const maxId = Math.min(query.maxSeqNo, newest);
      if (maxId <= 0 || !(await store.write((tx) => tx.raiseSystemRead(actor.userId, maxId)))) return null;
      const me = actor.userId;
      const read: SystemSignal = { type: MessageType.READED, sendId: me, recvId: me, maxId, content: "" };
      delivery.toOwnOthers(actor, frameOf(Cmd.SYSTEM, read));
      return null;
    },
  };
}

/** The page that a history query asks for. A `friendId` or `groupId` in the query does not matter. */
export function historyPageOf(query: Omit<QueryOf<typeof privateHistory>, "friendId">): HistoryPage {
  const size = query.size ?? HISTORY_PAGE_DEFAULT;
  const positions = ["maxId", "minId", "aroundId", "at", "page"] as const;
  const usedNames = positions.filter((name) => query[name] !== undefined);
  if (usedNames.length > 1) throw malformedField(usedNames[1] ?? "", `does not go with ${usedNames[0]}`);
  if (query.maxId !== undefined) return { from: "before", id: query.maxId, size };
  if (query.minId !== undefined) return { from: "after", id: query.minId, size };
  if (query.aroundId !== undefined) return { from: "around", id: query.aroundId, size };
  if (query.at !== undefined) return { from: "time", at: query.at, size };
  if (query.page !== undefined) return { from: "page", page: Math.max(1, query.page), size };
  return { from: "newest", size };
}
