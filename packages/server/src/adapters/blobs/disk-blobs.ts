import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { access, constants, lstat, mkdir, open, readdir, rename, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Blobs, BlobTooLargeError } from "../../ports/blobs.ts";
import { StoreUnavailableError } from "../../ports/store-unavailable-error.ts";
import { isKey } from "./blob-key.ts";
import {
  INCOMING_FOLDER,
  incomingPathOf,
  isDiskFull,
  openIncoming,
  undefinedIfMissing,
} from "./incoming-folder.ts";

/** While the disk writes, this much of an upload gathers for the next write. Many small writes would take more time than the disk. */
const WRITE_BUFFER_BYTES = 524_288;

/** Stores blobs as files below `folder`, which is created if it is missing. `now` is the time in epoch ms. */
export async function openDiskBlobs(folder: string, now: number): Promise<Blobs> {
  if (await openIncoming(folder, now)) await syncFolder(folder);
  return diskBlobs(folder);
}

/** The blobs of a folder that `openDiskBlobs` has created. Changes nothing in it by itself. */
export function diskBlobs(folder: string): Blobs {
  return {
    async put(key, data, maxBytes = Infinity) {
      if (!isKey(key)) throw new Error(`not a blob key: ${key}`);
      const temporary = incomingPathOf(folder, key);
      const target = join(folder, key);
      const hash = createHash("sha256");
      let size = 0;
      const source = Buffer.isBuffer(data) ? Readable.from([data]) : data;
      source.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size > maxBytes) source.destroy(new BlobTooLargeError(`more than ${maxBytes} bytes`));
        else hash.update(chunk);
      });
      try {
        // `flush` syncs the bytes to disk before the rename makes them visible.
        const options = { flags: "w", flush: true, highWaterMark: WRITE_BUFFER_BYTES };
        await pipeline(source, createWriteStream(temporary, options));
        const created = await mkdir(dirname(target), { recursive: true });
        await rename(temporary, target);
        await syncFolder(dirname(target));
        // A new folder is an entry of its parent, which has to be synced too.
        if (created !== undefined) await syncFolder(folder);
        return { size, sha256: hash.digest("hex") };
      } catch (error) {
        await rm(temporary, { force: true });
        throw isDiskFull(error) ? new StoreUnavailableError("full", error) : error;
      }
    },

    async stat(key) {
      if (!isKey(key)) return undefined;
      const stats = await undefinedIfMissing(stat(join(folder, key)));
      return stats && { size: stats.size };
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
      await rm(incomingPathOf(folder, key), { force: true });
      // Removes the folder with its last file; `rmdir` fails on a folder that is not empty.
      await rmdir(dirname(target)).catch(() => undefined);
    },

    async *list() {
      for (const random of await namesIn(folder)) {
        // A link may lead out of the folder, to files that are not Parley's.
        const isFolder = (await undefinedIfMissing(lstat(join(folder, random))))?.isDirectory() === true;
        if (random === INCOMING_FOLDER || !isFolder) continue;
        for (const name of await namesIn(join(folder, random))) {
          const key = `${random}/${name}`;
          const stats = isKey(key) ? await undefinedIfMissing(lstat(join(folder, key))) : undefined;
          if (stats?.isFile() === true) yield { key, size: stats.size };
        }
      }
    },

    async probe() {
      // Storing something would change a folder that is perhaps only looked at.
      await access(folder, constants.W_OK);
    },

    async close() {},
  };
}

/** The names in a folder; none if it is gone or is no folder. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw error;
  }
}

/** A renamed file survives a power cut only if its folder was synced too. */
async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open folders, and its file system keeps the order of changes by itself.
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
