import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";

/**
 * Returns the next id of a table. Call it inside a write: the writer's lock prevents that two rows get the same
 * id. Rows of these tables are never deleted, so no id is reused.
 */
export async function nextId(
  db: Kysely<Tables>,
  table:
    | "user"
    | "adminAudit"
    | "report"
    | "friendRequest"
    | "privateChat"
    | "systemMessage"
    | "notice"
    | "chatGroup"
    | "groupRequest",
): Promise<number> {
  const newest = await db.selectFrom(table).select("id").orderBy("id", "desc").limit(1).executeTakeFirst();
  return (newest?.id ?? 0) + 1;
}
