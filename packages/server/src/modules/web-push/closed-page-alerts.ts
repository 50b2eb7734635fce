/**
 * Tells the devices of people who have no page open (docs/spec/web-push.md). A stored message only leaves a note here; everything else
 * happens later in the job `sweep`, so that nobody who sends a message waits for it.
 */
import { countsAsUnread } from "@parley/protocol/alert-level";
import { ChatType, MessageStatus } from "@parley/protocol/codes";
import { kindOf, parseObject } from "@parley/protocol/message";
import { dropOldest } from "../../collections/maps.ts";
import { forEachInOrder } from "../../concurrency/for-each-in-order.ts";
import type { AlertingMessage, ChatRef, ClosedPages } from "../../delivery.ts";
import { type Presence, deviceOf } from "../../ports/presence.ts";
import type { WebPushReads, SubscribedDevice } from "../../ports/web-push-store.ts";
import { type AlertReads, type UntoldMessages, decideAlert } from "./alert-decision.ts";
import type { SendQueue } from "./send-queue.ts";
import type { Subscribers } from "./subscribers.ts";
import { chatKeyOf, chatReadPush, newMessagesPush } from "./web-push-payload.ts";

/** A device gets at most one notification about the same chat in this time; messages in between are combined in the next one. */
const CHAT_INTERVAL_MS = 5_000;
/** A connected page that is silent for this long after a message is frozen, and does not notify by itself. A hidden page is heard every minute. */
export const FROZEN_AFTER_MS = 90_000;
/** Messages of one chat that are remembered until they are told. */
const MESSAGES_MAX = 20;
const NOTES_MAX = 50_000;
const TOLD_MAX = 100_000;
const BATCH = 200;
/** A note that cannot be told is given up after this time: perhaps what it reads is damaged. */
const GIVE_UP_AFTER_MS = 600_000;

export interface ClosedPageAlertsDeps {
  store: WebPushReads & AlertReads;
  presence: Pick<Presence, "lastHeard">;
  subscribers: Subscribers;
  queue: Pick<SendQueue, "add" | "sweep">;
  now(): number;
  log: { warn(data: object, text: string): void };
}

/** The alerts of one node. */
export interface ClosedPageAlerts extends Omit<ClosedPages, "callRings" | "callStopsRinging"> {
  /** Tells what is due. Called every second. */
  sweep(): Promise<void>;
}

/** New messages of one chat of one person. */
interface Note extends UntoldMessages {
  messages: AlertingMessage[];
  count: number;
  firstAt: number;
  newestAt: number;
  /** Not told before this time. */
  dueAt: number;
}

/** A note for devices with a connected page that was not heard since: it may show the messages, or be frozen. */
interface WaitingNote extends Note {
  devices: ReadonlySet<string>;
}

/** What some devices show of a chat. */
interface Told {
  userId: number;
  chat: ChatRef;
  position: number;
  at: number;
  devices: Set<string>;
}

