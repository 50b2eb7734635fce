/** Web pushes: shows what the server tells while no page is open (`docs/spec/web-push.md`). */
import type { WebPushCall, WebPushMessages, WebPushPayload } from "@parley/protocol/web-push";
import { type PushedNotification, type WorkerNews, isWorkerMessage } from "../platform/worker-messages.ts";
import { callWordsOf, wordsOf } from "./push-words.ts";

declare const self: ServiceWorkerGlobalScope;

/** Shows and closes notifications, and opens the chat of one that is clicked. */
export function receivePushes(): void {
  self.addEventListener("push", (event) => {
    const payload = payloadOf(event.data);
    if (payload?.kind === "messages") event.waitUntil(showMessages(payload));
    if (payload?.kind === "read") event.waitUntil(closeShown(tagOf(payload)));
    if (payload?.kind === "call") event.waitUntil(showCall(payload));
    if (payload?.kind === "callOver") event.waitUntil(closeShown(callTagOf(payload)));
  });
  self.addEventListener("notificationclick", (event) => {
    const about = event.notification.data as PushedNotification | null;
    event.notification.close();
    if (about !== null) event.waitUntil(openChat(about));
  });
  // The page subscribes again, because only it has the session that the server asks for; a later page does so when it starts.
  self.addEventListener("pushsubscriptionchange", (event) => {
    (event as ExtendableEvent).waitUntil(tellPages({ kind: "pushSubscriptionChanged" }));
  });
  self.addEventListener("message", (event) => {
    if (isWorkerMessage(event.data, "signedOut")) event.waitUntil(closeShown());
  });
}

/** Null for a push that is not ours, or of a newer server. */
function payloadOf(data: PushMessageData | null): WebPushPayload | null {
  try {
    return (data?.json() ?? null) as WebPushPayload | null;
  } catch {
    return null;
  }
}

function tagOf({ userId, chat }: { userId: number; chat: string }): string {
  return `${userId}:${chat}`;
}

/** A chat has one call at a time. */
function callTagOf(payload: { userId: number; chat: string }): string {
  return `${tagOf(payload)}:call`;
}

/** A page that somebody looks at shows messages and calls itself, now or as soon as it is connected. */
async function isPageLookedAt(): Promise<boolean> {
  return (await pages()).some(({ visibilityState, focused }) => visibilityState === "visible" && focused);
}

async function showMessages(payload: WebPushMessages): Promise<void> {
  if (await isPageLookedAt()) return;
  const tag = tagOf(payload);
  const shown = await self.registration.getNotifications({ tag });
  const before = shown.reduce((sum, { data }) => sum + ((data as PushedNotification | null)?.count ?? 0), 0);
  const count = before + payload.count;
  const { userId, chat, newest } = payload;
  const about: PushedNotification = { userId, chat, newest, count };
  const { title, body } = wordsOf(payload, count);
  // `renotify`: a further message makes itself known although the notification is there already.
  const options = { body, tag, renotify: true, icon: "/favicon.svg", data: about };
  await self.registration.showNotification(title, options);
}

/** It stays until the call rings no longer. The page that a click opens rings as soon as its socket is there. */
async function showCall(payload: WebPushCall): Promise<void> {
  if (await isPageLookedAt()) return;
  const { userId, chat } = payload;
  const about: PushedNotification = { userId, chat, newest: null, count: 0 };
  const { title, body } = callWordsOf(payload);
  const tag = callTagOf(payload);
  const options = { body, tag, renotify: true, requireInteraction: true, icon: "/favicon.svg", data: about };
  await self.registration.showNotification(title, options);
}

/** Closes the notification with this tag; without one all. */
async function closeShown(tag?: string): Promise<void> {
  const shown = await self.registration.getNotifications(tag === undefined ? {} : { tag });
  for (const notification of shown) notification.close();
}

/** Shows the page that is open already, or opens one. */
async function openChat(about: PushedNotification): Promise<void> {
  const [page] = await pages();
  if (page === undefined) {
    await self.clients.openWindow(`/home/chat/${about.chat}`);
    return;
  }
  // The page may be showing something else: it finds the chat by itself.
  page.postMessage({ kind: "pushClicked", about } satisfies WorkerNews);
  await page.focus();
}

async function tellPages(news: WorkerNews): Promise<void> {
  for (const page of await pages()) page.postMessage(news);
}

/** The open pages, those that were used last first. */
function pages(): Promise<readonly WindowClient[]> {
  return self.clients.matchAll({ type: "window", includeUncontrolled: true });
}
