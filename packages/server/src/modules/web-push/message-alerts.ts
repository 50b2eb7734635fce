/**
 * Notifies the devices of people who have no page open (docs/spec/web-push.md). A stored message only adds a pending alert here; everything
 * else happens later in the job `sweep`, so that nobody who sends a message waits for it.
 */
import { countsAsUnread } from "@parley/protocol/alert-level";
import { ChatType, MessageStatus } from "@parley/protocol/codes";
import { kindOf, parseObject } from "@parley/protocol/message";
import { dropOldest } from "../../collections/maps.ts";
import { forEachInOrder } from "../../concurrency/for-each-in-order.ts";
import type { AlertingMessage, ChatRef, WebPushEvents } from "../../delivery/delivery.ts";
import { type Presence, deviceOf } from "../../ports/presence.ts";
import type { WebPushReads, SubscribedDevice } from "../../ports/web-push-store.ts";
import { type AlertReads, type PendingMessages, decideAlert } from "./alert-decision.ts";
import type { SendQueue } from "./send-queue.ts";
import type { Subscribers } from "./subscribers.ts";
import { chatKeyOf, chatReadPush, newMessagesPush } from "./web-push-payload.ts";

/** A device gets at most one notification about the same chat in this time; messages in between are combined in the next one. */
const CHAT_INTERVAL_MS = 5_000;
/** A connected page that is silent for this long after a message is frozen, and does not notify by itself. A hidden page is heard every minute. */
export const FROZEN_AFTER_MS = 90_000;
/** Messages of one chat that are remembered until they are shown. */
const MESSAGES_MAX = 20;
const PENDING_MAX = 50_000;
const SHOWN_MAX = 100_000;
const BATCH = 200;
/** An alert that cannot be sent is given up after this time: perhaps the data that it needs is damaged. */
const GIVE_UP_AFTER_MS = 600_000;

export interface MessageAlertsDeps {
  store: WebPushReads & AlertReads;
  presence: Pick<Presence, "lastHeard">;
  subscribers: Subscribers;
  queue: Pick<SendQueue, "add" | "sweep">;
  now(): number;
  log: { warn(data: object, text: string): void };
}

/** The alerts of one node. */
export interface MessageAlerts extends Omit<WebPushEvents, "callRings" | "callStopsRinging"> {
  /** Sends what is due. Call it every second. */
  sweep(): Promise<void>;
}

/** New messages of one chat of one person. */
interface PendingAlert extends PendingMessages {
  messages: AlertingMessage[];
  count: number;
  firstAt: number;
  newestAt: number;
  /** Not sent before this time. */
  dueAt: number;
}

/** An alert for devices with a connected page that was not heard since: the page may show the messages, or be frozen. */
interface WaitingAlert extends PendingAlert {
  devices: ReadonlySet<string>;
}

/** The notification about a chat that some devices show. */
interface ShownNotification {
  userId: number;
  chat: ChatRef;
  position: number;
  at: number;
  devices: Set<string>;
}

