import { ChatType, MessageStatus, MessageType } from "@parley/protocol/codes";
import type { GroupMessage, QuoteMessage } from "@parley/protocol/message";
import type { GroupMessageRow } from "./group-rows.ts";
import { isInMembershipPeriod, findMember } from "./group-tables.ts";
import { clearedUpTo, isHidden, type Tables } from "./tables.ts";

/** Stored group messages as one reader sees them. */

/** The stored row with this id, whoever may see it. */
export function findGroupMessage(tables: Tables, id: number | null | undefined): GroupMessageRow | undefined {
  return tables.groups.messages.find((row) => row.id === id);
}

function isRemovedByModerator(tables: Tables, row: GroupMessageRow): boolean {
  // A recall stays in effect when its author is removed later.
  if (row.type === MessageType.RECALL) return false;
  return tables.groups.moderatorRemovals.some(
    (removal) => removal.groupId === row.groupId && removal.userId === row.sendId && row.id <= removal.upTo,
  );
}

/** Whether a user may see a row. */
export function isVisibleToMember(tables: Tables, row: GroupMessageRow, userId: number): boolean {
  if (isHidden(tables, userId, ChatType.GROUP, row.id) || isRemovedByModerator(tables, row)) return false;
  if (!isInMembershipPeriod(tables, row, userId)) return false;
  if (row.id <= clearedUpTo(tables, userId, ChatType.GROUP)) return false;
  // The event of an edit contains the text of the edited message.
  const edited =
    row.type === MessageType.EDIT ? findGroupMessage(tables, tables.groups.quotes.get(row.id)) : undefined;
  return edited === undefined || isVisibleToMember(tables, edited, userId);
}

/** All rows of a group that a user may see. */
export function visibleRows(tables: Tables, groupId: number, userId: number): GroupMessageRow[] {
  return tables.groups.messages.filter(
    (row) => row.groupId === groupId && isVisibleToMember(tables, row, userId),
  );
}

/** A row with the text of its newest edit during the user's membership. */
function asVisibleTo(tables: Tables, row: GroupMessageRow, userId: number): GroupMessageRow {
  if (row.editedAt === null) return row;
  const { messages, quotes, originalTexts } = tables.groups;
  const edits = messages.filter((edit) => edit.type === MessageType.EDIT && quotes.get(edit.id) === row.id);
  const seen = edits.findLast((edit) => isInMembershipPeriod(tables, edit, userId));
  if (seen === edits.at(-1)) return row;
  const content = seen?.content ?? originalTexts.get(row.id) ?? "";
  return { ...row, content, isEdited: seen !== undefined, editedAt: seen?.sendTime ?? null };
}

/**
 * Ids of messages that were recalled or removed while a user was not a member, and of messages that quote them. The user's clients hear of
 * that neither by a push nor by a pull.
 */
export function unreportedTo(tables: Tables, groupId: number, userId: number): Set<number> {
  const { messages, quotes, recalls } = tables.groups;
  const unreported = new Set<number>();
  for (const row of messages) {
    if (row.groupId !== groupId) continue;
    if (isRemovedByModerator(tables, row) && !wasNotifiedOfRemoval(tables, row, userId))
      unreported.add(row.id);
    if (isInMembershipPeriod(tables, row, userId)) continue;
    if (row.type === MessageType.RECALL) unreported.add(Number(row.content));
  }
  for (const [id, quoted] of quotes) if (unreported.has(quoted)) unreported.add(id);
  for (const id of recalls.keys()) if (unreported.has(id)) unreported.add(id);
  return unreported;
}

/** Whether a removal was pushed to a user, which needs membership at that time. */
function wasNotifiedOfRemoval(tables: Tables, row: GroupMessageRow, userId: number): boolean {
  const { moderatorRemovals, stays } = tables.groups;
  const removal = moderatorRemovals.find(
    ({ groupId, userId: senderId }) => groupId === row.groupId && senderId === row.sendId,
  );
  return stays.some(
    (stay) =>
      stay.groupId === row.groupId &&
      stay.userId === userId &&
      stay.fromId < (removal?.upTo ?? 0) &&
      (stay.toId === null || stay.toId > (removal?.upTo ?? 0)),
  );
}

/** The read position of a user in a group; -1 for none. */
export function groupReadPositionOf(tables: Tables, groupId: number, userId: number): number {
  return tables.groups.reads.find((row) => row.groupId === groupId && row.userId === userId)?.readId ?? -1;
}

/** A quoted row as its reader sees it; without content if it was removed or written outside the reader's membership. */
function quoteFor(tables: Tables, row: GroupMessageRow, userId: number): QuoteMessage | null {
  const quoted = findGroupMessage(tables, tables.groups.quotes.get(row.id));
  if (quoted === undefined) return null;
  const { id, sendId, type, status, content } = asVisibleTo(tables, quoted, userId);
  if (isRemovedByModerator(tables, quoted) || !isInMembershipPeriod(tables, quoted, userId))
    return { id, sendId, content: "", type: MessageType.TIP_TEXT, status: MessageStatus.SENDED };
  return { id, sendId, content: status === MessageStatus.RECALL ? "" : content, type, status };
}

/** How many members have read a message, and whether all have. */
export function receiptOf(tables: Tables, { id, groupId, sendId }: GroupMessageRow) {
  let readedCount = 0;
  let receiptOk = true;
  for (const { userId, fromId, toId, groupId: stayed } of tables.groups.stays) {
    if (stayed !== groupId || userId === sendId || id <= fromId || (toId !== null && id > toId)) continue;
    if (groupReadPositionOf(tables, groupId, userId) >= id) readedCount++;
    else if (findMember(tables, groupId, userId)?.quit === false) receiptOk = false;
  }
  return { id, groupId, readedCount, receiptOk };
}

/** A row as it is sent to a user. */
export function groupMessageFor(tables: Tables, row: GroupMessageRow, userId: number): GroupMessage {
  const { onlyFor: _onlyFor, ...rest } = asVisibleTo(tables, row, userId);
  const isRead = row.sendId !== userId && row.id <= groupReadPositionOf(tables, row.groupId, userId);
  const status = isRead ? MessageStatus.READED : MessageStatus.SENDED;
  const { readedCount, receiptOk } = row.receipt ? receiptOf(tables, row) : row;
  return {
    ...rest,
    quoteMessage: quoteFor(tables, row, userId),
    status: row.status === MessageStatus.RECALL ? row.status : status,
    readedCount,
    receiptOk,
  };
}

const RECEIPTS_MAX = 100;

/** The group part of `/user/changes`. */
export function groupChanges(tables: Tables, me: number, since: number) {
  const { reads, moderatorRemovals, receipts, messages } = tables.groups;
  return {
    read: reads
      .filter((row) => row.userId === me && row.changedAt > since)
      .map((row) => ({ type: ChatType.GROUP, targetId: row.groupId, mine: row.readId, theirs: -1 })),
    purged: moderatorRemovals
      .filter((row) => row.changedAt > since && findMember(tables, row.groupId, me) !== undefined)
      .map(({ groupId, userId, upTo }) => ({ groupId, userId, upTo })),
    receipts: receipts
      .filter((row) => row.ownerId === me && row.changedAt > since)
      .flatMap(({ groupId }) =>
        messages
          .filter((row) => row.groupId === groupId && row.sendId === me && row.receipt)
          .slice(-RECEIPTS_MAX)
          .map((row) => receiptOf(tables, row)),
      ),
  };
}
