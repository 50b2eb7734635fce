import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** Adds the devices that are told by web push. */
export async function addWebPush(db: Kysely<Tables>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable("webPushSubscription")
    .addColumn("sessionId", "text", (c) => c.primaryKey())
    .addColumn("userId", "bigint", (c) => c.notNull())
    .addColumn("endpoint", "text", (c) => c.notNull())
    .addColumn("p256dh", "text", (c) => c.notNull())
    .addColumn("auth", "text", (c) => c.notNull())
    .addColumn("hasPreview", "integer", (c) => c.notNull())
    .addColumn("language", "text", (c) => c.notNull())
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .execute();
  await schema
    .createIndex("webPushSubscriptionByUser")
    .on("webPushSubscription")
    .columns(["userId", "createdAt"])
    .execute();
  await schema
    .createIndex("webPushSubscriptionByEndpoint")
    .on("webPushSubscription")
    .columns(["endpoint"])
    .execute();
}
