import { MessageStatus } from "@parley/protocol/codes";
import type { ChatMessage, Receipt, State } from "../state.ts";

/** Whether I have switched the read receipts of private chats off: then I tell nobody what I have read, and see of nobody what they have. */
export function hidesReads({ me }: Pick<State, "me">): boolean {
  // A server of a version before says nothing, and tells it.
  return me?.readReceipts === false;
}

/** Read counts of group messages. They arrive in pushes, in `/user/changes` and in rows, in any order. */

type ReadCount = Pick<Receipt, "readedCount" | "receiptOk">;

/** For how many messages a chat remembers the receipt. */
const RECEIPTS_MAX = 500;

/** The message with a receipt applied; the same object when it says nothing new. */
export function withReceipt(message: ChatMessage, receipt: Receipt): ChatMessage {
  if (message.status === MessageStatus.RECALL || message.group === null) return message;
  const group = mergeReceipts(message.group, receipt);
  return group === message.group ? message : { ...message, group };
}

/**
 * The later one of two read counts; `known` itself when the other says nothing new. The larger count is later. Of equal counts, the one with
 * "all have read" is later: a member who had not read it has left. Only a larger count takes that back, when such a member joins again.
 */
export function mergeReceipts<T extends ReadCount>(known: T, incoming: ReadCount): T {
  const isSameCount = known.readedCount === incoming.readedCount;
  const { readedCount, receiptOk } = incoming.readedCount > known.readedCount ? incoming : known;
  const isReadByAll = isSameCount ? known.receiptOk || incoming.receiptOk : receiptOk;
  if (readedCount === known.readedCount && isReadByAll === known.receiptOk) return known;
  return { ...known, readedCount, receiptOk: isReadByAll };
}

/** Records a receipt; ascending. Those of the newest messages stay: late copies of older ones are hardly expected. */
export function recordReceipt(receipts: readonly Receipt[], incoming: Receipt): readonly Receipt[] {
  const known = receipts.find(({ id }) => id === incoming.id);
  const merged = known === undefined ? incoming : mergeReceipts(known, incoming);
  if (merged === known) return receipts;
  const others = receipts.filter(({ id }) => id !== incoming.id);
  return [...others, merged].sort((a, b) => a.id - b.id).slice(-RECEIPTS_MAX);
}

/** The message with the receipt that arrived before it, if any. */
export function applyReceipts(message: ChatMessage, receipts: readonly Receipt[]): ChatMessage {
  const receipt = receipts.find(({ id }) => id === message.id);
  return receipt === undefined ? message : withReceipt(message, receipt);
}
