import { mkdir, mkdtemp, readdir, rm, rmdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { openDiskBlobs } from "../../adapters/blobs/disk-blobs.ts";
import { s3Blobs } from "../../adapters/blobs/s3-blobs.ts";
import { type OpenedStore, openStore } from "../../adapters/store/open-store.ts";
import type { Blobs } from "../../ports/blobs.ts";
import { NOON, addFile } from "../../testing/contracts/store-fixtures.ts";
import { startS3Server } from "../../testing/s3-server.ts";
import { deleteMarkedFiles, sweepOrphans } from "./orphan-sweep.ts";

/** More than one part. */
const MANY = 120;
const LATER = NOON + 2 * 24 * 3_600_000;

let folder: string;
let store: OpenedStore;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-sweep-"));
  const onFatal = (error: Error): never => {
    throw error;
  };
  store = await openStore({ url: join(folder, "parley.sqlite"), onFatal });
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

const putRows = (keys: readonly string[]) =>
  store.write(async (tx) => {
    for (const key of keys)
      await addFile(tx, { url: `/files/${key}`, userId: null, bytes: 1, createdAt: NOON });
  });
const sweep = (blobs: Blobs) =>
  sweepOrphans(store, blobs, { now: LATER, startedAt: -Infinity, nextTurn: async () => undefined });

describe.each([
  ["a sweep", sweep],
  ["the deletion of marked files", (blobs: Blobs) => deleteMarkedFiles(store, blobs)],
])("%s", (_name, run) => {
  test("deletes all files but those that cannot be deleted, says why, and deletes these once they can be", async () => {
    const files = join(folder, "files");
    const blobs = await openDiskBlobs(files, NOON);
    const stuck = Array.from({ length: MANY }, (_, n) => `a/${1_000 + n}`);
    const others = ["0/first", "b/last"];
    await putRows([...stuck, ...others]);
    // A folder that has the name of a file by mistake cannot be deleted as a file.
    for (const key of stuck) await mkdir(join(files, key), { recursive: true });
    for (const key of others) {
      await mkdir(join(files, key, ".."), { recursive: true });
      await writeFile(join(files, key), "x");
    }
    await store.write((tx) => tx.markFilesForDeletion(NOON + 1, MANY + others.length));

    await expect(run(blobs)).rejects.toMatchObject({ code: "ERR_FS_EISDIR" });
    expect((await readdir(files)).toSorted()).toEqual(["a", "~incoming"]);
    expect(await store.listMarkedFiles(1_000)).toEqual(stuck.map((key) => `/files/${key}`));

    for (const key of stuck) await rmdir(join(files, key));
    await run(blobs);
    expect(await store.countFiles()).toEqual({ count: 0, bytes: 0 });
  });

  test("ends with the first file that fails if the storage is away, and forgets those that it has deleted", async () => {
    const s3 = await startS3Server();
    onTestFinished(() => s3.stop());
    const blobs = s3Blobs(s3.settings, folder, { silenceMs: 60_000, longSilenceMs: 60_000, pausesMs: [] });
    await putRows(["a/1", "a/2", "a/3", "a/4"]);
    await store.write((tx) => tx.markFilesForDeletion(NOON + 1, 4));
    let isAway = false;
    s3.fault = ({ key }) => {
      isAway ||= key === "a/2";
      return isAway ? "busy" : undefined;
    };
    await expect(run(blobs)).rejects.toMatchObject({ name: "StoreUnavailableError" });
    const deletions = s3.requests.filter(({ kind }) => kind === "DELETE");
    expect(deletions.map(({ key }) => key)).toEqual(["a/1", "a/2"]);
    expect(await store.listMarkedFiles(10)).toEqual(["/files/a/2", "/files/a/3", "/files/a/4"]);
  });
});
