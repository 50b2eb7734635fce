import { isMentionedIn, canAlert } from "./chat-alerts.ts";
import { isUnread } from "../chats/insert-row.ts";
import type { Chat, ChatMessage } from "../state.ts";

/** Where the reader is at this moment. Which chat is open decides nothing: whoever looks away does not see that one either. */
export interface Attention {
  /** The tab is in sight. */
  readonly isVisible: boolean;
  /** The keyboard is with it. */
  readonly isFocused: boolean;
  /** Messages that were sent while nobody was connected are being pulled. */
  readonly isLoading: boolean;
}

/**
 * Whether the system tells of a message (interface §16): incoming, unread, of a kind that counts as unread, that its chat
 * lets alert, just come, and the reader does not look at the page.
 */
export function shouldNotify(
  message: ChatMessage,
  chat: Pick<Chat, "type" | "msgRemind" | "readId" | "sync">,
  { isVisible, isFocused, isLoading }: Attention,
): boolean {
  if (isLoading || (isVisible && isFocused)) return false;
  if (message.id === null || !isUnread({ chat }, message)) return false;
  return canAlert(chat, message, isMentionedIn(chat, message));
}
