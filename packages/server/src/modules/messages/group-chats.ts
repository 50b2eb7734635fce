/** Groups: one row for all members, who see what falls into their stays and may do what their role allows. */
import { ChatType, Cmd, MessageType, EVERYONE } from "@parley/protocol/codes";
import { FIRST_PULL_GROUP_MAX, RECEIPT_MEMBERS_MAX, TYPING_MEMBERS_MAX } from "@parley/protocol/limits";
import type { GroupMessage } from "@parley/protocol/message";
import { ApiError } from "../../api/api-error.ts";
import { type GroupMemberRow, isDuringStay } from "../../ports/group-store.ts";
import type { GroupMessageRow, GroupMessageStore, NewGroupMessage } from "../../ports/group-message-store.ts";
import type { MessageStore } from "../../ports/message-store.ts";
import type { Language } from "../../api/language.ts";
import { frameOf } from "../../delivery/delivery.ts";
import { groupMessage } from "../../presenters/group-presenter.ts";
import { isForAll } from "../../presenters/message-presenter.ts";
import type { ChatStrategy, SenderOf, SentBody } from "./chat-strategy.ts";
import {
  type CachedGroup,
  type GroupCache,
  authorizeInGroup,
  loadGroup,
  requireMembership,
} from "./group-cache.ts";
import { groupRecallRight } from "./group-recall.ts";
import { createFindGroupReceivers } from "./group-receivers.ts";
import type { MessagesReads } from "./messages-store.ts";
import { PULL_BATCH_ROWS } from "./pull-messages.ts";
import { groupReadFrame, groupReceiptFrame } from "./read-frames.ts";
import { viewGroupMessages } from "./view-group-messages.ts";

export interface GroupChatsDeps {
  store: MessagesReads & MessageStore & GroupMessageStore;
  groupCache: GroupCache;
}

export function createGroupChats({ store, groupCache }: GroupChatsDeps): ChatStrategy<"GROUP"> {
  return {
    type: ChatType.GROUP,
    cmd: Cmd.GROUP,

    targetOfBody: ({ groupId }) => groupId,
    findSender: (_, groupId) => groupCache.find(groupId),
    newMessage: newGroupMessage,
    append: (message) => store.appendGroup(message),
    requireSender: (tx, { groupId, sendId }) => requireMembership(tx, groupId, sendId),
    appendWithin: (tx, message) => tx.appendGroup(message),
    async findQuotable(tx, message, id) {
      if ((await findInGroup(tx, message, id)) === undefined) return undefined;
      // Take the current row, even if the sender has missed an edit of it: publishing shows each reader the right text.
      const current = await tx.findMessage(ChatType.GROUP, id);
      return current !== undefined && isForAll(current) ? current : undefined;
    },

    findEditTarget: findInGroup,
    async appendEdit(tx, event, id) {
      // Members who have hidden the message do not get the new text either, unless they see it quoted.
      return { ...(await tx.appendGroup(event)), except: await tx.listGroupHiders(id) };
    },
    async authorizeRecall(tx, target, event) {
      const cached = await loadGroup(tx, target.groupId);
      if (cached === undefined) throw new Error(`the group ${target.groupId} of a message was not found`);
      return groupRecallRight(cached, target, event);
    },

    async authorizeExtra(userId, { groupId, sendId }, right) {
      const cached = await groupCache.find(groupId);
      if (cached === undefined) throw new ApiError("group.notFound");
      authorizeInGroup(right === "closePoll" && sendId === userId ? "vote" : right, cached, userId);
    },
    async audienceOf({ groupId, id }) {
      const cached = await groupCache.find(groupId);
      if (cached !== undefined && cached.newestStayFrom < id) return cached.memberIds;
      const latecomers = new Set(await store.listGroupLatecomers(groupId, id));
      return (cached?.memberIds ?? []).filter((userId) => !latecomers.has(userId));
    },
    extraFrame: ({ id: messageId, groupId, sendId }, extra, acts) =>
      frameOf(Cmd.GROUP, {
        type: MessageType.EXTRA,
        messageId,
        groupId,
        sendId,
        extra,
        acts: [...acts],
        content: "",
      }),

    async typingAudience(userId, groupId) {
      const cached = await groupCache.find(groupId);
      if (cached === undefined) throw new ApiError("group.notFound");
      const { name } = authorizeInGroup("speak", cached, userId);
      const { memberIds } = cached;
      const isTold = memberIds.length <= TYPING_MEMBERS_MAX;
      return { userIds: isTold ? memberIds.filter((id) => id !== userId) : [], name };
    },
    typingFrame: (sendId, groupId, sendNickName, { what, on }) =>
      frameOf(Cmd.GROUP, { type: MessageType.TYPING, sendId, groupId, sendNickName, what, on, content: "" }),

    receiversOf: createFindGroupReceivers({ store, groupCache }),
    viewNew: (row, language) => groupMessage(row, language),
    targetOfReceiver: ({ groupId }) => groupId,
    alertingMessage: ({ id, type, act, sendId, sendNickName, sendRole, atUserIds, content }) => ({
      position: id,
      type,
      act,
      sendId,
      sendNickName,
      sendRole,
      atUserIds,
      content,
    }),
    async viewOwn({ id, sendId }, language) {
      // Read the row again: what the sender sees of the quote depends on their stays.
      const rows = await store.listGroupMessages(sendId, [id]);
      const [message] = await viewGroupMessages(store, sendId, rows, language);
      if (message === undefined) throw new Error(`the stored message ${id} was not found`);
      return message;
    },

    requireReader: async (userId, groupId) => void (await requireFormerMember(store, userId, groupId)),
    view: (userId, rows, language) => viewGroupMessages(store, userId, rows, language),
    async wasVisible(userId, groupId, id) {
      const row = await store.findMessage(ChatType.GROUP, id);
      if (row === undefined || row.groupId !== groupId || (row.onlyFor ?? userId) !== userId) return false;
      const stays = await store.listGroupStays(groupId, userId);
      return stays.some((stay) => isDuringStay(stay, id));
    },
    raiseRead: (tx, userId, groupId, maxId) => tx.raiseGroupRead(userId, groupId, maxId),
    readFrame: groupReadFrame,
    async receiptFrames(userId, groupId, read) {
      const senders = new Map(read.map(({ id, sendId }) => [id, sendId]));
      const receipts = await store.listGroupReceipts(groupId, [...senders.keys()]);
      return receipts.flatMap((receipt) => {
        const sendId = senders.get(receipt.id);
        if (sendId === undefined) return [];
        return [{ userId: sendId, frame: groupReceiptFrame(userId, receipt) }];
      });
    },

    firstPullMax: FIRST_PULL_GROUP_MAX,
    async pull(userId, window, language) {
      const { ids, fromId } = await store.startGroupPull(userId, window);
      const batches = batchesOf(store, userId, ids, language);
      return fromId === null ? { batches } : { batches, fromId };
    },
    targetOfMessage: (_, { groupId }) => groupId,
  };
}

