/** `npm run admin -- backup`: writes everything into one archive, also while a server is running. docs/backup.md says what is in it. */
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { mkdir, rm, stat } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import { join, resolve } from "node:path";
import {
  type ArchiveKey,
  type ArchiveWriter,
  BackupError,
  type BackupManifest,
  writeArchive,
} from "../adapters/archive/backup-archive.ts";
import { type DatabaseCopy, copyDatabase, lockFile, wantsFile } from "../adapters/store/sqlite-backup.ts";
import { type Config, dataFolder } from "../config/config.ts";
import { backupPaths, databasePath, secretPath } from "../config/data-folders.ts";
import { existingBlobs } from "../config/existing-blobs.ts";
import { fileKeyOf, fileUrlOf } from "../modules/uploads/file-urls.ts";
import type { Blobs } from "../ports/blobs.ts";
import { StoreUnavailableError } from "../ports/store-unavailable-error.ts";

/** Names of parts of an archive. */
export const DATABASE_PART = "database.sqlite";
export const SECRET_PART = "secret";
export const FILES_PREFIX = "files/";

/** With `PASSWORD_COST=low`, for tests. */
const LOW_WORK_FACTOR = 8;
const MEBIBYTE = 1_048_576;

/** What to back up, and where to. */
export interface BackupOptions {
  file: string;
  /** PostgreSQL has its own dump, so only files and keys are archived. */
  isFilesOnly: boolean;
}

/** Writes a backup and prints a report. Throws one-sentence errors for what the operator can put right; then there is no file. */
export async function runBackup(
  config: Config,
  { file, isFilesOnly }: BackupOptions,
  print: (line: string) => void,
): Promise<void> {
  requireFittingDatabase(config, isFilesOnly);
  const path = resolve(file);
  if (existsSync(path)) throw new BackupError(`${path} exists already; give another name.`);
  const dataDir = dataFolder(config);
  const { lock: lockPath, folder: workFolder } = backupPaths(dataDir);
  const lock = lockFile(lockPath);
  if (lock === undefined) throw new BackupError("Another backup is running; wait until it has ended.");
  const blobs = await existingBlobs(config);
  let copy: DatabaseCopy | undefined;
  try {
    // What an interrupted backup left.
    await rm(workFolder, { recursive: true, force: true });
    await mkdir(workFolder, { mode: 0o700 });
    const copyPath = join(workFolder, DATABASE_PART);
    // The database comes first: every file that it names was stored before.
    if (!isFilesOnly) copy = await copyDatabase(databasePath(dataDir), copyPath);
    const report = new BackupReport(print);
    const key = { ...archiveKeyOf(config), sumsPath: join(workFolder, "sums") };
    const bytes = await writeArchive(path, key, manifestOf(copy), async (archive) => {
      if (copy !== undefined) await addFile(archive, DATABASE_PART, copyPath);
      await addKeys(archive, config, dataDir);
      for await (const wanted of copy?.files() ?? storedFiles(blobs)) {
        report.add(await addBlob(archive, blobs, wanted, databasePath(dataDir)));
      }
    });
    report.end(path, bytes, copy?.counts, key.passphrase !== undefined);
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    throw new BackupError(`There is no backup, because ${error.message}.`, { cause: error });
  } finally {
    copy?.close();
    await rm(workFolder, { recursive: true, force: true });
    await blobs.close();
    lock.close();
  }
}

/** People who chat come before the backup: lowers the priority of a process that does nothing else, of this one by default. */
export function yieldToOthers(pid = 0): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch (error) {
    // A sandbox may refuse it, and the process may have ended; the backup is only less polite then.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ERR_SYSTEM_ERROR") throw error;
  }
}

/** How the archives of this installation are encrypted. */
export function archiveKeyOf({ BACKUP_PASSPHRASE: passphrase, PASSWORD_COST }: Config): ArchiveKey {
  return { passphrase, workFactor: PASSWORD_COST === "low" ? LOW_WORK_FACTOR : undefined };
}

