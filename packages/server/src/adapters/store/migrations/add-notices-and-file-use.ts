import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** Adds the bodies of notices, which the system messages of many people share, and which uploaded files are in use. */
export async function addNoticesAndFileUse(db: Kysely<Tables>, idType: "integer" | "bigint"): Promise<void> {
  const { schema } = db;

  await schema
    .createTable("notice")
    .addColumn("id", idType, (c) => c.primaryKey())
    .addColumn("title", "text", (c) => c.notNull())
    .addColumn("intro", "text", (c) => c.notNull())
    .addColumn("richText", "text")
    .addColumn("externLink", "text")
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .addColumn("lastUserId", "bigint", (c) => c.notNull())
    .addColumn("reachedUserId", "bigint", (c) => c.notNull())
    .execute();
  await schema.alterTable("systemMessage").addColumn("noticeId", "bigint").execute();

  await schema
    .alterTable("file")
    .addColumn("use", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
  await schema.createIndex("fileByUse").on("file").columns(["use", "createdAt"]).execute();
  // Until now only avatars referenced files.
  await db
    .updateTable("file")
    .set({ use: 1 })
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("user")
          .select("id")
          .where((user) =>
            user.or([
              user("user.headImage", "=", user.ref("file.url")),
              user("user.headImageThumb", "=", user.ref("file.url")),
            ]),
          ),
      ),
    )
    .execute();
}
