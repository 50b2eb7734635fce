import { MessageStatus } from "@parley/protocol/codes";
import type { ChatMessage, GroupPart, Receipt } from "./state.ts";

/** Who has read messages of a group: counts come by pushes, by changes and with rows, in any order. */

/** The message with what a receipt tells; itself when that is nothing new. */
export function withReceipt(message: ChatMessage, receipt: Receipt): ChatMessage {
  if (message.status === MessageStatus.RECALL) return message;
  const group =
    message.group === null ? null : mergeReceipts(message.group, { ...message.group, ...pick(receipt) });
  return group === message.group ? message : { ...message, group };
}

/**
 * The later one of two. More readers are later. With as many "all have read" is: somebody has left who had not. Only a larger count takes
 * that back, when he has come again.
 */
export function mergeReceipts(known: GroupPart, came: GroupPart): GroupPart {
  const isSame = known.readedCount === came.readedCount;
  const later = came.readedCount > known.readedCount ? came : known;
  const { readedCount } = later;
  const receiptOk = isSame ? known.receiptOk || came.receiptOk : later.receiptOk;
  if (readedCount === known.readedCount && receiptOk === known.receiptOk) return known;
  return { ...known, readedCount, receiptOk };
}

function pick({ readedCount, receiptOk }: Receipt): Pick<GroupPart, "readedCount" | "receiptOk"> {
  return { readedCount, receiptOk };
}
