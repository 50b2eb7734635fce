import { MessageStatus } from "@parley/protocol/codes";
import type { ChatMessage, Receipt } from "./state.ts";

/** Who has read messages of a group: counts come by pushes, by changes and with rows, in any order. */

type Count = Pick<Receipt, "readedCount" | "receiptOk">;

/** How many messages a chat remembers the receipt of. */
const RECEIPTS_MAX = 500;

/** The message with what a receipt tells; itself when that is nothing new. */
export function withReceipt(message: ChatMessage, receipt: Receipt): ChatMessage {
  if (message.status === MessageStatus.RECALL || message.group === null) return message;
  const group = mergeReceipts(message.group, receipt);
  return group === message.group ? message : { ...message, group };
}

/**
 * The later one of two; `known` itself when that is nothing new. More readers are later. With as many "all have read" is: somebody has left
 * who had not. Only a larger count takes that back, when he has come again.
 */
export function mergeReceipts<T extends Count>(known: T, came: Count): T {
  const isSame = known.readedCount === came.readedCount;
  const { readedCount, receiptOk } = came.readedCount > known.readedCount ? came : known;
  const isOk = isSame ? known.receiptOk || came.receiptOk : receiptOk;
  if (readedCount === known.readedCount && isOk === known.receiptOk) return known;
  return { ...known, readedCount, receiptOk: isOk };
}

/** The receipts with one more, ascending. Those of the newest messages stay: an older one is hardly under way any more. */
export function noteReceipt(receipts: readonly Receipt[], came: Receipt): readonly Receipt[] {
  const known = receipts.find(({ id }) => id === came.id);
  const now = known === undefined ? came : mergeReceipts(known, came);
  if (now === known) return receipts;
  const others = receipts.filter(({ id }) => id !== came.id);
  return [...others, now].sort((a, b) => a.id - b.id).slice(-RECEIPTS_MAX);
}

/** A message with what was told of it before it came. */
export function applyReceipts(message: ChatMessage, receipts: readonly Receipt[]): ChatMessage {
  const told = receipts.find(({ id }) => id === message.id);
  return told === undefined ? message : withReceipt(message, told);
}
