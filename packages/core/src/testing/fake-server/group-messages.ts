import { Cmd, GroupRole, MessageStatus, MessageType } from "@parley/protocol/codes";
import { judgeGroupAction } from "@parley/protocol/group-rights";
import type { GroupMessage } from "@parley/protocol/message";
import { historyPage } from "../answer-history.ts";
import { existing, refuseUnlessMay, type Standing, standing } from "./group-rules.ts";
import type { GroupMessageRow } from "./group-rows.ts";
import { appendGroupMessage, isInStay, memberRow, membersIn, nameInGroup } from "./group-tables.ts";
import { findGroupRow, groupShownTo, isSeenBy, readIdOf, receiptOf, seenIn } from "./group-view.ts";
import type { Call, HandlerDeps, Handlers } from "./handlers.ts";
import { Refused } from "./refused.ts";
import type { Actor } from "./sockets.ts";

const EDIT_MS = 3_600_000;
const RECALL_MS = 300_000;
const EVERYONE = -1;

/** What people write in groups, and what is done to it. */
export function createGroupMessages({ tables, gateway, hasFault }: HandlerDeps): Handlers {
  const { messages, quotes, recalls, reads, hidden, receipts } = tables.groups;
  const frame = (data: object) => ({ cmd: Cmd.GROUP, data });

  function tell(actor: Actor, row: GroupMessageRow): GroupMessage {
    for (const { userId } of membersIn(tables, row.groupId)) {
      if (!isSeenBy(tables, row, userId) && row.type === MessageType.EDIT) continue;
      if (userId === actor.userId && hasFault("noOwnOthers")) continue;
      gateway.toOthersOf(actor, userId, frame(groupShownTo(tables, row, userId)));
    }
    return groupShownTo(tables, row, actor.userId);
  }

  function seen(userId: number, id: number | null | undefined): GroupMessageRow {
    const row = findGroupRow(tables, id);
    if (row === undefined || !isSeenBy(tables, row, userId)) throw new Refused("message.notFound");
    return row;
  }

  function edit(actor: Actor, { body }: Pick<Call<"sendGroupMessage">, "body">): GroupMessage {
    const target = seen(actor.userId, body.quoteMessageId);
    if (target.groupId !== body.groupId) throw new Refused("message.notFound");
    if (target.sendId !== actor.userId) throw new Refused("message.notYours");
    if (tables.now() - target.sendTime > EDIT_MS) throw new Refused("message.recallTooLate");
    const isText = target.type === MessageType.TEXT && target.status !== MessageStatus.RECALL;
    if (!isText) throw new Refused("message.notEditable");
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
    if (target.editedAt === null) tables.groups.firstTexts.set(target.id, target.content);
    if (!hasFault("editNotKept")) Object.assign(target, { content, isEdited: true, editedAt: row.sendTime });
    return tell(actor, row);
  }

  function refuseNames({ group, me }: Standing, ids: readonly number[]): void {
    for (const id of ids) {
      if (id === EVERYONE) refuseUnlessMay("mentionAll", group, me);
      else if (memberRow(tables, group.id, id)?.quit !== false) throw new Refused("message.mentionUnknown");
    }
  }

  function tellReceipts(me: number, groupId: number, from: number, to: number): void {
    // What the reader has hidden or cleared was read as well, as far as the sender knows.
    const read = messages.filter(
      (row) =>
        row.groupId === groupId &&
        row.receipt &&
        row.sendId !== me &&
        row.id > from &&
        row.id <= to &&
        isInStay(tables, row, me),
    );
    for (const row of read) {
      const known = receipts.find((other) => other.groupId === groupId && other.ownerId === row.sendId);
      const changedAt = ++tables.changeNumber;
      if (known === undefined) receipts.push({ groupId, ownerId: row.sendId, changedAt });
      else known.changedAt = changedAt;
      if (hasFault("groupReceiptNotTold")) continue;
      const content = JSON.stringify(receiptOf(tables, row));
      gateway.toUser(row.sendId, frame({ type: MessageType.RECEIPT, sendId: me, groupId, content }));
    }
  }

  function refuseRecall(me: number, target: GroupMessageRow): void {
    const group = existing(tables, target.groupId);
    const by = memberRow(tables, target.groupId, me);
    const author = memberRow(tables, target.groupId, target.sendId);
    const isOwn = target.sendId === me;
    refuseUnlessMay(isOwn ? "recallOwn" : "recallOthers", group, by, author);
    if (target.type === MessageType.TIP_TEXT) throw new Refused("message.notYours");
    const state = { ...group, isBanned: group.banReason !== null, dissolve: group.isDissolved };
    const role = author?.role ?? GroupRole.MEMBER;
    const isAnyTime = judgeGroupAction("recallOthers", by, state, { role }) === "ok";
    if (isOwn && !isAnyTime && tables.now() - target.sendTime > RECALL_MS)
      throw new Refused("message.recallTooLate");
  }

  return {
    sendGroupMessage({ actor, body, ...rest }) {
      const { userId } = actor;
      const known = messages.find((row) => row.sendId === userId && row.tmpId === body.tmpId && body.tmpId);
      if (known !== undefined && !hasFault("forgetsTmpId")) return groupShownTo(tables, known, userId);
      const { groupId, type, content, quoteMessageId, tmpId = null } = body;
      if (type === MessageType.EDIT) {
        standing(tables, groupId, userId, "edit");
        return edit(actor, { ...rest, body });
      }
      const who = standing(tables, groupId, userId, "speak");
      const atUserIds = [...new Set(body.atUserIds ?? [])];
      refuseNames(who, atUserIds);
      const quoted = findGroupRow(tables, quoteMessageId);
      const isQuotable =
        quoted?.groupId === groupId && quoted.onlyFor === null && isSeenBy(tables, quoted, userId);
      if (quoteMessageId && !isQuotable) throw new Refused("message.quoteUnknown");
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
      return tell(actor, row);
    },
    recallGroupMessage({ actor, params }) {
      const { userId } = actor;
      const target = seen(userId, params.id);
      const told = findGroupRow(tables, recalls.get(target.id));
      const isRepeat = told !== undefined && (target.sendId === userId || told.sendId === userId);
      if (isRepeat) return groupShownTo(tables, told, userId);
      refuseRecall(userId, target);
      if (told !== undefined) return groupShownTo(tables, told, userId);
      const { groupId, sendId, sendNickName: author } = target;
      const name = nameInGroup(tables, groupId, userId);
      if (!hasFault("recallNotKept"))
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
      if (hasFault("recallNotTold")) return groupShownTo(tables, notice, userId);
      return tell(actor, notice);
    },
    deleteGroupMessages({ actor, body }) {
      const { userId } = actor;
      const { groupId } = body;
      const changedAt = ++tables.changeNumber;
      for (const { id } of seenIn(tables, groupId, userId))
        if (body.ids.includes(id)) hidden.push({ groupId, userId, id, changedAt });
      if (!hasFault("hideNotTold")) gateway.tellChanges(actor, userId);
      return null;
    },
    groupHistory({ actor, query }) {
      existing(tables, query.groupId);
      if (memberRow(tables, query.groupId, actor.userId) === undefined) throw new Refused("group.notJoined");
      const rows = seenIn(tables, query.groupId, actor.userId);
      return historyPage(rows, query).map((row) => groupShownTo(tables, row, actor.userId));
    },
    readGroupMessages({ actor, query }) {
      const me = actor.userId;
      const { groupId } = query;
      if (memberRow(tables, groupId, me) === undefined) throw new Refused("group.notJoined");
      const newest = messages.findLast((row) => row.groupId === groupId)?.id ?? 0;
      const maxId = Math.min(query.messageId ?? newest, newest);
      const before = readIdOf(tables, groupId, me);
      if (maxId <= before || maxId <= 0) return null;
      const known = reads.find((row) => row.groupId === groupId && row.userId === me);
      const changedAt = ++tables.changeNumber;
      if (known === undefined) reads.push({ groupId, userId: me, readId: maxId, changedAt });
      else Object.assign(known, { readId: maxId, changedAt });
      if (!hasFault("noReadTold"))
        gateway.toOwnOthers(
          actor,
          frame({ type: MessageType.READED, sendId: me, groupId, maxId, content: "" }),
        );
      tellReceipts(me, groupId, before, maxId);
      return null;
    },
    findReadedUsers({ actor, query }) {
      const row = seen(actor.userId, query.messageId);
      const isWanted = (userId: number) =>
        readIdOf(tables, row.groupId, userId) >= row.id === (query.who !== "unread");
      return membersIn(tables, row.groupId)
        .filter(({ userId }) => userId !== row.sendId && isInStay(tables, row, userId) && isWanted(userId))
        .map(({ userId }) => userId);
    },
  };
}
