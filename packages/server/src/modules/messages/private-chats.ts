/** Private chats: two people who both see every row, and notes to oneself. */
import { ChatType, Cmd, MessageStatus, MessageType } from "@parley/protocol/codes";
import { FIRST_PULL_PRIVATE_MAX } from "@parley/protocol/limits";
import type { PrivateMessage } from "@parley/protocol/message";
import { ApiError } from "../../api/api-error.ts";
import type { Language } from "../../api/language.ts";
import { frameOf } from "../../delivery/delivery.ts";
import type { MessageExtraReads } from "../../ports/message-extra-store.ts";
import type { MessageReads, MessageStore } from "../../ports/message-store.ts";
import type { PrivateMessageReads, PullStart } from "../../ports/private-message-store.ts";
import type { ReadPositions } from "../../ports/change-store.ts";
import { friendOf, isOfChat, isQuotable, privateMessage } from "../../presenters/message-presenter.ts";
import type { ChatStrategy } from "./chat-strategy.ts";
import type { FriendshipCache, Sender } from "./friendship-cache.ts";
import { PULL_BATCH_ROWS } from "./pull-messages.ts";
import { privateReadFrame, privateReceiptFrame } from "./read-frames.ts";
import { viewPrivateMessages } from "./view-private-messages.ts";

export interface PrivateChatsDeps {
  store: MessageReads & PrivateMessageReads & MessageExtraReads & MessageStore;
  friendships: FriendshipCache;
}

