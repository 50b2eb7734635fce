/** History pages of groups, read positions and read receipts. */
import { Cmd, GroupRole, MessageType } from "@parley/protocol/codes";
import type { GroupSignal } from "@parley/protocol/signal";
import { type Delivery, frameOf } from "../../delivery.ts";
import { ApiError } from "../../calls/api-error.ts";
import type { Handlers } from "../../calls/call.ts";
import type { Store } from "../../ports/store.ts";
import { viewGroupMessages } from "./view-group-messages.ts";
import { historyPageOf } from "./private-history.ts";

/** Receipts that are sent in one turn of the event loop. */
const RECEIPT_BATCH = 200;

export interface GroupHistoryDeps {
  store: Store;
  delivery: Delivery;
  /** Gives other work a turn of the event loop. */
  nextTurn(): Promise<void>;
}

type GroupHistoryHandlers = Pick<
  Handlers,
  "groupHistory" | "groupDays" | "readGroupMessages" | "findReadedUsers"
>;

export function createGroupHistory({ store, delivery, nextTurn }: GroupHistoryDeps): GroupHistoryHandlers {
  /** Also finds former members: they still see the messages of their stays. */
  async function findMember(groupId: number, userId: number) {
    const member = await store.findGroupMember(groupId, userId);
    if (member !== undefined) return member;
    const group = await store.findGroup(groupId);
    throw new ApiError(group === undefined ? "group.notFound" : "group.notJoined");
  }

  /** At most the newest message that the reader sees, or `messageId` if the reader has hidden or cleared that message since reading it. */
  async function resolveReadPosition(
    me: number,
    groupId: number,
    messageId: number | undefined,
  ): Promise<number> {
    const newest = await store.newestSeenGroupMessageId(me, groupId);
    if (messageId === undefined || messageId <= newest) return messageId ?? newest;
    const row = await store.findGroupMessage(messageId);
    if (row === undefined || row.groupId !== groupId || (row.onlyFor ?? me) !== me) return newest;
    const stays = await store.listGroupStays(groupId, me);
    const isWithinStay = stays.some(
      ({ fromId, toId }) => messageId > fromId && (toId === null || messageId <= toId),
    );
    return isWithinStay ? messageId : newest;
  }

  /** Each reader reads a message only once, so the total work is bounded by the number of messages. */
  async function publishReceipts(
    me: number,
    groupId: number,
    read: readonly { id: number; sendId: number }[],
  ): Promise<void> {
    for (let at = 0; at < read.length; at += RECEIPT_BATCH) {
      if (at > 0) await nextTurn();
      await publishReceiptBatch(me, groupId, read.slice(at, at + RECEIPT_BATCH));
    }
  }

  async function publishReceiptBatch(
    me: number,
    groupId: number,
    read: readonly { id: number; sendId: number }[],
  ): Promise<void> {
    const senders = new Map(read.map(({ id, sendId }) => [id, sendId]));
    for (const receipt of await store.listGroupReceipts(groupId, [...senders.keys()])) {
      const sendId = senders.get(receipt.id);
      if (sendId === undefined) continue;
      const signal: GroupSignal = {
        type: MessageType.RECEIPT,
        sendId: me,
        // Older clients read the fields of the receipt on the frame itself.
        ...receipt,
        content: JSON.stringify(receipt),
      };
      delivery.toUsers([sendId], frameOf(Cmd.GROUP, signal));
    }
  }

  return {
    async groupHistory({ actor, query, language }) {
      const { groupId, ...position } = query;
      await findMember(groupId, actor.userId);
      const rows = await store.groupHistory(actor.userId, groupId, historyPageOf(position));
      return viewGroupMessages(store, actor.userId, rows, language);
    },

    async groupDays({ actor, query }) {
      await findMember(query.groupId, actor.userId);
      return store.groupDays(actor.userId, query.groupId, query.starts);
    },

    async readGroupMessages({ actor, query }) {
      const me = actor.userId;
      const { groupId } = query;
      await findMember(groupId, me);
      const maxId = await resolveReadPosition(me, groupId, query.messageId);
      if (maxId <= 0) return null;
      const read = await store.write((tx) => tx.raiseGroupRead(me, groupId, maxId));
      if (read === undefined) return null;
      const signal: GroupSignal = { type: MessageType.READED, sendId: me, groupId, maxId, content: "" };
      delivery.toOwnOthers(actor, frameOf(Cmd.GROUP, signal));
      await publishReceipts(me, groupId, read);
      return null;
    },

    async findReadedUsers({ actor, query }) {
      const me = await findMember(query.groupId, actor.userId);
      if (me.quit) throw new ApiError("group.notMember");
      const row = await store.findVisibleGroupMessage(actor.userId, query.messageId);
      if (row === undefined || row.groupId !== query.groupId) throw new ApiError("message.notFound");
      const isLeader = me.role === GroupRole.OWNER || me.role === GroupRole.ADMIN;
      if (row.sendId !== actor.userId && !isLeader) throw new ApiError("group.noRight");
      if (!row.receipt) return [];
      return query.who === "unread" ? store.listGroupUnread(row) : store.listGroupReaders(row);
    },
  };
}
