/** Private chats: two people who both see every row, and notes to oneself. */
import { Cmd, MessageStatus } from "@parley/protocol/codes";
import { ApiError } from "../../ports/call.ts";
import type { Store } from "../../ports/store.ts";
import { isOfChat, isQuotable, privateMessage, statusFor } from "../../presenters/message-presenter.ts";
import type { ChatStrategy, PrivateTypes } from "./chat-strategy.ts";
import type { FriendshipCache } from "./friendship-cache.ts";

export interface PrivateChatsDeps {
  store: Store;
  friendships: FriendshipCache;
}

export function createPrivateChats({ store, friendships }: PrivateChatsDeps): ChatStrategy<PrivateTypes> {
  return {
    cmd: Cmd.PRIVATE,

    targetOf: ({ recvId }) => recvId,
    findSender: (userId, targetId) => friendships.find(userId, targetId),
    newMessage(sender, userId, { tmpId, type, recvId }, content, now) {
      if (sender === undefined) throw new ApiError("user.notFound");
      if (sender.relationship !== "ok") {
        throw new ApiError(sender.relationship === "notFriend" ? "message.notFriend" : "message.blockedYou");
      }
      return {
        tmpId: tmpId || null,
        type,
        sendId: userId,
        recvId,
        sendNickName: sender.nickName,
        content,
        sendTime: now,
      };
    },
    append: (db, message) => db.appendPrivate(message),
    findByTmpId: (tx, sendId, tmpId) => tx.findPrivateByTmpId(sendId, tmpId),
    async findQuotable(tx, message, id) {
      const row = await tx.findVisiblePrivate(message.sendId, id);
      return row !== undefined && isQuotable(row, message) ? row : undefined;
    },

    async findEditTarget(tx, event, id) {
      const row = await tx.findVisiblePrivate(event.sendId, id);
      return row !== undefined && isOfChat(row, event) ? row : undefined;
    },
    async appendEdit(tx, event, id) {
      // A receiver who has hidden or cleared the message does not get the new text either, unless they see it quoted.
      const isVisibleToReceiver =
        (await tx.findVisiblePrivate(event.recvId, id)) !== undefined ||
        (await tx.seesPrivateQuote(event.recvId, event.sendId, id));
      return tx.appendPrivate({ ...event, ...(!isVisibleToReceiver && { onlyFor: event.sendId }) });
    },
    edit: (tx, edit) => tx.editPrivate(edit),
    find: (tx, id) => tx.findPrivate(id),
    findVisible: (tx, userId, id) => tx.findVisiblePrivate(userId, id),
    async authorizeRecall(_, { sendId, recvId, sendNickName }, event) {
      if (sendId !== event.sendId) throw new ApiError("message.notYours");
      return {
        event: { ...event, recvId, sendNickName },
        tip: { key: "recalled", params: { name: sendNickName } },
        isTimeLimited: true,
      };
    },
    recall: (tx, recall) => tx.recallPrivate(recall),

    receiversOf({ row }) {
      const { sendId, recvId, onlyFor } = row;
      const both = sendId === recvId ? [sendId] : [recvId, sendId];
      return { versions: [{ row, userIds: onlyFor === null ? both : [onlyFor] }], own: row };
    },
    viewNew(row, language) {
      const isSelfChat = row.sendId === row.recvId;
      return privateMessage(row, isSelfChat ? MessageStatus.READED : MessageStatus.SENDED, language);
    },
    async viewOwn(row, language) {
      const theirs = await store.maxReadedId(row.sendId, row.recvId);
      return privateMessage(row, statusFor(row.sendId, row, { mine: -1, theirs }), language);
    },
  };
}
