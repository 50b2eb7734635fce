import { ChatType, MessageType } from "@parley/protocol/codes";
import type { Chat, ChatMessage } from "@parley/core/model/state";

/** Words under my last message. */
export type DeliveryStatus = "read" | "unread" | { readonly waiting: number };

/**
 * The message that carries words about its state (interface §6: the last one of mine only), and which. With a network, what waits is
 * simply on its way: behind another message, or for a server that does not answer. `isNotes`: the chat with oneself, where nobody else
 * reads.
 */
export function deliveryStatusOf(
  chat: Pick<Chat, "theirReadId" | "type" | "window">,
  isOffline: boolean,
  isNotes = false,
): { readonly key: string; readonly status: DeliveryStatus } | null {
  let waiting = 0;
  let lastWaiting: ChatMessage | undefined;
  for (const message of chat.window.messages.toReversed()) {
    if (!message.selfSend || message.type === MessageType.TIP_TEXT) continue;
    if (message.sending === "waiting" && isOffline) {
      lastWaiting ??= message;
      waiting += 1;
    } else if (message.sending === null && message.id !== null) {
      // In a group nobody alone has read it.
      if (lastWaiting !== undefined || chat.type === ChatType.GROUP || isNotes) break;
      return { key: message.key, status: message.id <= chat.theirReadId ? "read" : "unread" };
    }
  }
  return lastWaiting === undefined ? null : { key: lastWaiting.key, status: { waiting } };
}
