import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Blobs } from "../../ports/blobs.ts";
import { StoreUnavailableError } from "../../ports/store-unavailable-error.ts";

const BLOB_KEY = /^[A-Za-z0-9._-]+\/[A-Za-z0-9._-]+$/;
/** Holds uploads under way; its name has a character that no key has. */
const INCOMING_FOLDER = "~incoming";
/** An unfinished upload this old was left by a process that died. */
const STALE_MS = 24 * 3_600_000;

/** Whether this can be a key: two names that stay inside the folder. */
function isKey(key: string): boolean {
  return BLOB_KEY.test(key) && !key.split("/").some((name) => name === "." || name === "..");
}

/** Files below `folder`, which is made when missing. `now` is the time in epoch ms. */
export async function openDiskBlobs(folder: string, now: number): Promise<Blobs> {
  const incoming = join(folder, INCOMING_FOLDER);
  if ((await mkdir(incoming, { recursive: true })) !== undefined) await syncFolder(folder);
  await removeStale(incoming, now);

  return {
    async put(key, data) {
      if (!isKey(key)) throw new Error(`not a blob key: ${key}`);
      const temporary = join(incoming, randomBytes(16).toString("hex"));
      const target = join(folder, key);
      try {
        // `flush` brings the bytes to disk before the name shows them.
        await pipeline(
          Buffer.isBuffer(data) ? Readable.from([data]) : data,
          createWriteStream(temporary, { flags: "wx", flush: true }),
        );
        const { size } = await stat(temporary);
        const made = await mkdir(dirname(target), { recursive: true });
        await rename(temporary, target);
        await syncFolder(dirname(target));
        // The new folder is itself a name in this one.
        if (made !== undefined) await syncFolder(folder);
        return { size };
      } catch (error) {
        await rm(temporary, { force: true });
        throw isFull(error) ? new StoreUnavailableError("full", error) : error;
      }
    },

    async stat(key) {
      if (!isKey(key)) return undefined;
      const found = await undefinedIfMissing(stat(join(folder, key)));
      return found && { size: found.size };
    },

    async read(key, range) {
      if (!isKey(key)) return undefined;
      const file = await undefinedIfMissing(open(join(folder, key), "r"));
      return file?.createReadStream(range);
    },

    async delete(key) {
      if (!isKey(key)) return;
      const target = join(folder, key);
      await rm(target, { force: true });
      // The folder goes with its last file; one that still holds another stays.
      await rmdir(dirname(target)).catch(() => undefined);
    },

    async close() {},
  };
}

/** The disk, or what this account may use of it. */
function isFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");
}

async function undefinedIfMissing<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** A renamed file survives a power cut only when its folder was synced too. */
async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open folders; its file system keeps the order by itself.
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function removeStale(incoming: string, now: number): Promise<void> {
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name);
    const found = await undefinedIfMissing(stat(path));
    if (found !== undefined && now - found.mtimeMs > STALE_MS) await rm(path, { force: true });
  }
}
