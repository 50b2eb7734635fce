/** The frames that tell how far somebody has read: to their own devices, and to the senders of the messages. */
import { Cmd, MessageType } from "@parley/protocol/codes";
import { frameOf } from "../../delivery/delivery.ts";
import type { GroupReceipt } from "../../ports/group-message-store.ts";

/** Tells the reader's other devices the read position of a private chat. */
export function privateReadFrame(userId: number, friendId: number, maxId: number): string {
  return frameOf(Cmd.PRIVATE, {
    type: MessageType.READED,
    sendId: userId,
    recvId: friendId,
    maxId,
    content: "",
  });
}

/** Tells a friend that all of their messages up to this one are read. */
export function privateReceiptFrame(userId: number, friendId: number, id: number): string {
  return frameOf(Cmd.PRIVATE, {
    type: MessageType.RECEIPT,
    sendId: userId,
    recvId: friendId,
    maxId: id,
    content: JSON.stringify({ id }),
  });
}

/** Tells the reader's other devices the read position of a group. */
export function groupReadFrame(userId: number, groupId: number, maxId: number): string {
  return frameOf(Cmd.GROUP, { type: MessageType.READED, sendId: userId, groupId, maxId, content: "" });
}

/** Tells the sender of a group message how many have read it. */
export function groupReceiptFrame(userId: number, receipt: GroupReceipt): string {
  return frameOf(Cmd.GROUP, {
    type: MessageType.RECEIPT,
    sendId: userId,
    // Older clients read the fields of the receipt on the frame itself.
    ...receipt,
    content: JSON.stringify(receipt),
  });
}
