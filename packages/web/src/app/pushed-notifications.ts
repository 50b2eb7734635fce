import type { Client } from "@parley/core/client-api";
import { parseChatKey } from "@parley/core/model/chats/chat-rows";
import type { ChatKey } from "@parley/core/model/state";
import { isAnyChatLoading } from "@parley/core/model/selectors";
import { showMessage } from "../kit/show-message.ts";
import { closePushedNotifications, onWorkerNews } from "../platform/pushed-notifications.ts";
import type { PushedNotification } from "../platform/worker-messages.ts";

/** Chats are read in bursts, and looking at what is shown takes the browser some time. */
const CLOSE_AFTER_MS = 500;

/**
 * Closes the notifications that the service worker has shown for this person once their messages are read, here or on another device,
 * recalled or deleted, and goes to the message or the chat of one that is clicked. Returns a function that stops it.
 */
export function startPushedNotifications(
  client: Client,
  userId: number,
  openChat: (key: ChatKey) => void,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let { byKey } = client.getState().chats;

  function isOver(shown: PushedNotification): boolean {
    // The notification of a call is closed when the service worker hears that it rings no longer.
    if (shown.userId !== userId || shown.newest === null) return false;
    const key = parseChatKey(shown.chat)?.key;
    const chat = key && client.getState().chats.byKey[key];
    return chat !== undefined && !chat.sync.unread.includes(shown.newest);
  }

  function closeSoon(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      // What cannot be closed stays until it is clicked or dismissed.
      closePushedNotifications(isOver).catch(() => undefined);
    }, CLOSE_AFTER_MS);
  }

  const stopState = client.subscribe(() => {
    const { chats, connection } = client.getState();
    // Before the pulls have ended, a chat with new messages may look read.
    if (chats.byKey === byKey || connection.kind !== "online" || isAnyChatLoading(chats)) return;
    byKey = chats.byKey;
    closeSoon();
  });
  const stopNews = onWorkerNews((news) => {
    if (news.kind === "pushSubscriptionChanged") return client.webPush.renew();
    const key = parseChatKey(news.about.chat)?.key;
    if (key === undefined || news.about.userId !== userId) return;
    if (news.about.newest === null) openChat(key);
    else showMessage(key, news.about.newest);
  });
  return () => {
    stopState();
    stopNews();
    clearTimeout(timer);
  };
}
