import { useEffect } from "react";
import { create } from "zustand";
import type { Client } from "@parley/core/client-api";
import { shouldNotify } from "@parley/core/model/alerts/should-notify";
import { parseChatKey, positionOf } from "@parley/core/model/chats/chat-rows";
import { previewOf } from "@parley/core/model/chats/preview";
import type { ReactionNotice } from "@parley/core/model/chats/reaction-notices";
import { isAnyChatLoading, personOf } from "@parley/core/model/selectors";
import type { Chat, ChatKey, ChatMessage, Session } from "@parley/core/model/state";
import { ChatType } from "@parley/protocol/codes";
import { chatNameOf } from "../kit/chats/chat-name.ts";
import { chatPath, showMessage } from "../kit/chats/show-message.ts";
import { goDown } from "../kit/dialogs/go-up.ts";
import { memberNameOf } from "../kit/chats/group.ts";
import { currentText, useLocale } from "../kit/i18n/i18n.ts";
import { askForNotifications, notificationPermission } from "../kit/settings/notification-permission.ts";
import { personName } from "../kit/people/person.ts";
import { readPreference, writePreference } from "../kit/settings/preferences.ts";
import { previewText } from "../kit/chats/preview-text.ts";
import { reactionNoticeText } from "../kit/chats/reaction-notice-text.ts";
import { useClient, useClientState } from "../kit/loading/use-client.ts";
import { readUserSetting } from "../kit/settings/user-settings.ts";
import { closePushedNotifications, onWorkerNews } from "../platform/pushed-notifications.ts";
import {
  becomeLeader,
  type ShownNotification,
  showSystemNotification,
  tabChannel,
} from "../platform/system-notification.ts";
import type { PushedNotification } from "../platform/worker-messages.ts";

/** Shows system notifications while the shell is mounted. */
export function useNotifications(): void {
  const client = useClient();
  const me = useClientState(({ session }) => (session.kind === "anonymous" ? null : session.userId));
  const locale = useLocale();
  useEffect(() => (me === null ? undefined : startNotifications(client, me)), [client, me]);
  useEffect(
    () => (me === null ? undefined : startPushedNotifications(client, me, (key) => goDown(chatPath(key)))),
    [client, me],
  );
  // The server words nothing, but it tells the service worker the language.
  useEffect(() => {
    if (me !== null) client.webPush.renew();
  }, [client, me, locale]);
}

/** Somebody is notified of reactions to the same message at most once in this time. */
const REACTION_PAUSE_MS = 60_000;

/** How long to wait for another tab of this browser to say that the person is looking at the chats there. */
const OTHER_TABS_WAIT_MS = 300;

/**
 * Shows system notifications (interface §16) while somebody is signed in. Only one tab of a person shows them: the first that is
 * connected. Returns a function that stops it.
 */