export function createMessageAlerts(deps: MessageAlertsDeps): MessageAlerts {
  const { store, subscribers, queue, now, log } = deps;
  /** By person and chat. */
  const pending = new Map<string, PendingAlert>();
  const waiting = new Map<string, WaitingAlert>();
  const shown = new Map<string, ShownNotification>();
  /** Notifications that devices must remove, because the chat was read or the message is gone. */
  const withdrawn = new Map<string, ShownNotification>();
  let isFullReported = false;

  const keyOf = (userId: number, chat: ChatRef) => `${userId} ${chatKeyOf(chat)}`;

  function addMessage(userId: number, chat: ChatRef, message: AlertingMessage): void {
    const key = keyOf(userId, chat);
    const time = now();
    const known = pending.get(key);
    if (known !== undefined) {
      known.messages.push(message);
      if (known.messages.length > MESSAGES_MAX) known.messages.shift();
      known.count++;
      known.newestAt = time;
      return;
    }
    if (pending.size >= PENDING_MAX) return reportFull();
    const dueAt = (shown.get(key)?.at ?? -Infinity) + CHAT_INTERVAL_MS;
    pending.set(key, { userId, chat, messages: [message], count: 1, firstAt: time, newestAt: time, dueAt });
  }

  function reportFull(): void {
    if (!isFullReported) log.warn({ pending: pending.size }, "too many people wait for a web push");
    isFullReported = true;
  }

  /** Forgets pending messages at these positions, and withdraws what devices show of them. */
  function withdraw(userId: number, chat: ChatRef, isCovered: (position: number) => boolean): void {
    const key = keyOf(userId, chat);
    for (const map of [pending, waiting]) {
      const alert = map.get(key);
      if (alert === undefined) continue;
      const kept = alert.messages.filter(({ position }) => !isCovered(position));
      alert.count -= alert.messages.length - kept.length;
      alert.messages = kept;
      if (kept.length === 0) map.delete(key);
    }
    const notification = shown.get(key);
    if (notification === undefined || !isCovered(notification.position)) return;
    shown.delete(key);
    const earlier = withdrawn.get(key)?.devices ?? [];
    withdrawn.set(key, { ...notification, devices: new Set([...earlier, ...notification.devices]) });
  }

  /** Keeps an alert for devices whose page may still show it by itself, together with the alert that already waits for them. */
  function wait(key: string, one: PendingAlert, devices: ReadonlySet<string>): void {
    const known = waiting.get(key);
    if (known === undefined) return void waiting.set(key, { ...one, devices });
    waiting.set(key, { ...merged(known, one), devices: new Set([...known.devices, ...devices]) });
  }

  /** Alerts that cannot be sent are put back; returns the first error. Throws if it cannot begin: then all of the batch stays in the map. */
  async function notify<Kind extends PendingAlert | WaitingAlert>(
    map: Map<string, Kind>,
    batch: readonly (readonly [string, Kind])[],
  ): Promise<unknown> {
    const userIds = [...new Set(batch.map(([, { userId }]) => userId))];
    const subscriptions = await subscribers.devicesOf(userIds, now());
    const heard = await deps.presence.lastHeard(subscriptions.map(deviceOf));
    const byPerson = Map.groupBy(subscriptions, ({ userId }) => userId);
    let failure: unknown;
    for (const [key, one] of batch) {
      // It was withdrawn while this ran.
      if (map.get(key) !== one) continue;
      map.delete(key);
      const own = (byPerson.get(one.userId) ?? []).filter(
        ({ sessionId }) => !("devices" in one) || one.devices.has(sessionId),
      );
      const byState = Map.groupBy(own, (device) => pageState(one, heard.get(deviceOf(device)), now()));
      try {
        const closed = byState.get("closed") ?? [];
        if (closed.length > 0) await notifyDevices(key, one, closed);
      } catch (error) {
        failure ??= error;
        if (now() - one.firstAt < GIVE_UP_AFTER_MS) restore(map, key, one);
        continue;
      }
      const silent = byState.get("silent") ?? [];
      if (silent.length > 0) wait(key, one, new Set(silent.map(({ sessionId }) => sessionId)));
    }
    return failure;
  }

  async function notifyDevices(
    key: string,
    one: PendingAlert,
    devices: readonly SubscribedDevice[],
  ): Promise<void> {
    const alert = await decideAlert(store, one);
    if (alert === undefined) return;
    const shownBy = shown.get(key)?.devices ?? [];
    shown.delete(key);
    dropOldest(shown, SHOWN_MAX);
    shown.set(key, {
      userId: one.userId,
      chat: one.chat,
      position: alert.newest.position,
      at: now(),
      devices: new Set([...shownBy, ...devices.map(({ sessionId }) => sessionId)]),
    });
    for (const device of devices) {
      // The new notification replaces the old one, which then need not be withdrawn.
      withdrawn.get(key)?.devices.delete(device.sessionId);
      queue.add({ device, push: newMessagesPush(device, alert) });
    }
  }

  /** Lets devices remove notifications. A page that is connected does so by itself. */
  async function sendWithdrawals(): Promise<void> {
    const due = [...withdrawn];
    if (due.length === 0) return;
    const subscriptions = await subscribers.devicesOf(
      due.map(([, { userId }]) => userId),
      now(),
    );
    const heard = await deps.presence.lastHeard(subscriptions.map(deviceOf));
    for (const [key, one] of due) {
      if (withdrawn.get(key) === one) withdrawn.delete(key);
      const { userId, chat, devices } = one;
      for (const device of subscriptions) {
        if (device.userId !== userId || !devices.has(device.sessionId) || heard.has(deviceOf(device)))
          continue;
        queue.add({ device, push: chatReadPush(device, chat) });
      }
    }
  }

  async function notifyDue<Kind extends PendingAlert | WaitingAlert>(map: Map<string, Kind>): Promise<void> {
    const due = [...map].filter(([, { dueAt }]) => dueAt <= now());
    let failure: unknown;
    for (let start = 0; start < due.length; start += BATCH) {
      const failureOfBatch = await notify(map, due.slice(start, start + BATCH));
      failure ??= failureOfBatch;
    }
    if (failure !== undefined) throw failure;
  }

  return {
    messageStored(chat, message, userIds) {
      if (subscribers.isNobody() || !countsAsUnread(message)) return;
      for (const userId of userIds) {
        if (userId !== message.sendId && subscribers.mayHave(userId)) addMessage(userId, chat, message);
      }
    },
    messageRecalled(chat, position, userIds) {
      if (subscribers.isNobody()) return;
      for (const userId of userIds) {
        if (subscribers.mayHave(userId)) withdraw(userId, chat, (other) => other === position);
      }
    },
    systemMessageStored(userId, message) {
      if (!subscribers.mayHave(userId)) return;
      const chat: ChatRef = { type: ChatType.SYSTEM, targetId: 0 };
      if (message.status === MessageStatus.READED) {
        return withdraw(userId, chat, (position) => position === message.seqNo);
      }
      addMessage(userId, chat, alertingSystemMessage(message));
    },
    chatRead(userId, chat, upTo) {
      if (subscribers.mayHave(userId)) withdraw(userId, chat, (position) => position <= upTo);
    },
    async sweep() {
      isFullReported = false;
      // A step that fails again and again must not keep the others from being done.
      const steps = [
        () => notifyDue(waiting),
        () => notifyDue(pending),
        sendWithdrawals,
        async () => queue.sweep(),
      ];
      await forEachInOrder(steps, (step) => step());
    },
  };
}

