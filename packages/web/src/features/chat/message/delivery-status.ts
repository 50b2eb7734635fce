import { ChatType } from "@parley/protocol/codes";
import { kindOf } from "@parley/protocol/message";
import type { Chat, ChatMessage } from "@parley/core/model/state";

/** The status that is shown under my last message. */
export type DeliveryStatus = "read" | "unread" | { readonly waiting: number };

/**
 * The message that shows a delivery status (interface §6: only my last one), and the status. Waiting messages count only while offline:
 * otherwise they wait for an earlier message or for the server's answer. `isNotes`: the chat with oneself, which has no read status.
 */
export function deliveryStatusOf(
  chat: Pick<Chat, "theirReadId" | "type" | "window">,
  isOffline: boolean,
  isNotes = false,
): { readonly key: string; readonly status: DeliveryStatus } | null {
  let waiting = 0;
  let lastWaiting: ChatMessage | undefined;
  for (const message of chat.window.messages.toReversed()) {
    if (!message.selfSend || kindOf(message.type)?.isTip === true) continue;
    if (message.sending === "waiting" && isOffline) {
      lastWaiting ??= message;
      waiting += 1;
    } else if (message.sending === null && message.id !== null) {
      // A group has no read position of one other person.
      if (lastWaiting !== undefined || chat.type === ChatType.GROUP || isNotes) break;
      return { key: message.key, status: message.id <= chat.theirReadId ? "read" : "unread" };
    }
  }
  return lastWaiting === undefined ? null : { key: lastWaiting.key, status: { waiting } };
}
