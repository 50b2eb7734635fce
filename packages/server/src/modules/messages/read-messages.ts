/** Read positions of all chats, and the read receipts of private chats and groups. */
import { ChatType, Cmd, GroupRole, MessageType } from "@parley/protocol/codes";
import type { SystemSignal } from "@parley/protocol/signal";
import { type Delivery, frameOf } from "../../delivery/delivery.ts";
import type { Actor, Handlers } from "../../api/api-call.ts";
import { ApiError } from "../../api/api-error.ts";
import type { ChatKind } from "../../ports/stored-message.ts";
import type { ChatStrategies, ChatStrategy } from "./chat-strategy.ts";
import { requireFormerMember } from "./group-chats.ts";
import type { MessagesStore } from "./messages-store.ts";

/** Receipts that are sent in one turn of the event loop. */
const RECEIPT_BATCH = 200;

export interface ReadMessagesDeps extends ChatStrategies {
  store: MessagesStore;
  delivery: Delivery;
  /** Gives other work a turn of the event loop. */
  nextTurn(): Promise<void>;
}

type ReadHandlers = Pick<
  Handlers,
  "readPrivateMessages" | "readGroupMessages" | "readSystemMessages" | "maxReadedId" | "findReadedUsers"
>;

export function createReadMessages(deps: ReadMessagesDeps): ReadHandlers {
  const { store, delivery, nextTurn, privateChats, groupChats } = deps;

  async function read<Kind extends ChatKind>(
    chats: ChatStrategy<Kind>,
    actor: Actor,
    targetId: number,
    messageId: number | undefined,
  ): Promise<null> {
    const me = actor.userId;
    await chats.requireReader(me, targetId);
    const maxId = await resolveReadPosition(store, chats, me, targetId, messageId);
    if (maxId <= 0) return null;
    const newlyRead = await store.write((tx) => chats.raiseRead(tx, me, targetId, maxId));
    if (newlyRead === undefined) return null;
    delivery.toOwnOthers(actor, chats.readFrame(me, targetId, maxId));
    delivery.webPush.chatRead(me, { type: chats.type, targetId }, maxId);
    // Each reader reads a message only once, so the total work is bounded by the number of messages.
    for (let at = 0; at < newlyRead.length; at += RECEIPT_BATCH) {
      if (at > 0) await nextTurn();
      const receipts = await chats.receiptFrames(me, targetId, newlyRead.slice(at, at + RECEIPT_BATCH));
      for (const { userId, frame } of receipts) delivery.toUsers([userId], frame);
    }
    return null;
  }

  return {
    readPrivateMessages: ({ actor, query }) => read(privateChats, actor, query.friendId, query.messageId),

    readGroupMessages: ({ actor, query }) => read(groupChats, actor, query.groupId, query.messageId),

    async readSystemMessages({ actor, query }) {
      const newest = await store.newestSystemSeqNo(actor.userId);
      const maxId = Math.min(query.maxSeqNo, newest);
      if (maxId <= 0 || !(await store.write((tx) => tx.raiseSystemRead(actor.userId, maxId)))) return null;
      const me = actor.userId;
      const signal: SystemSignal = { type: MessageType.READED, sendId: me, recvId: me, maxId, content: "" };
      delivery.toOwnOthers(actor, frameOf(Cmd.SYSTEM, signal));
      delivery.webPush.chatRead(me, { type: ChatType.SYSTEM, targetId: 0 }, maxId);
      return null;
    },

    async maxReadedId({ actor, query }) {
      const me = actor.userId;
      if (query.friendId !== me) return store.maxReadedId(me, query.friendId);
      // Notes to oneself count as read.
      return (await store.newestVisibleId(ChatType.PRIVATE, me, me)) || -1;
    },

    async findReadedUsers({ actor, query }) {
      const me = await requireFormerMember(store, actor.userId, query.groupId);
      if (me.quit) throw new ApiError("group.notMember");
      const row = await store.findVisibleMessage(ChatType.GROUP, actor.userId, query.messageId);
      if (row === undefined || row.groupId !== query.groupId) throw new ApiError("message.notFound");
      const isLeader = me.role === GroupRole.OWNER || me.role === GroupRole.ADMIN;
      if (row.sendId !== actor.userId && !isLeader) throw new ApiError("group.noRight");
      if (!row.receipt) return [];
      return query.who === "unread" ? store.listGroupUnread(row) : store.listGroupReaders(row);
    },
  };
}

/** At most the newest message that the reader sees, or `messageId` if the reader has hidden or cleared that message since reading it. */
async function resolveReadPosition<Kind extends ChatKind>(
  store: Pick<MessagesStore, "newestVisibleId">,
  chats: ChatStrategy<Kind>,
  me: number,
  targetId: number,
  messageId: number | undefined,
): Promise<number> {
  const newest = await store.newestVisibleId(chats.type, me, targetId);
  if (messageId === undefined || messageId <= newest) return messageId ?? newest;
  return (await chats.wasVisible(me, targetId, messageId)) ? messageId : newest;
}