/**
 * What the page of a device does with messages: it has shown them, or it is closed or frozen, or nobody knows yet, because it is connected
 * but was not heard since.
 */
function pageState(
  { firstAt, newestAt }: PendingAlert,
  heardAt: number | undefined,
  now: number,
): "shows" | "closed" | "silent" {
  if (heardAt === undefined) return "closed";
  if (heardAt > newestAt) return "shows";
  return now - Math.max(heardAt, firstAt) >= FROZEN_AFTER_MS ? "closed" : "silent";
}

/** An alert together with a later one. */
function merged<Kind extends PendingAlert>(earlier: Kind, later: PendingAlert): Kind {
  return {
    ...earlier,
    messages: [...earlier.messages, ...later.messages].slice(-MESSAGES_MAX),
    count: earlier.count + later.count,
    newestAt: later.newestAt,
  };
}

function restore<Kind extends PendingAlert>(map: Map<string, Kind>, key: string, one: Kind): void {
  const later = map.get(key);
  map.set(key, later === undefined ? one : merged(one, later));
}

/** The preview of a request names the person who asks; that of a notice is its title. */
function alertingSystemMessage({
  seqNo,
  type,
  title,
  content,
}: Parameters<WebPushEvents["systemMessageStored"]>[1]): AlertingMessage {
  const isRequest = kindOf(type)?.isRequest === true;
  const asker = isRequest ? parseObject(content)["sendNickName"] : undefined;
  return {
    position: seqNo,
    type,
    act: null,
    sendId: null,
    sendNickName: null,
    sendRole: null,
    atUserIds: [],
    content: isRequest ? (typeof asker === "string" ? asker : "") : (title ?? ""),
  };
}
