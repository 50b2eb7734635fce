import type { FileReads, FileWrites } from "../../ports/file-store.ts";
import type { Kysely } from "kysely";
import { inBatches, preparedQuery } from "./prepared-query.ts";
import type { Tables } from "./tables.ts";

/** Values of the column `use` of a file row. */
export const FileUse = {
  /** Uploaded, and not referenced yet. */
  UNCLAIMED: 0,
  /** Used by an account or a group, now or earlier. */
  CLAIMED: 1,
  /** About to be deleted: nothing may reference it any more. */
  DELETING: 2,
  /** Named by messages only: the table `messageFile` says which. */
  IN_MESSAGES: 4,
} as const;

/** Reads rows of uploaded files. */
export function fileReads(db: Kysely<Tables>): FileReads {
  return {
    async uploadedBytes(userId, since) {
      const { bytes } = await db
        .selectFrom("file")
        .select((eb) => eb.fn.sum<number | string | null>("bytes").as("bytes"))
        .where("userId", "=", userId)
        .where("createdAt", ">=", since)
        .executeTakeFirstOrThrow();
      // PostgreSQL returns a sum as a string, and the sum of no rows is null.
      return Number(bytes ?? 0);
    },
    async isIssuedFile(url) {
      const file = await db
        .selectFrom("file")
        .select("url")
        .where("url", "=", url)
        .where("use", "!=", FileUse.DELETING)
        .executeTakeFirst();
      return file !== undefined;
    },
  };
}

/** Writes rows of uploaded files. */
export function fileWrites(db: Kysely<Tables>): Omit<FileWrites, "nameFiles"> {
  const claim = preparedQuery(db, (url: string) =>
    db
      .updateTable("file")
      .set({ use: FileUse.CLAIMED })
      .where("url", "=", url)
      .where("use", "!=", FileUse.DELETING),
  );

  return {
    async insertFile(file) {
      await db
        .insertInto("file")
        .values({ ...file, use: FileUse.UNCLAIMED })
        .execute();
    },
    async claimFile(url) {
      const { numAffectedRows = 0n } = await claim(url);
      return numAffectedRows > 0n;
    },
    async markFilesForDeletion(before, limit) {
      const marked = await db
        .selectFrom("file")
        .select("url")
        .where((eb) =>
          eb.or([
            eb("use", "=", FileUse.DELETING),
            eb.and([eb("use", "=", FileUse.UNCLAIMED), eb("createdAt", "<", before)]),
          ]),
        )
        .limit(limit)
        .execute();
      const urls = marked.map((file) => file.url);
      for (const batch of inBatches(urls)) {
        await db.updateTable("file").set({ use: FileUse.DELETING }).where("url", "in", batch).execute();
      }
      return urls;
    },
    async deleteFileRows(urls) {
      for (const batch of inBatches(urls)) {
        await db.deleteFrom("file").where("url", "in", batch).execute();
      }
    },
  };
}
