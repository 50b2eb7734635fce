import type { Kysely } from "kysely";
import type { Reads, Tx } from "../../ports/store.ts";
import { inBatches, preparedQuery } from "./prepared-query.ts";
import type { Tables } from "./tables.ts";

/** What a file row's `use` says. */
export const FileUse = {
  /** Uploaded, and nothing names it yet. */
  NONE: 0,
  /** An account or a message has named it. */
  TAKEN: 1,
  /** About to be deleted: nothing may name it any more. */
  GOING: 2,
} as const;

export type FileReads = Pick<Reads, "uploadedBytes" | "isIssuedFile">;

export function fileReads(db: Kysely<Tables>): FileReads {
  return {
    async uploadedBytes(userId, since) {
      const { bytes } = await db
        .selectFrom("file")
        .select((eb) => eb.fn.sum<number | string | null>("bytes").as("bytes"))
        .where("userId", "=", userId)
        .where("createdAt", ">=", since)
        .executeTakeFirstOrThrow();
      // PostgreSQL sums into a string, and no row at all sums to null.
      return Number(bytes ?? 0);
    },
    async isIssuedFile(url) {
      const found = await db
        .selectFrom("file")
        .select("url")
        .where("url", "=", url)
        .where("use", "!=", FileUse.GOING)
        .executeTakeFirst();
      return found !== undefined;
    },
  };
}

export type FileWrites = Pick<Tx, "insertFile" | "claimFile" | "markFilesForDeletion" | "deleteFileRows">;

export function fileWrites(db: Kysely<Tables>): FileWrites {
  const take = preparedQuery(db, (url: string) =>
    db
      .updateTable("file")
      .set({ use: FileUse.TAKEN })
      .where("url", "=", url)
      .where("use", "!=", FileUse.GOING),
  );

  return {
    async insertFile(file) {
      await db
        .insertInto("file")
        .values({ ...file, use: FileUse.NONE })
        .execute();
    },
    async claimFile(url) {
      const { numAffectedRows = 0n } = await take(url);
      return numAffectedRows > 0n;
    },
    async markFilesForDeletion(before, limit) {
      const condemned = await db
        .selectFrom("file")
        .select("url")
        .where((eb) =>
          eb.or([
            eb("use", "=", FileUse.GOING),
            eb.and([eb("use", "=", FileUse.NONE), eb("createdAt", "<", before)]),
          ]),
        )
        .limit(limit)
        .execute();
      const urls = condemned.map((file) => file.url);
      for (const piece of inBatches(urls)) {
        await db.updateTable("file").set({ use: FileUse.GOING }).where("url", "in", piece).execute();
      }
      return urls;
    },
    async deleteFileRows(urls) {
      for (const piece of inBatches(urls)) {
        await db.deleteFrom("file").where("url", "in", piece).execute();
      }
    },
  };
}
