/**
 * Deletes files that no write has claimed within a day of their upload, files whose upload never ended, files of private messages that nobody
 * will see again, and files that only a closed report names. A picture that was replaced stays, because earlier business cards, requests and
 * tips may contain its url, and nothing records which do.
 */
import type { Blobs } from "../../ports/blobs.ts";
import type { FileReads, FileWrites } from "../../ports/file-store.ts";
import type { Transactions } from "../../ports/store.ts";
import { fileKeyOf } from "./file-urls.ts";

/** How long a file waits for somebody to claim it; the quota looks back as far. */
const DAY_MS = 24 * 3_600_000;
const BATCH = 100;

/** Times in epoch ms. */
export interface SweepOptions {
  now: number;
  /** When this process started, if it alone takes uploads for this database: those that began earlier have died. Otherwise -Infinity. */
  startedAt: number;
  /** Lets other work run before the sweep continues. */
  nextTurn(): Promise<void>;
}

type DeletingStore = Pick<FileReads, "listMarkedFiles" | "listUnseenFileMessages"> & Transactions<FileWrites>;

/**
 * Marks the files first, so that no write claims them during the deletion. A file that cannot be deleted stops no other one; its error is
 * thrown at the end.
 */
export async function sweepOrphans(
  store: DeletingStore,
  blobs: Blobs,
  { now, startedAt, nextTurn }: SweepOptions,
): Promise<void> {
  // An upload that may still be running is given up after a day.
  await store.write(async (tx) => {
    await tx.abandonUploads(Math.max(startedAt, now - DAY_MS));
    await tx.forgetDeletedUploads(now - DAY_MS);
  });
  await releaseUnseen(store, nextTurn);
  await deleteAll(store, blobs, (after) =>
    store.write((tx) => tx.markFilesForDeletion(now - DAY_MS, BATCH, after)),
  );
}

async function releaseUnseen(store: DeletingStore, nextTurn: () => Promise<void>): Promise<void> {
  for (let after: number | null = 0; after !== null; await nextTurn()) {
    const { ids, next }: Awaited<ReturnType<FileReads["listUnseenFileMessages"]>> =
      await store.listUnseenFileMessages(after);
    if (ids.length > 0) await store.write((tx) => tx.releaseFiles(ids));
    after = next;
  }
}

/**
 * Deletes the files that a recall or the like has marked. Without any, nothing is written. A file that cannot be deleted stops no other one;
 * its error is thrown at the end.
 */
export async function deleteMarkedFiles(store: DeletingStore, blobs: Blobs): Promise<void> {
  await deleteAll(store, blobs, (after) => store.listMarkedFiles(BATCH, after));
}

async function deleteAll(
  store: DeletingStore,
  blobs: Blobs,
  nextUrls: (after: string) => Promise<string[]>,
): Promise<void> {
  let failure: unknown;
  // Those that could not be deleted keep their rows, so each part begins behind the one before.
  for (let after: string | undefined = ""; after !== undefined;) {
    const urls: string[] = await nextUrls(after);
    const failureOfPart = await deleteFiles(store, blobs, urls);
    failure ??= failureOfPart;
    after = urls.at(-1);
  }
  if (failure !== undefined) throw failure;
}

/**
 * The rows go last, so that a crash leaves no file without a row. Returns the first error of files that could not be deleted; throws if the
 * storage cannot be used at all.
 */
async function deleteFiles(store: DeletingStore, blobs: Blobs, urls: readonly string[]): Promise<unknown> {
  const deleted: string[] = [];
  let failure: unknown;
  try {
    for (const url of urls) {
      try {
        await blobs.delete(fileKeyOf(url));
        deleted.push(url);
      } catch (error) {
        // While the storage is away, every other file would fail as slowly.
        if (failure === undefined) await blobs.probe();
        failure ??= error;
      }
    }
  } finally {
    if (deleted.length > 0) await store.write((tx) => tx.deleteFileRows(deleted));
  }
  return failure;
}