function requireFittingDatabase(config: Config, isFilesOnly: boolean): void {
  if (config.DATABASE_URL !== undefined && !isFilesOnly) {
    throw new BackupError(
      "The database is in PostgreSQL: back it up with pg_dump first, and then the files with `backup --files-only <file>`.",
    );
  }
  if (config.DATABASE_URL !== undefined) return;
  if (isFilesOnly) throw new BackupError("--files-only is for installations with DATABASE_URL.");
  const path = databasePath(dataFolder(config));
  if (!existsSync(path)) throw new BackupError(`There is no database ${path}; set DATA_DIR.`);
}

function manifestOf(copy: DatabaseCopy | undefined): BackupManifest {
  return {
    version: readVersion(),
    createdAt: new Date().toISOString(),
    kind: copy === undefined ? "files" : "everything",
    epoch: copy?.epoch ?? null,
    counts: copy?.counts ?? null,
  };
}

function readVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

interface WantedFile {
  url: string;
  sha256: string | null;
}

async function* storedFiles(blobs: Blobs): AsyncGenerator<WantedFile> {
  for await (const { key } of blobs.list()) yield { url: fileUrlOf(key), sha256: null };
}

async function addFile(archive: ArchiveWriter, name: string, path: string): Promise<void> {
  await archive.add(name, (await stat(path)).size, createReadStream(path));
}

async function addKeys(archive: ArchiveWriter, config: Config, dataDir: string): Promise<void> {
  const secret = secretPath(dataDir);
  if (config.SECRET === undefined) await addFile(archive, SECRET_PART, secret);
}

/** What became of a file: archived, deleted during the backup, or archived or left out because something is wrong. */
type BlobResult = { outcome: "archived" } | { outcome: "deleted" } | { outcome: "wrong"; problem: string };

async function addBlob(
  archive: ArchiveWriter,
  blobs: Blobs,
  { url, sha256 }: WantedFile,
  database: string,
): Promise<BlobResult> {
  const key = fileKeyOf(url);
  const found = await blobs.stat(key);
  const data = found && (await blobs.read(key));
  if (found === undefined || data === undefined) {
    const isMissed = sha256 !== null && existsSync(database) && wantsFile(database, url);
    return isMissed ? { outcome: "wrong", problem: `The file ${url} is gone.` } : { outcome: "deleted" };
  }
  const stored = await archive.add(FILES_PREFIX + key, found.size, data);
  if (sha256 === null || stored === sha256) return { outcome: "archived" };
  return { outcome: "wrong", problem: `The file ${url} was changed: its SHA-256 is another.` };
}

const LINES_MAX = 20;

/** Counts files and prints what is wrong with them. */
class BackupReport {
  readonly #print: (line: string) => void;
  #files = 0;
  #deleted = 0;
  #problems = 0;

  constructor(print: (line: string) => void) {
    this.#print = print;
  }

  add(result: BlobResult): void {
    if (result.outcome === "archived") this.#files += 1;
    else if (result.outcome === "deleted") this.#deleted += 1;
    else {
      this.#problems += 1;
      if (this.#problems <= LINES_MAX) this.#print(result.problem);
    }
  }

  end(path: string, bytes: number, counts: DatabaseCopy["counts"] | undefined, isEncrypted: boolean): void {
    if (this.#problems > 0) {
      this.#print(
        `${this.#problems} files were already gone or changed before the backup; \`npm run admin -- doctor\` names them.`,
      );
    }
    if (this.#deleted > 0) this.#print(`${this.#deleted} files were deleted during the backup.`);
    const rows = counts === undefined ? "" : `${counts.people} people, ${counts.messages} messages, `;
    const size = (bytes / MEBIBYTE).toFixed(1);
    const protection = isEncrypted ? "encrypted" : "not encrypted";
    this.#print(`The backup ${path} is complete: ${rows}${this.#files} files, ${size} MiB, ${protection}.`);
  }
}
