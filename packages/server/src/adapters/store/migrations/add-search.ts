import { sql, type Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** Adds the search index. Existing messages are indexed in the background. */
export async function addSearch(db: Kysely<Tables>, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
