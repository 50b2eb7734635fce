import { sql, type Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** The index of words. Messages that are there already are taken in by the background. */
export async function addSearch(db: Kysely<Tables>, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
