/** `npm run admin -- restore`: puts a backup into an empty place. Nothing is in place before all of it was verified. */
import { createWriteStream, existsSync, lstatSync, readdirSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  BackupError,
  type BackupManifest,
  readArchive,
  syncFolder,
} from "../adapters/archive/backup-archive.ts";
import { isKey } from "../adapters/blobs/blob-key.ts";
import { openDiskBlobs } from "../adapters/blobs/disk-blobs.ts";
import { INCOMING_FOLDER } from "../adapters/blobs/incoming-folder.ts";
import { prepareRestored } from "../adapters/store/sqlite-backup.ts";
import { acquireFolderLock } from "../adapters/store/sqlite-database.ts";
import { DATABASE_PART, FILES_PREFIX, SECRET_PART, archiveKeyOf } from "./backup.ts";
import { type Config, dataFolder, s3SettingsOf } from "../config/config.ts";
import {
  databasePath,
  filesFolder,
  installationPath,
  restoringFolder,
  secretPath,
} from "../config/data-folders.ts";
import { makeFolder } from "../config/environment.ts";
import type { Blobs } from "../ports/blobs.ts";
import { StoreUnavailableError } from "../ports/store-unavailable-error.ts";

/** In the folder of a restore: everything is verified, and is being moved to its place. */
const VERIFIED = "verified";

/**
 * Restores an archive into the empty DATA_DIR, and its files into the storage of files. Prints what it did. Throws one-sentence errors for what
 * the operator can put right. After an error or an interruption no server can start on a part of the backup, and a repetition begins anew.
 */
export async function runRestore(config: Config, file: string, print: (line: string) => void): Promise<void> {
  const path = resolve(file);
  if (!existsSync(path)) throw new BackupError(`There is no file ${path}.`);
  const dataDir = dataFolder(config);
  makeFolder(dataDir);
  const lock = acquireFolderLock(dataDir);
  try {
    await removeInterrupted(dataDir);
    requireEmpty(dataDir);
    const key = archiveKeyOf(config);
    print(`Verifying ${path} ...`);
    const manifest = await readArchive(path, key, async (name, data, { kind }) => {
      requireFitting(config, kind);
      requireKnown(path, name);
      for await (const chunk of data) void chunk;
    });
    requireFitting(config, manifest.kind);
    print("The backup is complete. Restoring it ...");
    await inSentences(restoreVerified(config, path, dataDir));
    print(endOf(manifest));
  } finally {
    lock.close();
  }
}

/** Turns what the storage of files refuses into a sentence for the operator. */
async function inSentences(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    throw new BackupError(`Nothing was restored, because ${error.message}.`, { cause: error });
  }
}

/** Removes what an interrupted restore left. No server has used any of it, because it would not have started. */
async function removeInterrupted(dataDir: string): Promise<void> {
  const staging = restoringFolder(dataDir);
  if (existsSync(join(staging, VERIFIED))) {
    for (const { target } of movesOf(dataDir)) await rm(target, { recursive: true, force: true });
    await syncFolder(dataDir);
  }
  await rm(staging, { recursive: true, force: true });
  await rm(`${staging}.done`, { recursive: true, force: true });
}

function requireEmpty(dataDir: string): void {
  // It is replaced as a whole, which neither a mount nor a link survives.
  const files = lstatSync(filesFolder(dataDir), { throwIfNoEntry: false });
  if (files !== undefined && (files.isSymbolicLink() || files.dev !== lstatSync(dataDir).dev)) {
    throw new BackupError(
      `${filesFolder(dataDir)} is a link or a file system of its own: restore into another DATA_DIR, and copy its files there.`,
    );
  }
  for (const { target } of movesOf(dataDir)) {
    const isFiles = target === filesFolder(dataDir);
    const isThere =
      existsSync(target) && (!isFiles || readdirSync(target).some((name) => name !== INCOMING_FOLDER));
    if (isThere) throw new BackupError(`${target} exists: a backup is restored only into an empty DATA_DIR.`);
  }
  // The log of a database that is gone would be written into the restored one.
  for (const suffix of ["-wal", "-shm", "-journal"]) {
    const log = databasePath(dataDir) + suffix;
    if (existsSync(log))
      throw new BackupError(`${log} exists: a backup is restored only into an empty DATA_DIR.`);
  }
}

