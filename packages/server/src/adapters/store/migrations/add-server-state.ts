import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** Adds the settings that need no restart, and the nodes. */
export async function addServerState(db: Kysely<Tables>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable("serverSetting")
    .addColumn("name", "text", (c) => c.primaryKey())
    .addColumn("json", "text", (c) => c.notNull())
    .execute();
  await schema
    .createTable("node")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("roles", "text", (c) => c.notNull())
    .addColumn("version", "integer", (c) => c.notNull())
    .addColumn("startedAt", "bigint", (c) => c.notNull())
    .addColumn("seenAt", "bigint", (c) => c.notNull())
    .addColumn("sockets", "integer", (c) => c.notNull())
    .addColumn("people", "integer", (c) => c.notNull())
    .execute();
}
