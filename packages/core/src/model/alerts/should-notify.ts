import { isMentionedIn, canAlert } from "./chat-alerts.ts";
import { isUnread } from "../chats/insert-row.ts";
import type { Chat, ChatMessage } from "../state.ts";

/** Whether the reader is looking at the page. Which chat is open does not matter: a reader who looks away does not see that chat either. */
export interface Attention {
  /** The tab is visible. */
  readonly isVisible: boolean;
  /** The page has the keyboard focus. */
  readonly isFocused: boolean;
  /** A pull of missed messages is running. */
  readonly isLoading: boolean;
}

/**
 * Whether to show a system notification for a message (interface §16): it is new, incoming, unread and of a kind that counts as unread, the
 * alert level of its chat allows it, and the reader is not looking at the page.
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
