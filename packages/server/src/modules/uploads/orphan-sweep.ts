/**
 * Deletes files that no write has claimed within a day of their upload, and files whose upload never ended. A picture that was replaced stays, because earlier business
 * cards, requests and tips may contain its url, and nothing records which do.
 */
import type { Blobs } from "../../ports/blobs.ts";
import type { FileWrites } from "../../ports/file-store.ts";
import type { Transactions } from "../../ports/store.ts";
import { fileKeyOf } from "./file-urls.ts";

const UNCLAIMED_MS = 24 * 3_600_000;
const BATCH = 100;

/** Times in epoch ms. */
export interface SweepTimes {
  now: number;
  /** When this process started. No other process takes uploads for this database. */
  startedAt: number;
}

/**
 * Marks the files first, so that no write claims them during the deletion, and deletes their rows last, so that a crash leaves no file
 * without a row.
 */
export async function sweepOrphans(
  store: Transactions<FileWrites>,
  blobs: Blobs,
  { now, startedAt }: SweepTimes,
): Promise<void> {
  // An upload of an earlier process has died with it; one of this process is given up after a day.
  await store.write((tx) => tx.abandonUploads(Math.max(startedAt, now - UNCLAIMED_MS)));
  for (;;) {
    const urls = await store.write((tx) => tx.markFilesForDeletion(now - UNCLAIMED_MS, BATCH));
    if (urls.length === 0) return;
    for (const url of urls) await blobs.delete(fileKeyOf(url));
    await store.write((tx) => tx.deleteFileRows(urls));
  }
}
