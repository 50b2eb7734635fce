/** Mounts a disk of a few megabytes in memory. Only root may do this. */
import { spawnSync } from "node:child_process";
import { closeSync, ftruncateSync, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const CHUNK_BYTES = 1_048_576;

/** A mounted disk. */
export interface SmallDisk {
  folder: string;
  /** Fills the disk until only so many bytes are free. */
  fill(left: number): void;
  /** Frees what `fill` used. */
  free(): void;
  remove(): Promise<void>;
}

/** Why no disk can be mounted on this machine; undefined if one can. */
export function whyNoSmallDisk(): string | undefined {
  if (process.platform !== "linux") return "disks in memory are mounted on Linux only";
  if (process.getuid?.() !== 0) return "only root may mount a disk";
  const { status, stderr } = spawnSync("unshare", ["-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"], {
    encoding: "utf8",
  });
  return status === 0 ? undefined : `no disk can be mounted: ${stderr.trim()}`;
}

/** Mounts an empty disk of this size in a temporary folder. */
export async function mountSmallDisk(mebibytes: number): Promise<SmallDisk> {
  const parent = await mkdtemp(join(tmpdir(), "parley-disk-"));
  const folder = join(parent, "disk");
  await mkdir(folder);
  const { status, stderr } = spawnSync(
    "mount",
    ["-t", "tmpfs", "-o", `size=${mebibytes}m`, "tmpfs", folder],
    {
      encoding: "utf8",
    },
  );
  if (status !== 0) throw new Error(`mount: ${stderr}`);
  const ballast = join(folder, "ballast");
  return {
    folder,
    fill(left) {
      const { bavail, bsize } = statfsSync(folder);
      const file = openSync(ballast, "a");
      const chunk = Buffer.alloc(CHUNK_BYTES, 1);
      try {
        let bytes = (bavail - Math.floor(left / bsize)) * bsize;
        while (bytes > 0) bytes -= writeSync(file, chunk, 0, Math.min(bytes, CHUNK_BYTES));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      } finally {
        closeSync(file);
      }
    },
    free() {
      // Truncating frees the space at once, even if another process has the file open.
      const file = openSync(ballast, "r+");
      ftruncateSync(file);
      closeSync(file);
      rmSync(ballast);
    },
    async remove() {
      spawnSync("umount", ["-l", folder]);
      await rm(parent, { recursive: true, force: true });
    },
  };
}
