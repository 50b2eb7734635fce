import { MessageStatus } from "@parley/protocol/codes";
import type { ChatMessage, Receipt } from "../state.ts";

/** Who has read messages of a group: counts come by pushes, by changes and with rows, in any order. */

type ReadCount = Pick<Receipt, "readedCount" | "receiptOk">;

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
export function mergeReceipts<T extends ReadCount>(known: T, incoming: ReadCount): T {
  const isSame = known.readedCount === incoming.readedCount;
  const { readedCount, receiptOk } = incoming.readedCount > known.readedCount ? incoming : known;
  const isOk = isSame ? known.receiptOk || incoming.receiptOk : receiptOk;
  if (readedCount === known.readedCount && isOk === known.receiptOk) return known;
  return { ...known, readedCount, receiptOk: isOk };
}

/** The receipts with one more, ascending. Those of the newest messages stay: an older one is hardly under way any more. */
export function recordReceipt(receipts: readonly Receipt[], incoming: Receipt): readonly Receipt[] {
  const known = receipts.find(({ id }) => id === incoming.id);
  const now = known === undefined ? incoming : mergeReceipts(known, incoming);
  if (now === known) return receipts;
  const others = receipts.filter(({ id }) => id !== incoming.id);
  return [...others, now].sort((a, b) => a.id - b.id).slice(-RECEIPTS_MAX);
}

/** A message with what was told of it before it came. */
export function applyReceipts(message: ChatMessage, receipts: readonly Receipt[]): ChatMessage {
  const receipt = receipts.find(({ id }) => id === message.id);
  return receipt === undefined ? message : withReceipt(message, receipt);
}
