import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

const REFUSAL = "the audit log cannot be changed";

/** Adds the role of administrators, the audit log, and the indexes of the lists for administrators. */
export async function addAdministration(db: Kysely<Tables>, idType: "integer" | "bigint"): Promise<void> {
  const { schema } = db;
  const isPostgres = idType === "bigint";
  // SQLite compares texts byte by byte, and calls it so. An index finds the beginning of a text only if it compares in this way.
  if (isPostgres) await sql`create collation if not exists "BINARY" from "C"`.execute(db);

  await schema
    .alterTable("user")
    .addColumn("isAdmin", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
  for (const column of ["userNameKey", "nickNameKey"] as const) {
    const name = sql.id(`${column}Start`);
    await sql`create index ${name} on "user" (${sql.ref(column)} collate "BINARY")`.execute(db);
  }
  await sql`create index "groupNameStart" on "chatGroup" ("nameKey" collate "BINARY")`.execute(db);
  await schema
    .createIndex("userBanned")
    .on("user")
    .column("id")
    .where(sql.ref("banReason"), "is not", null)
    .execute();
  await schema
    .createIndex("userUnregistered")
    .on("user")
    .column("id")
    .where(sql.ref("unregisteredAt"), "is not", null)
    .execute();
  await sql`create index "userAdmin" on "user" ("id") where "isAdmin" = 1`.execute(db);

  await schema
    .createTable("adminAudit")
    .addColumn("id", idType, (c) => c.primaryKey())
    .addColumn("at", "bigint", (c) => c.notNull())
    .addColumn("actorId", "bigint")
    .addColumn("action", "text", (c) => c.notNull())
    .addColumn("isLook", "integer", (c) => c.notNull())
    .addColumn("targetKind", "text")
    .addColumn("targetId", "bigint")
    .addColumn("targetName", "text")
    .addColumn("address", "text")
    .addColumn("outcome", "text", (c) => c.notNull())
    .execute();
  await schema.createIndex("adminAuditByLook").on("adminAudit").columns(["isLook", "id"]).execute();
  await schema.createIndex("adminAuditByActor").on("adminAudit").columns(["actorId", "id"]).execute();
  await schema.createIndex("adminAuditByAction").on("adminAudit").columns(["action", "id"]).execute();
  for (const statement of isPostgres ? POSTGRES_GUARD : SQLITE_GUARD) await sql.raw(statement).execute(db);
}

const SQLITE_GUARD: readonly string[] = ["update", "delete"].map(
  (change) =>
    `create trigger "adminAudit_${change}" before ${change} on "adminAudit" begin select raise(abort, '${REFUSAL}'); end`,
);

const POSTGRES_GUARD: readonly string[] = [
  `create or replace function "refuseAuditChange"() returns trigger language plpgsql as
    $$ begin raise exception '${REFUSAL}'; end $$`,
  `create trigger "adminAuditGuard" before update or delete or truncate on "adminAudit"
    for each statement execute function "refuseAuditChange"()`,
];