export function startNotifications(client: Client, userId: number): () => void {
  const shown = new Map<ChatKey, { readonly notification: ShownNotification; readonly position: number }>();
  const timers = new Set<ReturnType<typeof setTimeout>>();
  /** Messages that arrived while the person was looking at another tab. */
  const seenElsewhere = new Set<string>();
  const person = `${client.fileUrl("")}:${userId}`;
  const otherTabs = tabChannel(`notified:${person}`, (messageName) => seenElsewhere.add(messageName));
  let isLeader = false;
  let resign: (() => void) | null = null;

  function handleMessage(key: ChatKey, message: ChatMessage): void {
    const messageName = `${key}/${positionOf(message)}`;
    if (isAttended()) return otherTabs.publish(messageName);
    if (!isWanted(key, message)) return;
    if (notificationPermission() === "default") return offerNotifications(client.getState().session);
    if (!isLeader) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      if (!seenElsewhere.delete(messageName) && isWanted(key, message)) show(key, message);
    }, OTHER_TABS_WAIT_MS);
    timers.add(timer);
  }

  /** When this person was last told of a reaction to a message. */
  const reactedAt = new Map<number, number>();

  function handleReaction(key: ChatKey, notice: ReactionNotice): void {
    const state = client.getState();
    const { messageId } = notice;
    const isWantedNow =
      readUserSetting(state.session, "reactionAlerts") === "notify" &&
      readUserSetting(state.session, "notifications") === "on" &&
      notificationPermission() === "granted" &&
      isLeader &&
      !isAttended();
    if (!isWantedNow || Date.now() - (reactedAt.get(messageId) ?? 0) < REACTION_PAUSE_MS) return;
    reactedAt.set(messageId, Date.now());
    const t = currentText();
    const isHidden = readUserSetting(state.session, "notificationContent") === "off";
    const body = isHidden ? t("notification.hiddenReaction") : reactionNoticeText(key, notice, state, t);
    const about = { userId, chat: key, newest: null, count: 1 };
    const content = { title: t("app.name"), body, icon: "/favicon.svg", about };
    showSystemNotification(`${person}:${key}:reaction`, content, () => showMessage(key, messageId));
  }

  function isWanted(key: ChatKey, message: ChatMessage): boolean {
    const { chats, session } = client.getState();
    const chat = chats.byKey[key];
    const isLoading = isAnyChatLoading(chats);
    return (
      chat !== undefined &&
      isUnread(key, positionOf(message)) &&
      readUserSetting(session, "notifications") === "on" &&
      shouldNotify(message, chat, { isVisible: isVisible(), isFocused: document.hasFocus(), isLoading })
    );
  }

  function show(key: ChatKey, message: ChatMessage): void {
    const chat = client.getState().chats.byKey[key];
    if (chat === undefined) return;
    const { id } = message;
    const position = positionOf(message);
    const about = { userId, chat: key, newest: position, count: 1 };
    const content = { ...contentOf(client, chat, message), about };
    const notification = showSystemNotification(`${person}:${key}`, content, () => {
      if (id !== null) showMessage(key, id);
    });
    shown.set(key, { notification, position });
  }

  /** Not read here or on another device, and neither recalled nor deleted. */
  function isUnread(key: ChatKey, position: number): boolean {
    return client.getState().chats.byKey[key]?.sync.unread.includes(position) === true;
  }

  /** Closes the notifications of messages that are no longer unread. */
  function closeRead(): void {
    for (const [key, { notification, position }] of shown) {
      if (isUnread(key, position)) continue;
      notification.close();
      shown.delete(key);
    }
  }

  /** A tab without a connection gives up the leadership, so that another tab can take it. */
  function updateLeadership(): void {
    const isOnline = client.getState().connection.kind === "online";
    if (isOnline && resign === null) resign = becomeLeader(`notifier:${person}`, () => (isLeader = true));
    else if (!isOnline && resign !== null) resignLeadership();
  }

  function resignLeadership(): void {
    resign?.();
    resign = null;
    isLeader = false;
  }

  function closeAll(): void {
    for (const { notification } of shown.values()) notification.close();
    shown.clear();
  }

  const stopNotices = client.onNotice((notice) => {
    if (notice.kind === "message") handleMessage(notice.key, notice.message);
    if (notice.kind === "reaction") handleReaction(notice.key, notice);
  });
  const stopState = client.subscribe(() => {
    updateLeadership();
    if (shown.size > 0) closeRead();
  });
  updateLeadership();
  addEventListener("pagehide", closeAll);
  return () => {
    stopNotices();
    stopState();
    resignLeadership();
    for (const timer of timers) clearTimeout(timer);
    closeAll();
    otherTabs.close();
    removeEventListener("pagehide", closeAll);
  };
}

function isVisible(): boolean {
  return document.visibilityState === "visible";
}

function isAttended(): boolean {
  return isVisible() && document.hasFocus();
}

/** "name: text" with the name of the product or the group as the title; without content if the person turned it off. */
function contentOf(client: Client, chat: Chat, message: ChatMessage) {
  const t = currentText();
  const state = client.getState();
  const product = { title: t("app.name"), icon: "/favicon.svg" };
  if (readUserSetting(state.session, "notificationContent") === "off")
    return { ...product, body: t("notification.hidden") };
  const text = previewText(previewOf(message), t);
  if (chat.type === ChatType.SYSTEM) return { ...product, title: chatNameOf(chat.key, state, t), body: text };
  const { sendId, sendNickName } = message;
  const isGroup = chat.type === ChatType.GROUP;
  const name = isGroup
    ? memberNameOf(state, chat.targetId, sendId, sendNickName, t)
    : personName(sendId, state, t);
  const picture = isGroup
    ? state.groups.byId[chat.targetId]?.headImageThumb
    : personOf(state, sendId).headImageThumb;
  return {
    title: isGroup ? chatNameOf(chat.key, state, t) : product.title,
    body: t("chat.announce", { name, text }),
    icon: picture ? client.fileUrl(picture) : product.icon,
  };
}

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

/** Time until notifications are offered again after "Later". */
const LATER_MS = 7 * 24 * 3_600_000;

const useOffer = create<{ readonly isOffered: boolean }>(() => ({ isOffered: false }));

/** Offers notifications when an unseen message arrived and the permission was never requested (interface §16). */
function offerNotifications(session: Session): void {
  const postponedAt = Number(readPreference("notificationsLater") ?? 0);
  if (Date.now() - postponedAt > LATER_MS && readUserSetting(session, "notifications") === "on")
    useOffer.setState({ isOffered: true });
}

/** The person accepted the offer: show the browser's permission prompt. */
export function acceptNotifications(): void {
  useOffer.setState({ isOffered: false });
  void askForNotifications();
}

/** The person chose "Later": offer again after `LATER_MS`. */
export function postponeNotifications(): void {
  writePreference("notificationsLater", String(Date.now()));
  useOffer.setState({ isOffered: false });
}

/** Whether the bar offers to turn notifications on. */
export function useNotificationOffer(): boolean {
  return useOffer(({ isOffered }) => isOffered);
}
