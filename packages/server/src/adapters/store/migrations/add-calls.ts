import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** Adds running calls. */
export async function addCalls(db: Kysely<Tables>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable("call")
    .addColumn("key", "text", (c) => c.primaryKey())
    .addColumn("mode", "text", (c) => c.notNull())
    .addColumn("hostId", "bigint", (c) => c.notNull())
    .addColumn("groupId", "bigint")
    .addColumn("calleeId", "bigint")
    .addColumn("acceptedAt", "bigint")
    .addColumn("heldOffer", "text")
    .addColumn("heldCandidates", "text", (c) => c.notNull())
    .execute();
  await schema
    .createTable("callMember")
    .addColumn("userId", "bigint", (c) => c.primaryKey())
    .addColumn("callKey", "text", (c) => c.notNull())
    .addColumn("clientId", "text")
    .addColumn("sessionId", "text")
    .addColumn("failedClients", "text", (c) => c.notNull())
    .addColumn("isCamera", "integer", (c) => c.notNull())
    .addColumn("isMicroPhone", "integer", (c) => c.notNull())
    .addColumn("lastBeat", "bigint", (c) => c.notNull())
    .addColumn("detachedAt", "bigint")
    .addColumn("deadline", "bigint", (c) => c.notNull())
    .execute();
  await schema.createIndex("callMemberByCall").on("callMember").columns(["callKey"]).execute();
  await schema.createIndex("callMemberByDeadline").on("callMember").columns(["deadline"]).execute();
  await schema
    .createTable("callFrame")
    .addColumn("userId", "bigint", (c) => c.notNull())
    .addColumn("position", "bigint", (c) => c.notNull())
    .addColumn("frame", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("callFrameKey", ["userId", "position"])
    .execute();
}