export function createPrivateChats({ store, friendships }: PrivateChatsDeps): ChatStrategy<"PRIVATE"> {
  return {
    type: ChatType.PRIVATE,
    cmd: Cmd.PRIVATE,

    targetOfBody: ({ recvId }) => recvId,
    findSender: (userId, targetId) => friendships.find(userId, targetId),
    newMessage(sender, userId, { tmpId, type, recvId }, content, now) {
      const { nickName } = requireRelationship(sender);
      return {
        tmpId: tmpId || null,
        type,
        sendId: userId,
        recvId,
        sendNickName: nickName,
        content,
        sendTime: now,
      };
    },
    append: (message) => store.appendPrivate(message),
    requireSender: async () => undefined,
    appendWithin: (tx, message) => tx.appendPrivate(message),
    async findQuotable(tx, message, id) {
      const row = await tx.findVisibleMessage(ChatType.PRIVATE, message.sendId, id);
      return row !== undefined && isQuotable(row, message) ? row : undefined;
    },

    async findEditTarget(tx, event, id) {
      const row = await tx.findVisibleMessage(ChatType.PRIVATE, event.sendId, id);
      return row !== undefined && isOfChat(row, event) ? row : undefined;
    },
    async appendEdit(tx, event, id) {
      // A receiver who has hidden or cleared the message does not get the new text either, unless they see it quoted.
      const isVisibleToReceiver =
        (await tx.findVisibleMessage(ChatType.PRIVATE, event.recvId, id)) !== undefined ||
        (await tx.seesPrivateQuote(event.recvId, event.sendId, id));
      return tx.appendPrivate({ ...event, ...(!isVisibleToReceiver && { onlyFor: event.sendId }) });
    },
    async authorizeRecall(_, { sendId, recvId, sendNickName }, event) {
      if (sendId !== event.sendId) throw new ApiError("message.notYours");
      return {
        event: { ...event, recvId, sendNickName },
        tip: { key: "recalled", params: { name: sendNickName } },
        isTimeLimited: true,
      };
    },

    async authorizeExtra(userId, row, right) {
      if (right === "closePoll" && row.sendId !== userId) throw new ApiError("message.notYours");
      requireRelationship(await friendships.find(userId, friendOf(userId, row)));
    },
    audienceOf: async ({ sendId, recvId }) => (sendId === recvId ? [sendId] : [sendId, recvId]),
    extraFrame: ({ id: messageId, sendId, recvId }, extra, acts) =>
      frameOf(Cmd.PRIVATE, {
        type: MessageType.EXTRA,
        messageId,
        sendId,
        recvId,
        extra,
        acts: [...acts],
        content: "",
      }),

    async typingAudience(userId, friendId) {
      const { nickName: name } = requireRelationship(await friendships.find(userId, friendId));
      // Somebody whom the person has blocked may be written to, but learns nothing by the way.
      const isMutual = (await friendships.find(friendId, userId))?.relationship === "ok";
      return { userIds: isMutual && friendId !== userId ? [friendId] : [], name };
    },
    typingFrame: (sendId, recvId, _, { what, on }) =>
      frameOf(Cmd.PRIVATE, { type: MessageType.TYPING, sendId, recvId, what, on, content: "" }),

    receiversOf({ row }) {
      const { sendId, recvId, onlyFor } = row;
      const both = sendId === recvId ? [sendId] : [recvId, sendId];
      return { versions: [{ row, userIds: onlyFor === null ? both : [onlyFor] }], own: row };
    },
    viewNew(row, language) {
      const isSelfChat = row.sendId === row.recvId;
      return privateMessage(row, isSelfChat ? MessageStatus.READED : MessageStatus.SENDED, language);
    },
    targetOfReceiver: ({ sendId }) => sendId,
    alertingMessage: ({ id, type, act, sendId, sendNickName, content }) => ({
      position: id,
      type,
      act,
      sendId,
      sendNickName,
      sendRole: null,
      atUserIds: [],
      content,
    }),
    async viewOwn(row, language) {
      const [message] = await viewPrivateMessages(store, row.sendId, [row], language);
      if (message === undefined) throw new Error(`the stored message ${row.id} was not shown`);
      return message;
    },

    // Everybody may ask for a chat with anybody: without messages it is empty.
    requireReader: () => undefined,
    view: (userId, rows, language) => viewPrivateMessages(store, userId, rows, language),
    async wasVisible(userId, friendId, id) {
      const row = await store.findMessage(ChatType.PRIVATE, id);
      if (row === undefined || (row.onlyFor ?? userId) !== userId) return false;
      return isOfChat(row, { sendId: userId, recvId: friendId });
    },
    async raiseRead(tx, userId, friendId, maxId) {
      const raised = await tx.raisePrivateRead(userId, friendId, maxId);
      if (raised === "notMoved") return undefined;
      return raised === "untold" || friendId === userId ? [] : [{ id: maxId, sendId: friendId }];
    },
    readFrame: privateReadFrame,
    receiptFrames: async (userId, friendId, read) =>
      read.map(({ id }) => ({ userId: friendId, frame: privateReceiptFrame(userId, friendId, id) })),

    firstPullMax: FIRST_PULL_PRIVATE_MAX,
    async pull(userId, window, language) {
      const start = await store.startPrivatePull(userId, window);
      const batches = batchesOf(store, userId, start, language);
      return start.isTruncated ? { batches, fromId: start.fromId } : { batches };
    },
    targetOfMessage: friendOf,
  };
}

async function* batchesOf(
  store: PrivateMessageReads & MessageExtraReads,
  userId: number,
  start: PullStart,
  language: Language,
): AsyncGenerator<PrivateMessage[]> {
  const positions = new Map<number, ReadPositions>();
  for (let fromId = start.fromId; fromId <= start.upTo;) {
    const rows = await store.listPrivate(userId, fromId, start.upTo, PULL_BATCH_ROWS);
    if (rows.length > 0) yield viewPrivateMessages(store, userId, rows, language, positions);
    const last = rows.at(-1);
    if (last === undefined || rows.length < PULL_BATCH_ROWS) return;
    fromId = last.id + 1;
  }
}

/** Throws unless this person may write to the other one. */
function requireRelationship(sender: Sender | undefined): Sender {
  if (sender === undefined) throw new ApiError("user.notFound");
  if (sender.relationship === "notFriend") throw new ApiError("message.notFriend");
  if (sender.relationship === "blockedYou") throw new ApiError("message.blockedYou");
  return sender;
}
