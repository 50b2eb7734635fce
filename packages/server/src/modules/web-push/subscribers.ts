/** Caches which people have a device that is subscribed to web push, so that the store is not asked about each message. */
import type { Bus } from "../../ports/bus.ts";
import type { WebPushReads, SubscribedDevice } from "../../ports/web-push-store.ts";

export interface SubscribersDeps {
  store: WebPushReads;
  bus: Bus;
  inBackground(work: Promise<void>): void;
}

/** The people with a subscription, as far as this node knows. */
export interface Subscribers {
  /** Reads who has subscribed. Before this, everybody may have. */
  load(): Promise<void>;
  isNobody(): boolean;
  /** False only if this person has surely no subscription. */
  mayHave(userId: number): boolean;
  /** Reads the subscriptions of these people. */
  devicesOf(userIds: readonly number[], now: number): Promise<SubscribedDevice[]>;
}

export function createSubscribers({ store, bus, inBackground }: SubscribersDeps): Subscribers {
  const known = new Set<number>();
  let isLoaded = false;
  /** Counts the changes that were heard of: a list that was read while a subscription was stored may not contain it. */
  let changes = 0;

  const load = async () => {
    for (const userId of await store.listWebPushUsers()) known.add(userId);
    isLoaded = true;
  };
  bus.subscribe((event) => {
    if (event.kind === "webPushSubscribed") {
      changes++;
      known.add(event.userId);
    } else if (event.kind === "interrupted") {
      changes++;
      isLoaded = false;
      inBackground(load());
    }
  });

  return {
    load,
    isNobody: () => isLoaded && known.size === 0,
    mayHave: (userId) => !isLoaded || known.has(userId),
    async devicesOf(userIds, now) {
      const changesBefore = changes;
      const devices = await store.listWebPushSubscriptions(userIds, now);
      if (changesBefore !== changes) return devices;
      const found = new Set(devices.map(({ userId }) => userId));
      for (const userId of userIds) if (!found.has(userId)) known.delete(userId);
      return devices;
    },
  };
}