async function* batchesOf(
  store: MessagesReads,
  userId: number,
  ids: readonly number[],
  language: Language,
): AsyncGenerator<GroupMessage[]> {
  const positions = await store.groupReadPositions(userId);
  for (let start = 0; start < ids.length; start += PULL_BATCH_ROWS) {
    const rows = await store.listGroupMessages(userId, ids.slice(start, start + PULL_BATCH_ROWS));
    yield viewGroupMessages(store, userId, rows, language, positions);
  }
}

/** The message to store. Throws unless this person may send it. */
function newGroupMessage(
  cached: SenderOf<"GROUP">,
  userId: number,
  body: SentBody<"GROUP">,
  content: string,
  now: number,
): NewGroupMessage {
  if (cached === undefined) throw new ApiError("group.notFound");
  const isEdit = body.type === MessageType.EDIT;
  const sender = authorizeInGroup(isEdit ? "edit" : "speak", cached, userId);
  const message: NewGroupMessage = {
    tmpId: body.tmpId || null,
    type: body.type,
    groupId: body.groupId,
    sendId: userId,
    sendRole: sender.role,
    sendNickName: sender.name,
    content,
    sendTime: now,
  };
  if (isEdit) return message;
  message.atUserIds = validateMentions(body, cached, userId);
  message.receipt = validateReceipt(body, cached, userId);
  return message;
}

/** Finds a current or former member: both see the messages of their stays. For everybody else, there is no such group. */
export async function requireFormerMember(
  store: Pick<MessagesReads, "findGroupMember">,
  userId: number,
  groupId: number,
): Promise<GroupMemberRow> {
  const member = await store.findGroupMember(groupId, userId);
  if (member === undefined) throw new ApiError("group.notFound");
  return member;
}

/** A row that the sender of a message sees in its group, if they are still a member. */
async function findInGroup(
  tx: MessagesReads,
  { groupId, sendId }: NewGroupMessage,
  id: number,
): Promise<GroupMessageRow | undefined> {
  await requireMembership(tx, groupId, sendId);
  const row = await tx.findVisibleMessage(ChatType.GROUP, sendId, id);
  return row?.groupId === groupId ? row : undefined;
}

/** Only members can be mentioned, each once, and everyone only by owner and admins. */
function validateMentions(
  { atUserIds }: SentBody<"GROUP">,
  cached: CachedGroup,
  me: number,
): readonly number[] {
  const ids = [...new Set(atUserIds ?? [])];
  for (const id of ids) {
    if (id === EVERYONE) authorizeInGroup("mentionAll", cached, me);
    else if (cached.members.get(id)?.quit !== false) throw new ApiError("message.mentionUnknown");
  }
  return ids;
}

function validateReceipt({ receipt }: SentBody<"GROUP">, cached: CachedGroup, me: number): boolean {
  if (receipt !== true) return false;
  authorizeInGroup("askReceipt", cached, me);
  if (cached.memberIds.length > RECEIPT_MEMBERS_MAX) {
    throw new ApiError("message.receiptTooMany", { max: RECEIPT_MEMBERS_MAX });
  }
  return true;
}
