/** The folder on the local disk for bytes that are still arriving. */
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** Its name below the folder of the files contains a character that no key may contain. */
export const INCOMING_FOLDER = "~incoming";
/** A file of this age was left behind by a process that died. */
export const STALE_MS = 24 * 3_600_000;

/** Creates it below `folder` if it is missing, and removes what dead processes left in it. Returns whether it is new. */
export async function openIncoming(folder: string, now: number): Promise<boolean> {
  const incoming = join(folder, INCOMING_FOLDER);
  const created = await mkdir(incoming, { recursive: true });
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name);
    const stats = await undefinedIfMissing(stat(path));
    if (stats !== undefined && now - stats.mtimeMs > STALE_MS) await rm(path, { force: true });
  }
  return created !== undefined;
}

/** Named after the key, so that a deletion finds it. Keys are random, so no two uploads at the same time have the same. */
export function incomingPathOf(folder: string, key: string): string {
  return join(folder, INCOMING_FOLDER, key.replace("/", "~"));
}

/** Whether the disk, or the quota of this account, is used up. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");
}

/** The result, or undefined if the file is missing. */
export async function undefinedIfMissing<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
