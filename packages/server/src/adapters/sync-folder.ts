import { open } from "node:fs/promises";

/** Brings the entries of a folder to the disk: a renamed file survives a power cut only if its folder was synced too. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open folders, and its file system keeps the order of changes by itself.
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
