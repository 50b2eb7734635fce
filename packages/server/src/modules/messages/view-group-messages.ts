/** Stored messages of groups as one reader sees them. */
import { MessageStatus } from "@parley/protocol/codes";
import type { GroupMessage } from "@parley/protocol/message";
import type { Language } from "../../api/language.ts";
import type { GroupReceipt, GroupMessageRow } from "../../ports/group-message-store.ts";
import { type GroupStay, isDuringStay } from "../../ports/group-store.ts";
import { groupMessage } from "../../presenters/group-presenter.ts";
import { maskedQuote, withExtra } from "../../presenters/message-presenter.ts";
import type { MessagesReads } from "./messages-store.ts";

type ViewReads = Pick<
  MessagesReads,
  "groupReadPositions" | "listGroupReceipts" | "listGroupStays" | "listExtras"
>;

/** Shows rows to one reader. `positions` says how far the reader has read in each group. */
export async function viewGroupMessages(
  store: ViewReads,
  userId: number,
  rows: readonly GroupMessageRow[],
  language: Language,
  positions?: ReadonlyMap<number, number>,
): Promise<GroupMessage[]> {
  const readPositions = positions ?? (await store.groupReadPositions(userId));
  const receipts = await findReceipts(store, rows);
  const stays = await findStays(store, userId, rows);
  const extras = await store.listExtras(
    userId,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => {
    const isRead = row.sendId !== userId && row.id <= (readPositions.get(row.groupId) ?? -1);
    const { readedCount = 0, receiptOk = false } = receipts.get(row.id) ?? {};
    const status = isRead ? MessageStatus.READED : MessageStatus.SENDED;
    const visible = isQuoteVisible(row, stays) ? row : withMaskedQuote(row);
    return withExtra(groupMessage(visible, language, { status, readedCount, receiptOk }), extras);
  });
}

/** The row for readers who were not members when the quoted message was written. */
export function withMaskedQuote(row: GroupMessageRow): GroupMessageRow {
  return { ...row, quote: row.quote && maskedQuote(row.quote) };
}

/** The row for readers who know the quoted message with another text; null if that text is not known. */
export function withQuotedText(row: GroupMessageRow, content: string | null): GroupMessageRow {
  if (content === null) return withMaskedQuote(row);
  return { ...row, quote: row.quote && { ...row.quote, content } };
}

function isQuoteVisible({ groupId, quote }: GroupMessageRow, stays: Map<number, GroupStay[]>): boolean {
  if (quote === null) return true;
  const groupStays = stays.get(groupId) ?? [];
  return groupStays.some((stay) => isDuringStay(stay, quote.id));
}

/** The reader's stays in the groups in which these rows quote something. */
async function findStays(
  store: Pick<MessagesReads, "listGroupStays">,
  userId: number,
  rows: readonly GroupMessageRow[],
): Promise<Map<number, GroupStay[]>> {
  const staysByGroup = new Map<number, GroupStay[]>();
  for (const { groupId, quote } of rows) {
    if (quote !== null && !staysByGroup.has(groupId))
      staysByGroup.set(groupId, await store.listGroupStays(groupId, userId));
  }
  return staysByGroup;
}

async function findReceipts(
  store: Pick<MessagesReads, "listGroupReceipts">,
  rows: readonly GroupMessageRow[],
): Promise<Map<number, GroupReceipt>> {
  const withReceipt = rows.filter((row) => row.receipt);
  const receiptsById = new Map<number, GroupReceipt>();
  for (const [groupId, rowsOfGroup] of Map.groupBy(withReceipt, (row) => row.groupId)) {
    const ids = rowsOfGroup.map((row) => row.id);
    for (const receipt of await store.listGroupReceipts(groupId, ids)) receiptsById.set(receipt.id, receipt);
  }
  return receiptsById;
}
