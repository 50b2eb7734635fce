/** Writes a large file so that a server on the same disk hardly notices. */
import { open } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * What waits in the memory of the operating system at most. Its disk writes all of it before a commit of the server that comes after it.
 */
const SYNC_BYTES = 262_144;
/**
 * The disk is left to others for this many times as long as it was used. A commit of the server that meets a write waits for it, so nearly nine
 * of ten meet none.
 */
const PAUSE_FACTOR = 8;
const PAUSE_MAX_MS = 500;

/** Writes all of `source` to a new file that only its owner may read. Resolves with its size when it is on the disk. */
export async function writePaced(path: string, source: AsyncIterable<unknown>): Promise<number> {
  const file = await open(path, "wx", 0o600);
  try {
    let size = 0;
    let gathered: Buffer[] = [];
    let gatheredBytes = 0;
    const flush = async () => {
      const began = performance.now();
      const { bytesWritten } = await file.writev(gathered);
      // A disk that becomes full takes the beginning without an error.
      if (bytesWritten !== gatheredBytes)
        throw Object.assign(new Error("ENOSPC: no space left on device, writev"), { code: "ENOSPC" });
      await file.datasync();
      gathered = [];
      gatheredBytes = 0;
      await sleep(Math.min(PAUSE_MAX_MS, PAUSE_FACTOR * (performance.now() - began)));
    };
    for await (const chunk of source) {
      const bytes = Buffer.from(chunk as Uint8Array);
      gathered.push(bytes);
      gatheredBytes += bytes.length;
      size += bytes.length;
      if (gatheredBytes >= SYNC_BYTES) await flush();
    }
    if (gatheredBytes > 0) await flush();
    await file.sync();
    return size;
  } finally {
    await file.close();
  }
}
