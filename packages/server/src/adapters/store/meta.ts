/** Single values of the database, by their keys. */
import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";

/** Undefined if there is none. */
export async function findMeta(db: Kysely<Tables>, key: string): Promise<string | undefined> {
  return (await db.selectFrom("meta").select("value").where("key", "=", key).executeTakeFirst())?.value;
}

/** Stores a value in place of the one before, if there is one. */
export async function setMeta(db: Kysely<Tables>, key: string, value: string): Promise<void> {
  await db
    .insertInto("meta")
    .values({ key, value })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value }))
    .execute();
}

/** Does nothing if there is no such value. */
export async function deleteMeta(db: Kysely<Tables>, key: string): Promise<void> {
  await db.deleteFrom("meta").where("key", "=", key).execute();
}
