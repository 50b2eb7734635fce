import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

/** Adds the reports of abuse. */
export async function addReports(db: Kysely<Tables>, idType: "integer" | "bigint"): Promise<void> {
  const { schema } = db;
  await schema
    .createTable("report")
    .addColumn("id", idType, (c) => c.primaryKey())
    .addColumn("reporterId", "bigint", (c) => c.notNull())
    .addColumn("personId", "bigint", (c) => c.notNull())
    .addColumn("chatType", "text")
    .addColumn("messageId", "bigint")
    .addColumn("groupId", "bigint")
    .addColumn("messageType", "integer")
    .addColumn("content", "text")
    .addColumn("sendTime", "bigint")
    .addColumn("reason", "text", (c) => c.notNull())
    .addColumn("text", "text", (c) => c.notNull())
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .addColumn("closedAt", "bigint")
    .addColumn("closedById", "bigint")
    .addColumn("outcome", "text")
    .addColumn("note", "text")
    .execute();
  await schema.createIndex("reportByReporter").on("report").columns(["reporterId", "personId"]).execute();
  await sql`create index "reportOpen" on "report" ("id") where "closedAt" is null`.execute(db);
}
