import { ChatType, Cmd, GroupRole, MessageStatus, MessageType, EVERYONE } from "@parley/protocol/codes";
import { checkGroupAction } from "@parley/protocol/group-rights";
import type { GroupMessage } from "@parley/protocol/message";
import { historyPage } from "../answer-history.ts";
import { requireGroup, authorizeGroupAction, type Membership, requireMembership } from "./group-access.ts";
import type { GroupMessageRow } from "./group-rows.ts";
import {
  appendGroupMessage,
  isInMembershipPeriod,
  findMember,
  membersIn,
  nameInGroup,
} from "./group-tables.ts";
import {
  findGroupMessage,
  groupMessageFor,
  isVisibleToMember,
  groupReadPositionOf,
  receiptOf,
  visibleRows,
} from "./group-view.ts";
import type { Call, HandlerDeps, Handlers } from "./handlers.ts";
import { ApiError } from "./api-error.ts";
import type { Actor } from "./fake-gateway.ts";
import { addToFeed } from "./tables.ts";

const EDIT_MS = 3_600_000;
const RECALL_MS = 300_000;

/** Creates the handlers of group messages. */
export function createGroupMessageHandlers({ tables, gateway, hasFault }: HandlerDeps): Handlers {
  const { messages, quotes, recalls, reads, receipts } = tables.groups;
  const frame = (data: object) => ({ cmd: Cmd.GROUP, data });

  function publish(actor: Actor, row: GroupMessageRow): GroupMessage {
    for (const { userId } of membersIn(tables, row.groupId)) {
      if (!isVisibleToMember(tables, row, userId) && row.type === MessageType.EDIT) continue;
      if (userId === actor.userId && hasFault("ownClientsNotPushed")) continue;
      gateway.toOthersOf(actor, userId, frame(groupMessageFor(tables, row, userId)));
    }
    return groupMessageFor(tables, row, actor.userId);
  }

  function requireVisible(userId: number, id: number | null | undefined): GroupMessageRow {
    const row = findGroupMessage(tables, id);
    if (row === undefined || !isVisibleToMember(tables, row, userId)) throw new ApiError("message.notFound");
    return row;
  }

  function edit(actor: Actor, { body }: Pick<Call<"sendGroupMessage">, "body">): GroupMessage {
    const target = requireVisible(actor.userId, body.quoteMessageId);
    if (target.groupId !== body.groupId) throw new ApiError("message.notFound");
    if (target.sendId !== actor.userId) throw new ApiError("message.notYours");
    if (tables.now() - target.sendTime > EDIT_MS) throw new ApiError("message.recallTooLate");
    const isText = target.type === MessageType.TEXT && target.status !== MessageStatus.RECALL;
    if (!isText) throw new ApiError("message.notEditable");
    const { groupId, content, tmpId = null } = body;
    const row = appendGroupMessage(tables, {
      groupId,
      sendId: actor.userId,
      type: MessageType.EDIT,
      content,
      tmpId,
    });
    row.sendTime = Math.max(row.sendTime, (target.editedAt ?? 0) + 1);
    quotes.set(row.id, target.id);
    if (target.editedAt === null) tables.groups.originalTexts.set(target.id, target.content);
    if (!hasFault("editNotStored"))
      Object.assign(target, { content, isEdited: true, editedAt: row.sendTime });
    return publish(actor, row);
  }

  function authorizeMentions({ group, me }: Membership, ids: readonly number[]): void {
    for (const id of ids) {
      if (id === EVERYONE) authorizeGroupAction("mentionAll", group, me);
      else if (findMember(tables, group.id, id)?.quit !== false) throw new ApiError("message.mentionUnknown");
    }
  }

  function publishReceipts(me: number, groupId: number, from: number, to: number): void {
    // For the sender, messages that the reader has hidden or cleared count as read as well.
    const read = messages.filter(
      (row) =>
        row.groupId === groupId &&
        row.receipt &&
        row.sendId !== me &&
        row.id > from &&
        row.id <= to &&
        isInMembershipPeriod(tables, row, me),
    );
    for (const row of read) {
      const existing = receipts.find((other) => other.groupId === groupId && other.ownerId === row.sendId);
      const changedAt = ++tables.changeNumber;
      if (existing === undefined) receipts.push({ groupId, ownerId: row.sendId, changedAt });
      else existing.changedAt = changedAt;
      if (hasFault("groupReceiptNotPushed")) continue;
      const content = JSON.stringify(receiptOf(tables, row));
      gateway.toUser(row.sendId, frame({ type: MessageType.RECEIPT, sendId: me, groupId, content }));
    }
  }

  function authorizeRecall(me: number, target: GroupMessageRow): void {
    const group = requireGroup(tables, target.groupId);
    const by = findMember(tables, target.groupId, me);
    const author = findMember(tables, target.groupId, target.sendId);
    const isOwn = target.sendId === me;
    authorizeGroupAction(isOwn ? "recallOwn" : "recallOthers", group, by, author);
    if (target.type === MessageType.TIP_TEXT) throw new ApiError("message.notYours");
    const state = { ...group, isBanned: group.banReason !== null, dissolve: group.isDissolved };
    const role = author?.role ?? GroupRole.MEMBER;
    const isAnyTime = checkGroupAction("recallOthers", by, state, { role }) === "ok";
    if (isOwn && !isAnyTime && tables.now() - target.sendTime > RECALL_MS)
      throw new ApiError("message.recallTooLate");
  }

  return {
    sendGroupMessage({ actor, body, ...rest }) {
      const { userId } = actor;
      const stored = messages.find((row) => row.sendId === userId && row.tmpId === body.tmpId && body.tmpId);
      if (stored !== undefined && !hasFault("forgetsTmpId")) return groupMessageFor(tables, stored, userId);
      const { groupId, type, content, quoteMessageId, tmpId = null } = body;
      if (type === MessageType.EDIT) {
        requireMembership(tables, groupId, userId, "edit");
        return edit(actor, { ...rest, body });
      }
      const membership = requireMembership(tables, groupId, userId, "speak");
      const atUserIds = [...new Set(body.atUserIds ?? [])];
      authorizeMentions(membership, atUserIds);
      const quoted = findGroupMessage(tables, quoteMessageId);
      const isQuotable =
        quoted?.groupId === groupId && quoted.onlyFor === null && isVisibleToMember(tables, quoted, userId);
      if (quoteMessageId && !isQuotable) throw new ApiError("message.quoteUnknown");
      const receipt = body.receipt === true;
      const row = appendGroupMessage(tables, {
        groupId,
        sendId: userId,
        type,
        content,
        tmpId,
        atUserIds,
        receipt,
      });
      if (quoteMessageId) quotes.set(row.id, quoteMessageId);
      return publish(actor, row);
    },
    recallGroupMessage({ actor, params }) {
      const { userId } = actor;
      const target = requireVisible(userId, params.id);
      const earlierRecall = findGroupMessage(tables, recalls.get(target.id));
      const isRepeat =
        earlierRecall !== undefined && (target.sendId === userId || earlierRecall.sendId === userId);
      if (isRepeat) return groupMessageFor(tables, earlierRecall, userId);
      authorizeRecall(userId, target);
      if (earlierRecall !== undefined) return groupMessageFor(tables, earlierRecall, userId);
      const { groupId, sendId, sendNickName: author } = target;
      const name = nameInGroup(tables, groupId, userId);
      if (!hasFault("recallNotStored"))
        Object.assign(target, {
          type: MessageType.TIP_TEXT,
          status: MessageStatus.RECALL,
          content: `${name} took a message back`,
          tip:
            sendId === userId
              ? { key: "recalled", params: { name: author } }
              : { key: "recalledBy", params: { name, nameId: userId, author } },
          isEdited: false,
          editedAt: null,
          atUserIds: [],
          receipt: false,
        });
      quotes.delete(target.id);
      for (const row of messages)
        if (row.type === MessageType.EDIT && quotes.get(row.id) === target.id) row.content = "";
      const content = String(target.id);
      const type = MessageType.RECALL;
      const notice = appendGroupMessage(tables, { groupId, sendId: userId, type, content, tmpId: null });
      recalls.set(target.id, notice.id);
      if (hasFault("recallNotPushed")) return groupMessageFor(tables, notice, userId);
      return publish(actor, notice);
    },
    deleteGroupMessages({ actor, body }) {
      const { userId } = actor;
      const { groupId } = body;
      const rows = visibleRows(tables, groupId, userId).filter(({ id }) => body.ids.includes(id));
      const type = ChatType.GROUP;
      const changes = rows.map(({ id }) => ({ type, targetId: groupId, ids: [id] }));
      addToFeed(tables, userId, "hidden", changes);
      if (!hasFault("deletionNotPushed")) gateway.pushChangesSignal(actor, userId);
      return null;
    },
    groupHistory({ actor, query }) {
      requireGroup(tables, query.groupId);
      if (findMember(tables, query.groupId, actor.userId) === undefined) throw new ApiError("group.notFound");
      const rows = visibleRows(tables, query.groupId, actor.userId);
      return historyPage(rows, query).map((row) => groupMessageFor(tables, row, actor.userId));
    },
    readGroupMessages({ actor, query }) {
      const me = actor.userId;
      const { groupId } = query;
      if (findMember(tables, groupId, me) === undefined) throw new ApiError("group.notFound");
      const newest = messages.findLast((row) => row.groupId === groupId)?.id ?? 0;
      const maxId = Math.min(query.messageId ?? newest, newest);
      const before = groupReadPositionOf(tables, groupId, me);
      if (maxId <= before || maxId <= 0) return null;
      const existing = reads.find((row) => row.groupId === groupId && row.userId === me);
      const changedAt = ++tables.changeNumber;
      if (existing === undefined) reads.push({ groupId, userId: me, readId: maxId, changedAt });
      else Object.assign(existing, { readId: maxId, changedAt });
      if (!hasFault("noReadPush"))
        gateway.toOwnOthers(
          actor,
          frame({ type: MessageType.READED, sendId: me, groupId, maxId, content: "" }),
        );
      publishReceipts(me, groupId, before, maxId);
      return null;
    },
  };
}
