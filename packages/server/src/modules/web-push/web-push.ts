/** Web push: the subscriptions of devices, and their alerts while no page is open. */
import type { Handlers } from "../../api/api-call.ts";
import type { ChatRef, WebPushEvents } from "../../delivery/delivery.ts";
import type { Bus } from "../../ports/bus.ts";
import type { Presence } from "../../ports/presence.ts";
import type { Transactions } from "../../ports/store.ts";
import type { WebPushSender } from "../../ports/web-push.ts";
import type { WebPushReads, WebPushWrites } from "../../ports/web-push-store.ts";
import type { AlertReads } from "./alert-decision.ts";
import { createMessageAlerts } from "./message-alerts.ts";
import { type CallReads, createCallAlerts } from "./call-alerts.ts";
import { createSendQueue } from "./send-queue.ts";
import { createSubscribers } from "./subscribers.ts";
import { createWebPushSubscriptions } from "./subscriptions.ts";

export interface WebPushDeps {
  store: WebPushReads & AlertReads & CallReads & Transactions<WebPushWrites>;
  bus: Bus;
  presence: Presence;
  /** Null: no web push is sent. */
  webPush: WebPushSender | null;
  now(): number;
  inBackground(work: Promise<void>): void;
  log: { warn(data: object, text: string): void };
}

/** The web push of one node. */
export interface WebPushService {
  readonly handlers: Pick<Handlers, "subscribeWebPush" | "unsubscribeWebPush">;
  readonly events: WebPushEvents;
  /** Sends the alerts that are due. Called every second. */
  sweep(): Promise<void>;
  /** How many web pushes wait to be sent. */
  waiting(): number;
}

/** For a server that sends no web push. */
export const noWebPush: WebPushEvents = {
  messageStored: () => undefined,
  systemMessageStored: () => undefined,
  messageRecalled: () => undefined,
  chatRead: () => undefined,
  callRings: () => undefined,
  callStopsRinging: () => undefined,
};

export function createWebPush(deps: WebPushDeps): WebPushService {
  const { store, bus, webPush: sender, now, inBackground, log } = deps;
  const handlers = createWebPushSubscriptions(deps);
  if (sender === null) return { handlers, events: noWebPush, sweep: async () => undefined, waiting: () => 0 };
  const subscribers = createSubscribers({ store, bus, inBackground });
  inBackground(subscribers.load());
  const queue = createSendQueue({
    sender,
    now,
    inBackground,
    gone: ({ sessionId, endpoint }) => store.write((tx) => tx.deleteWebPushSubscription(sessionId, endpoint)),
    log,
  });
  const { sweep, ...alerts } = createMessageAlerts({ ...deps, subscribers, queue });
  const calls = createCallAlerts({ ...deps, subscribers, queue });
  bus.subscribe((event) => {
    if (event.kind !== "alertsOver") return;
    const { by, chat, position, userIds } = event;
    if (by === "recalled") return alerts.messageRecalled(chat, position, userIds);
    for (const userId of userIds) {
      if (by === "read") alerts.chatRead(userId, chat, position);
      else calls.callStopsRinging(userId, chat);
    }
  });
  /** Another node may have alerted the devices. */
  const end = (
    by: "read" | "recalled" | "callOver",
    chat: ChatRef,
    position: number,
    all: readonly number[],
  ) => {
    const userIds = all.filter((userId) => subscribers.mayHave(userId));
    if (userIds.length > 0) bus.publish({ kind: "alertsOver", by, chat, position, userIds });
  };
  const events: WebPushEvents = {
    ...alerts,
    ...calls,
    messageRecalled: (chat, position, userIds) => end("recalled", chat, position, userIds),
    chatRead: (userId, chat, upTo) => end("read", chat, upTo, [userId]),
    callStopsRinging: (userId, chat) => end("callOver", chat, 0, [userId]),
  };
  return { handlers, events, sweep, waiting: () => queue.waiting() };
}
