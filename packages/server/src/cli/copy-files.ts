/** Copies the uploaded files of a data folder to S3-compatible storage, and compares every byte. It can be repeated: what is there stays. */
import { createHash } from "node:crypto";
import { pipeline } from "node:stream/promises";
import { diskBlobs } from "../adapters/blobs/disk-blobs.ts";
import { openS3Blobs } from "../adapters/blobs/s3-blobs.ts";
import type { S3Settings } from "../adapters/blobs/s3-requests.ts";
import { StoreCopyError } from "../adapters/store/store-errors.ts";
import { TableDigest } from "../adapters/store/table-digest.ts";
import type { Blobs } from "../ports/blobs.ts";
import { StoreUnavailableError } from "../ports/store-unavailable-error.ts";

/** Files that are copied at the same time. Most are small, and S3 takes longer to answer than to store them. */
const AT_ONCE = 4;

/** What the folder and the bucket have. */
export interface ComparedFiles {
  source: Pick<TableDigest, "count" | "checksum">;
  copy: Pick<TableDigest, "count" | "checksum">;
  /** How many were sent now; the others were there. */
  sent: number;
  bytes: number;
  /** Files whose copy has other bytes, by their keys. */
  different: string[];
  /** Objects of the bucket that are not in the folder, by their keys. */
  unknown: string[];
}

/**
 * Sends the files that the bucket lacks or has with other bytes, and reads all of them back. A running server may add and delete files
 * during the copy; deleted files do not count. Throws `StoreCopyError` if the storage cannot be used.
 */
export async function copyFilesToS3(folder: string, settings: S3Settings): Promise<ComparedFiles> {
  const from = diskBlobs(folder);
  const to = await openS3Blobs(settings, folder, Date.now());
  try {
    return await copyAll(from, to);
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    throw new StoreCopyError(
      `The files were not copied completely: ${error.message}. What has been copied stays, so repeat the command.`,
      { cause: error },
    );
  } finally {
    await to.close();
    await from.close();
  }
}

async function copyAll(from: Blobs, to: Blobs): Promise<ComparedFiles> {
  const stored = new Set<string>();
  for await (const { key } of to.list()) stored.add(key);
  const [source, copy] = [new TableDigest(), new TableDigest()];
  const different: string[] = [];
  let [sent, bytes] = [0, 0];
  const files = from.list()[Symbol.asyncIterator]();

  const copyOne = async (key: string): Promise<void> => {
    const isStored = stored.delete(key);
    const original = await hashOf(from, key);
    if (original === undefined) return;
    let copied = isStored ? await hashOf(to, key) : undefined;
    if (copied?.sha256 !== original.sha256) {
      const data = await from.read(key);
      if (data === undefined) return;
      await to.put(key, data);
      sent += 1;
      copied = await hashOf(to, key);
    }
    source.add([key, original.size, original.sha256]);
    if (copied !== undefined) copy.add([key, copied.size, copied.sha256]);
    if (copied?.sha256 !== original.sha256) different.push(key);
    bytes += original.size;
  };
  const copyNext = async (): Promise<void> => {
    for (let file = await files.next(); file.done !== true; file = await files.next())
      await copyOne(file.value.key);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, copyNext));
  return { source, copy, sent, bytes, different, unknown: [...stored] };
}

async function hashOf(blobs: Blobs, key: string): Promise<{ size: number; sha256: string } | undefined> {
  const data = await blobs.read(key);
  if (data === undefined) return undefined;
  const hash = createHash("sha256");
  let size = 0;
  data.on("data", (chunk: Buffer) => (size += chunk.length));
  await pipeline(data, hash);
  return { size, sha256: hash.digest("hex") };
}