export function createClosedPageAlerts(deps: ClosedPageAlertsDeps): ClosedPageAlerts {
  const { store, subscribers, queue, now, log } = deps;
  /** By person and chat. */
  const notes = new Map<string, Note>();
  const waiting = new Map<string, WaitingNote>();
  const told = new Map<string, Told>();
  /** Chats that were read or whose told message is gone: what devices show of them must go. */
  const takenBack = new Map<string, Told>();
  let isFullReported = false;

  const keyOf = (userId: number, chat: ChatRef) => `${userId} ${chatKeyOf(chat)}`;

  function note(userId: number, chat: ChatRef, message: AlertingMessage): void {
    const key = keyOf(userId, chat);
    const time = now();
    const known = notes.get(key);
    if (known !== undefined) {
      known.messages.push(message);
      if (known.messages.length > MESSAGES_MAX) known.messages.shift();
      known.count++;
      known.newestAt = time;
      return;
    }
    if (notes.size >= NOTES_MAX) return reportFull();
    const dueAt = (told.get(key)?.at ?? -Infinity) + CHAT_INTERVAL_MS;
    notes.set(key, { userId, chat, messages: [message], count: 1, firstAt: time, newestAt: time, dueAt });
  }

  function reportFull(): void {
    if (!isFullReported) log.warn({ notes: notes.size }, "too many people wait to be told by web push");
    isFullReported = true;
  }

  /** Forgets what has not been told up to this position, and takes back what devices show. */
  function takeBack(userId: number, chat: ChatRef, isCovered: (position: number) => boolean): void {
    const key = keyOf(userId, chat);
    for (const map of [notes, waiting]) {
      const untold = map.get(key);
      if (untold === undefined) continue;
      const kept = untold.messages.filter(({ position }) => !isCovered(position));
      untold.count -= untold.messages.length - kept.length;
      untold.messages = kept;
      if (kept.length === 0) map.delete(key);
    }
    const shown = told.get(key);
    if (shown === undefined || !isCovered(shown.position)) return;
    told.delete(key);
    const earlier = takenBack.get(key)?.devices ?? [];
    takenBack.set(key, { ...shown, devices: new Set([...earlier, ...shown.devices]) });
  }

  /** Keeps a note for devices that may still show it by themselves, together with what they wait for already. */
  function wait(key: string, one: Note, devices: ReadonlySet<string>): void {
    const known = waiting.get(key);
    if (known === undefined) return void waiting.set(key, { ...one, devices });
    waiting.set(key, { ...merged(known, one), devices: new Set([...known.devices, ...devices]) });
  }

  /** What cannot be told is put back; returns the first error. Throws if nothing of the batch could be: then all of it stays in the map. */
  async function tell<Kind extends Note | WaitingNote>(
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
        if (closed.length > 0) await tellDevices(key, one, closed);
      } catch (error) {
        failure ??= error;
        if (now() - one.firstAt < GIVE_UP_AFTER_MS) putBack(map, key, one);
        continue;
      }
      const silent = byState.get("silent") ?? [];
      if (silent.length > 0) wait(key, one, new Set(silent.map(({ sessionId }) => sessionId)));
    }
    return failure;
  }

  async function tellDevices(key: string, one: Note, devices: readonly SubscribedDevice[]): Promise<void> {
    const alert = await decideAlert(store, one);
    if (alert === undefined) return;
    const shownBy = told.get(key)?.devices ?? [];
    told.delete(key);
    dropOldest(told, TOLD_MAX);
    told.set(key, {
      userId: one.userId,
      chat: one.chat,
      position: alert.newest.position,
      at: now(),
      devices: new Set([...shownBy, ...devices.map(({ sessionId }) => sessionId)]),
    });
    for (const device of devices) {
      // The new notification replaces the old one, which then need not be withdrawn.
      takenBack.get(key)?.devices.delete(device.sessionId);
      queue.add({ device, push: newMessagesPush(device, alert) });
    }
  }

  /** A page that is connected takes back what is shown by itself. */
  async function takeBackShown(): Promise<void> {
    const shown = [...takenBack];
    if (shown.length === 0) return;
    const subscriptions = await subscribers.devicesOf(
      shown.map(([, { userId }]) => userId),
      now(),
    );
    const heard = await deps.presence.lastHeard(subscriptions.map(deviceOf));
    for (const [key, one] of shown) {
      if (takenBack.get(key) === one) takenBack.delete(key);
      const { userId, chat, devices } = one;
      for (const device of subscriptions) {
        if (device.userId !== userId || !devices.has(device.sessionId) || heard.has(deviceOf(device)))
          continue;
        queue.add({ device, push: chatReadPush(device, chat) });
      }
    }
  }

  async function tellDue<Kind extends Note | WaitingNote>(map: Map<string, Kind>): Promise<void> {
    const due = [...map].filter(([, { dueAt }]) => dueAt <= now());
    let failure: unknown;
    for (let start = 0; start < due.length; start += BATCH) {
      const failureOfBatch = await tell(map, due.slice(start, start + BATCH));
      failure ??= failureOfBatch;
    }
    if (failure !== undefined) throw failure;
  }

  return {
    messageStored(chat, message, userIds) {
      if (subscribers.isNobody() || !countsAsUnread(message)) return;
      for (const userId of userIds) {
        if (userId !== message.sendId && subscribers.mayHave(userId)) note(userId, chat, message);
      }
    },
    messageRecalled(chat, position, userIds) {
      if (subscribers.isNobody()) return;
      for (const userId of userIds) {
        if (subscribers.mayHave(userId)) takeBack(userId, chat, (other) => other === position);
      }
    },
    systemMessageStored(userId, message) {
      if (!subscribers.mayHave(userId)) return;
      const chat: ChatRef = { type: ChatType.SYSTEM, targetId: 0 };
      if (message.status === MessageStatus.READED) {
        return takeBack(userId, chat, (position) => position === message.seqNo);
      }
      note(userId, chat, alertingSystemMessage(message));
    },
    chatRead(userId, chat, upTo) {
      if (subscribers.mayHave(userId)) takeBack(userId, chat, (position) => position <= upTo);
    },
    async sweep() {
      isFullReported = false;
      // What fails again and again must not keep the rest from being done.
      const steps = [() => tellDue(waiting), () => tellDue(notes), takeBackShown, async () => queue.sweep()];
      await forEachInOrder(steps, (step) => step());
    },
  };
}

/**
 * What the page of a device does with messages: it has shown them, or it is closed or frozen, or nobody knows yet, because it is connected
 * but was not heard since.
 */
function pageState(
  { firstAt, newestAt }: Note,
  heardAt: number | undefined,
  now: number,
): "shows" | "closed" | "silent" {
  if (heardAt === undefined) return "closed";
  if (heardAt > newestAt) return "shows";
  return now - Math.max(heardAt, firstAt) >= FROZEN_AFTER_MS ? "closed" : "silent";
}

/** A note together with one that came later. */
function merged<Kind extends Note>(earlier: Kind, later: Note): Kind {
  return {
    ...earlier,
    messages: [...earlier.messages, ...later.messages].slice(-MESSAGES_MAX),
    count: earlier.count + later.count,
    newestAt: later.newestAt,
  };
}

function putBack<Kind extends Note>(map: Map<string, Kind>, key: string, one: Kind): void {
  const later = map.get(key);
  map.set(key, later === undefined ? one : merged(one, later));
}

/** The preview of a request names who asks, that of a notice its title. */
function alertingSystemMessage({
  seqNo,
  type,
  title,
  content,
}: Parameters<ClosedPages["systemMessageStored"]>[1]): AlertingMessage {
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
