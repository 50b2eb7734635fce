/** Alerts the devices of people who have no page open when a call rings, and when it rings no longer. At once: a call rings for 30 s. */
import { ChatType } from "@parley/protocol/codes";
import { CALL_RING_MS } from "@parley/protocol/limits";
import type { ChatRef, WebPushEvents } from "../../delivery/delivery.ts";
import type { AccountReads } from "../../ports/account-store.ts";
import { type Presence, deviceOf } from "../../ports/presence.ts";
import type { SubscribedDevice } from "../../ports/web-push-store.ts";
import { nameInGroup } from "../../presenters/group-presenter.ts";
import { type AlertReads, viewOf } from "./alert-decision.ts";
import { FROZEN_AFTER_MS } from "./message-alerts.ts";
import type { SendQueue } from "./send-queue.ts";
import type { Subscribers } from "./subscribers.ts";
import { type RingingCall, callOverPush, callPush, chatKeyOf } from "./web-push-payload.ts";

/** What is read to name the caller. */
export type CallReads = AlertReads & Pick<AccountReads, "findUser">;

export interface CallAlertsDeps {
  store: CallReads;
  presence: Pick<Presence, "lastHeard">;
  subscribers: Subscribers;
  queue: Pick<SendQueue, "add">;
  now(): number;
  inBackground(work: Promise<void>): void;
}

/** The part of `WebPushEvents` that is about calls. */
export type CallAlerts = Pick<WebPushEvents, "callRings" | "callStopsRinging">;

/** A call that rings for somebody. */
interface Ring {
  since: number;
  /** The devices that were alerted. */
  devices: readonly SubscribedDevice[];
}

/** Creates the alerts about calls of one node. */
export function createCallAlerts(deps: CallAlertsDeps): CallAlerts {
  const { store, presence, subscribers, queue, now, inBackground } = deps;
  /** By person and chat, the oldest first. */
  const rings = new Map<string, Ring>();

  const keyOf = (userId: number, chat: ChatRef) => `${userId} ${chatKeyOf(chat)}`;

  /** Removes calls whose end this node did not hear of, because another one has handled it. */
  function forgetOld(): void {
    for (const [key, { since }] of rings) {
      if (now() - since < 2 * CALL_RING_MS) return;
      rings.delete(key);
    }
  }

  /** The devices without a page that rings by itself. */
  async function closedDevicesOf(userId: number): Promise<SubscribedDevice[]> {
    const devices = await subscribers.devicesOf([userId], now());
    const heard = await presence.lastHeard(devices.map(deviceOf));
    return devices.filter((device) => {
      const heardAt = heard.get(deviceOf(device));
      return heardAt === undefined || now() - heardAt >= FROZEN_AFTER_MS;
    });
  }

  async function alert(key: string, ring: Ring, call: { userId: number; chat: ChatRef; callerId: number }) {
    const devices = await closedDevicesOf(call.userId);
    if (devices.length === 0) return;
    const names = await namesFor(store, call);
    // The call may have been answered or cancelled since.
    if (names === undefined || rings.get(key) !== ring) return;
    ring.devices = devices;
    for (const device of devices) queue.add({ device, push: callPush(device, { ...call, names }) });
  }

  return {
    callRings(userId, chat, callerId) {
      if (!subscribers.mayHave(userId)) return;
      forgetOld();
      const key = keyOf(userId, chat);
      const ring: Ring = { since: now(), devices: [] };
      // Behind all others, also if there is one that nobody has ended.
      rings.delete(key);
      rings.set(key, ring);
      inBackground(alert(key, ring, { userId, chat, callerId }));
    },
    callStopsRinging(userId, chat) {
      const key = keyOf(userId, chat);
      const ring = rings.get(key);
      rings.delete(key);
      for (const device of ring?.devices ?? []) queue.add({ device, push: callOverPush(device, chat) });
    },
  };
}

/** The names that this person has for the caller and the group; undefined if the person has left the group. */
async function namesFor(
  store: CallReads,
  { userId, chat, callerId }: { userId: number; chat: ChatRef; callerId: number },
): Promise<RingingCall["names"] | undefined> {
  const view = await viewOf(store, userId, chat);
  const caller = await store.findUser(callerId);
  if (view === undefined || caller === undefined) return undefined;
  const { remark, group } = view;
  if (chat.type !== ChatType.GROUP) return { group, sender: remark ?? caller.nickName };
  const member = await store.findGroupMember(chat.targetId, callerId);
  return { group, sender: member === undefined ? caller.nickName : nameInGroup(member, caller) };
}
