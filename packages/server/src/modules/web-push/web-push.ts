/** Web push: the subscriptions of devices, and what they are told while no page is open. */
import type { Handlers } from "../../api/api-call.ts";
import type { ClosedPages } from "../../delivery.ts";
import type { Bus } from "../../ports/bus.ts";
import type { Presence } from "../../ports/presence.ts";
import type { Transactions } from "../../ports/store.ts";
import type { WebPushSender } from "../../ports/web-push.ts";
import type { WebPushReads, WebPushWrites } from "../../ports/web-push-store.ts";
import type { AlertReads } from "./alert-decision.ts";
import { createClosedPageAlerts } from "./closed-page-alerts.ts";
import { type CallReads, createClosedPageCalls } from "./closed-page-calls.ts";
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
  readonly closedPages: ClosedPages;
  /** Tells what is due. Called every second. */
  sweep(): Promise<void>;
}

/** For a server that sends no web push. */
export const noClosedPages: ClosedPages = {
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
  if (sender === null) return { handlers, closedPages: noClosedPages, sweep: async () => undefined };
  const subscribers = createSubscribers({ store, bus, inBackground });
  inBackground(subscribers.load());
  const queue = createSendQueue({
    sender,
    now,
    inBackground,
    gone: ({ sessionId, endpoint }) => store.write((tx) => tx.deleteWebPushSubscription(sessionId, endpoint)),
    log,
  });
  const { sweep, ...alerts } = createClosedPageAlerts({ ...deps, subscribers, queue });
  const calls = createClosedPageCalls({ ...deps, subscribers, queue });
  return { handlers, closedPages: { ...alerts, ...calls }, sweep };
}
