/**
 * Files that nobody took go a day after they came. A picture that was replaced stays: business cards, requests and tips that were sent
 * before name it, and nothing tells which do.
 */
import type { Blobs } from "../../ports/blobs.ts";
import type { Store } from "../../ports/store.ts";
import { fileKeyOf } from "./file-urls.ts";

const UNCLAIMED_MS = 24 * 3_600_000;
const BATCH = 100;

/** Marked first, so that nobody takes what is being deleted; forgotten last, so that a crash in between leaves nothing lying about. */
export async function sweepOrphans(store: Store, blobs: Blobs, now: number): Promise<void> {
  for (;;) {
    const urls = await store.write((tx) => tx.markFilesForDeletion(now - UNCLAIMED_MS, BATCH));
    if (urls.length === 0) return;
    for (const url of urls) await blobs.delete(fileKeyOf(url));
    await store.write((tx) => tx.deleteFileRows(urls));
  }
}
