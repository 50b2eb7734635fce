import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { blobsContract } from "../../testing/contracts/blobs-contract.ts";
import { openDiskBlobs } from "./disk-blobs.ts";

const NOW = 1_700_000_000_000;

async function contents(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

describe("disk blobs", () => {
  blobsContract(async () => {
    const folder = await mkdtemp(join(tmpdir(), "parley-blobs-"));
    return {
      blobs: await openDiskBlobs(folder, NOW),
      contents: () => contents(folder),
      dispose: () => rm(folder, { recursive: true, force: true }),
    };
  });

  test("unfinished uploads of a dead process are removed after a day, and younger ones are kept", async () => {
    const folder = await mkdtemp(join(tmpdir(), "parley-blobs-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await mkdir(join(folder, "~incoming"));
    for (const [name, age] of [
      ["old", 25],
      ["young", 23],
    ] as const) {
      const path = join(folder, "~incoming", name);
      await writeFile(path, "part");
      const time = (NOW - age * 3_600_000) / 1_000;
      await utimes(path, time, time);
    }
    await openDiskBlobs(folder, NOW);
    expect(await contents(folder)).toEqual([join("~incoming", "young")]);
  });
});
