import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** Adds what was uploaded and deleted on the same day: it counts for the quota like what is still there. */
export async function addDeletedUploads(db: Kysely<Tables>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable("deletedUpload")
    .addColumn("userId", "bigint", (c) => c.notNull())
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .addColumn("bytes", "bigint", (c) => c.notNull())
    .execute();
  await schema
    .createIndex("deletedUploadByUser")
    .on("deletedUpload")
    .columns(["userId", "createdAt"])
    .execute();
}
