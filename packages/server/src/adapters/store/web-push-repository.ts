import type { Kysely, Selectable } from "kysely";
import type {
  SubscribedDevice,
  WebPushKeyReads,
  WebPushKeys,
  WebPushKeyWrites,
  WebPushReads,
  WebPushWrites,
} from "../../ports/web-push-store.ts";
import { findMeta, setMeta } from "./meta.ts";
import { inBatches } from "./prepared-query.ts";
import type { Tables, WebPushSubscriptionTable } from "./tables.ts";

const KEYS = "webPushKeys";

function toDevice({
  hasPreview,
  ...row
}: Selectable<WebPushSubscriptionTable> & Pick<SubscribedDevice, "deviceNo">): SubscribedDevice {
  return { ...row, hasPreview: hasPreview === 1 };
}

/** Reads web push subscriptions and the keys for them. */
export function webPushReads(db: Kysely<Tables>): WebPushReads & WebPushKeyReads {
  return {
    async listWebPushSubscriptions(userIds, now) {
      const devices: SubscribedDevice[] = [];
      for (const batch of inBatches(userIds)) {
        const rows = await db
          .selectFrom("webPushSubscription")
          .innerJoin("session", "session.id", "webPushSubscription.sessionId")
          .selectAll("webPushSubscription")
          .select("session.deviceNo")
          .where("webPushSubscription.userId", "in", batch)
          .where("session.endedAt", "is", null)
          .where("session.expiresAt", ">", now)
          .execute();
        devices.push(...rows.map(toDevice));
      }
      return devices;
    },
    async listWebPushUsers() {
      const rows = await db.selectFrom("webPushSubscription").select("userId").distinct().execute();
      return rows.map(({ userId }) => userId);
    },
    async findWebPushKeys() {
      const value = await findMeta(db, KEYS);
      return value === undefined ? undefined : (JSON.parse(value) as WebPushKeys);
    },
  };
}

/** Writes web push subscriptions and the keys for them. */
export function webPushWrites(db: Kysely<Tables>): WebPushWrites & WebPushKeyWrites {
  return {
    async putWebPushSubscription(subscription, max) {
      const { sessionId, userId, endpoint, auth, hasPreview } = subscription;
      await db
        .deleteFrom("webPushSubscription")
        .where((eb) =>
          eb.or([
            eb("sessionId", "=", sessionId),
            eb.and([eb("endpoint", "=", endpoint), eb("auth", "=", auth)]),
          ]),
        )
        .execute();
      await db
        .insertInto("webPushSubscription")
        .values({ ...subscription, hasPreview: Number(hasPreview) })
        .execute();
      const others = await db
        .selectFrom("webPushSubscription")
        .select("sessionId")
        .where("userId", "=", userId)
        .where("sessionId", "!=", sessionId)
        .orderBy("createdAt", "desc")
        .execute();
      for (const tooMany of others.slice(max - 1)) {
        await db.deleteFrom("webPushSubscription").where("sessionId", "=", tooMany.sessionId).execute();
      }
    },
    async deleteWebPushSubscription(sessionId, endpoint) {
      await db
        .deleteFrom("webPushSubscription")
        .where("sessionId", "=", sessionId)
        .$if(endpoint !== undefined, (query) => query.where("endpoint", "=", endpoint ?? ""))
        .execute();
    },
    setWebPushKeys: ({ publicKey, privateKey }) =>
      setMeta(db, KEYS, JSON.stringify({ publicKey, privateKey })),
  };
}
