import { sql, type Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** Replaces both search indexes. All messages are indexed again in the background. */
export async function rebuildSearch(db: Kysely<Tables>, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
  await db.deleteFrom("meta").where("key", "in", ["searchIndexedUpTo", "groupSearchIndexedUpTo"]).execute();
}
