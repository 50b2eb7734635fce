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
  /** Its bytes are arriving; `bytes` is what is set aside for them. */
  UPLOADING: 3,
  /** Named by messages and open reports only: the table `messageFile` says which. */
  IN_MESSAGES: 4,
} as const;

/** The uses of files that nothing may name. */
const UNAVAILABLE: readonly number[] = [FileUse.DELETING, FileUse.UPLOADING];

/** Reads rows of uploaded files. */
export function fileReads(db: Kysely<Tables>): Omit<FileReads, "listUnseenFileMessages"> {
  const find = preparedQuery(db, (url: string) =>
    db.selectFrom("file").select(["use", "bytes"]).where("url", "=", url).where("use", "not in", UNAVAILABLE),
  );
  return {
    async uploadedBytes(userId, since) {
      let sum = 0;
      for (const table of ["file", "deletedUpload"] as const) {
        const { bytes } = await db
          .selectFrom(table)
          .select((eb) => eb.fn.sum<number | string | null>("bytes").as("bytes"))
          .where("userId", "=", userId)
          .where("createdAt", ">=", since)
          .executeTakeFirstOrThrow();
        // PostgreSQL returns a sum as a string, and the sum of no rows is null.
        sum += Number(bytes ?? 0);
      }
      return sum;
    },
    async findFile(url) {
      const [file] = (await find(url)).rows;
      return file && { bytes: file.bytes, isKeptForEver: file.use === FileUse.CLAIMED };
    },
    async listMarkedFiles(limit, after = "") {
      const files = await db
        .selectFrom("file")
        .select("url")
        .where("use", "=", FileUse.DELETING)
        .where("url", ">", after)
        .orderBy("url")
        .limit(limit)
        .execute();
      return files.map(({ url }) => url);
    },
  };
}

/** Writes rows of uploaded files. */
export function fileWrites(db: Kysely<Tables>): Omit<FileWrites, "nameFiles" | "releaseFiles"> {
  const { uploadedBytes } = fileReads(db);
  const claim = preparedQuery(db, (url: string) =>
    db
      .updateTable("file")
      .set({ use: FileUse.CLAIMED })
      .where("url", "=", url)
      .where("use", "not in", UNAVAILABLE),
  );

  return {
    async reserveFile(file, { least, most }, quota) {
      let left = most;
      if (file.userId !== null && quota !== null) {
        left = quota.maxBytes - (await uploadedBytes(file.userId, quota.since));
      }
      const bytes = Math.min(most, left);
      if (bytes < least) return null;
      await db
        .insertInto("file")
        .values({ ...file, bytes, sha256: null, use: FileUse.UPLOADING })
        .execute();
      return bytes;
    },
    async completeFiles(files) {
      let completed = 0n;
      for (const { url, bytes, sha256 } of files) {
        const { numUpdatedRows } = await db
          .updateTable("file")
          .set({ bytes, sha256, use: FileUse.UNCLAIMED })
          .where("url", "=", url)
          .where("use", "=", FileUse.UPLOADING)
          .executeTakeFirstOrThrow();
        completed += numUpdatedRows;
      }
      return completed === BigInt(files.length);
    },
    async abandonUploads(before) {
      await db
        .updateTable("file")
        .set({ use: FileUse.DELETING })
        .where("use", "=", FileUse.UPLOADING)
        .where("createdAt", "<", before)
        .execute();
    },
    async claimFile(url) {
      const { numAffectedRows = 0n } = await claim(url);
      return numAffectedRows > 0n;
    },
    async markFilesForDeletion(before, limit, after = "") {
      const marked = await db
        .selectFrom("file")
        .select("url")
        .where((eb) =>
          eb.or([
            eb("use", "=", FileUse.DELETING),
            eb.and([eb("use", "=", FileUse.UNCLAIMED), eb("createdAt", "<", before)]),
          ]),
        )
        .where("url", ">", after)
        .orderBy("url")
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
        await db
          .insertInto("deletedUpload")
          .columns(["userId", "createdAt", "bytes"])
          .expression((eb) =>
            eb
              .selectFrom("file")
              .select((row) => [row.ref("userId").$notNull().as("userId"), "createdAt", "bytes"])
              .where("url", "in", batch)
              .where("userId", "is not", null)
              // Without a hash its upload never ended, so it does not count.
              .where("sha256", "is not", null),
          )
          .execute();
        await db.deleteFrom("file").where("url", "in", batch).execute();
      }
    },
    async forgetDeletedUploads(before) {
      await db.deleteFrom("deletedUpload").where("createdAt", "<", before).execute();
    },
  };
}
