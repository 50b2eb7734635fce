import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";

/**
 * The next id of a table, to be asked inside a write: the writers' lock keeps two from getting the same. Rows
 * of these tables are never deleted, so no id comes twice.
 */
export async function nextId(
  db: Kysely<Tables>,
  table: "user" | "friendRequest" | "privateChat" | "systemMessage" | "notice" | "chatGroup" | "groupRequest",
): Promise<number> {
  const newest = await db.selectFrom(table).select("id").orderBy("id", "desc").limit(1).executeTakeFirst();
  return (newest?.id ?? 0) + 1;
}