function requireFitting({ DATABASE_URL }: Config, kind: BackupManifest["kind"]): void {
  if (kind === "everything" && DATABASE_URL !== undefined) {
    throw new BackupError(
      "The backup holds an SQLite database: restore it without DATABASE_URL, and run `copy` afterwards.",
    );
  }
  if (kind === "files" && DATABASE_URL === undefined)
    throw new BackupError(
      "The backup holds only the files of an installation with DATABASE_URL, which is not set.",
    );
}

function requireKnown(path: string, name: string): void {
  const isFile = name.startsWith(FILES_PREFIX) && isKey(name.slice(FILES_PREFIX.length));
  if (!isFile && ![DATABASE_PART, SECRET_PART].includes(name))
    throw new BackupError(`${path} has an unknown part; restore it with the version that made it.`);
}

/** What is restored where, in this order. */
function movesOf(dataDir: string): { part: string; target: string }[] {
  return [
    { part: "files", target: filesFolder(dataDir) },
    { part: SECRET_PART, target: secretPath(dataDir) },
    { part: DATABASE_PART, target: databasePath(dataDir) },
  ];
}

async function restoreVerified(config: Config, path: string, dataDir: string): Promise<void> {
  const staging = restoringFolder(dataDir);
  await mkdir(staging, { mode: 0o700 });
  await syncFolder(dataDir);
  const blobs = await openTarget(config, join(staging, "files"));
  try {
    const { kind } = await readArchive(path, archiveKeyOf(config), async (name, data) => {
      requireKnown(path, name);
      await store(blobs, staging, name, data);
    });
    if (kind === "everything") await prepareRestored(join(staging, DATABASE_PART));
    await syncFolder(staging);
    await writeFile(join(staging, VERIFIED), "", { mode: 0o600, flush: true });
    await syncFolder(staging);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    throw error;
  } finally {
    await blobs.close();
  }
  for (const { part, target } of movesOf(dataDir)) {
    const source = join(staging, part);
    if (!existsSync(source)) continue;
    // An empty folder of files.
    await rm(target, { recursive: true, force: true });
    await rename(source, target);
  }
  // The restored database says to which installation it belongs.
  await rm(installationPath(dataDir), { force: true });
  await syncFolder(dataDir);
  // The moment from which a server may start.
  const done = `${staging}.done`;
  await rename(staging, done);
  await syncFolder(dataDir);
  await rm(done, { recursive: true });
}

/** Files go to S3 at once: nobody knows their keys before the database is in place. */
async function openTarget(config: Config, folder: string): Promise<Blobs> {
  const settings = s3SettingsOf(config);
  if (settings === undefined) return openDiskBlobs(folder, Date.now());
  const { openS3Blobs } = await import("../adapters/blobs/s3-blobs.ts");
  return openS3Blobs(settings, folder, Date.now());
}

async function store(blobs: Blobs, staging: string, name: string, data: Readable): Promise<void> {
  if (name.startsWith(FILES_PREFIX)) await blobs.put(name.slice(FILES_PREFIX.length), data);
  else
    await pipeline(data, createWriteStream(join(staging, name), { flags: "wx", mode: 0o600, flush: true }));
}

function endOf({ createdAt, version, kind, counts }: BackupManifest): string {
  const of = `the backup of ${createdAt} (version ${version})`;
  if (kind === "files" || counts === null) {
    return `Restored the files of ${of}. If PostgreSQL was restored too, run \`npm run admin -- restored\` before you start the server.`;
  }
  return `Restored ${of}: ${counts.people} people, ${counts.messages} messages. Start the server; clients then load everything again.`;
}
