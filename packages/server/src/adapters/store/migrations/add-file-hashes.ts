import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** Adds the SHA-256 of uploaded files. It stays unknown for those that are there. */
export async function addFileHashes(db: Kysely<Tables>): Promise<void> {
  await db.schema.alterTable("file").addColumn("sha256", "text").execute();
}
