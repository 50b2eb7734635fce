/** Stored messages of groups as one reader sees them. */
import { MessageStatus } from "@parley/protocol/codes";
import type { GroupMessage } from "@parley/protocol/message";
import type { GroupReceipt } from "../../ports/group-messages.ts";
import type { GroupMessageRow } from "../../ports/groups.ts";
import type { Reads } from "../../ports/store.ts";
import { groupMessage } from "../../rules/groups.ts";

/** `positions`: how far the reader has read in each group. */
export async function viewGroupRows(
  store: Pick<Reads, "groupReadPositions" | "listGroupReceipts">,
  userId: number,
  rows: readonly GroupMessageRow[],
  positions?: ReadonlyMap<number, number>,
): Promise<GroupMessage[]> {
  const mine = positions ?? (await store.groupReadPositions(userId));
  const receipts = await findReceipts(store, rows);
  return rows.map((row) => {
    const isRead = row.sendId !== userId && row.id <= (mine.get(row.groupId) ?? -1);
    const { readedCount = 0, receiptOk = false } = receipts.get(row.id) ?? {};
    const status = isRead ? MessageStatus.READED : MessageStatus.SENDED;
    return groupMessage(row, { status, readedCount, receiptOk });
  });
}

async function findReceipts(
  store: Pick<Reads, "listGroupReceipts">,
  rows: readonly GroupMessageRow[],
): Promise<Map<number, GroupReceipt>> {
  const asked = new Map<number, number[]>();
  for (const { id, groupId, receipt } of rows) {
    if (receipt) asked.set(groupId, [...(asked.get(groupId) ?? []), id]);
  }
  const found = new Map<number, GroupReceipt>();
  for (const [groupId, ids] of asked) {
    for (const receipt of await store.listGroupReceipts(groupId, ids)) found.set(receipt.id, receipt);
  }
  return found;
}
