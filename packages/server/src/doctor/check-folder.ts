/** Checks the data folder, apart from what it contains: rights, leftovers, room, and how fast its disk is. */
import type { Stats } from "node:fs";
import { chmod, chown, lchown, lstat, open, readdir, rm, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { INCOMING_FOLDER, STALE_MS } from "../adapters/blobs/incoming-folder.ts";
import { lockFile } from "../adapters/store/sqlite-backup.ts";
import { StoreUnusableError } from "../adapters/store/store-errors.ts";
import { type Config, dataFolder } from "../config/config.ts";
import { backupPaths, filesFolder } from "../config/data-folders.ts";
import { reasonOf } from "../config/environment.ts";

/** Something that is wrong, and how to put it right without any risk, if there is a way. */
export interface Finding {
  sentence: string;
  fix?: {
    /** What the repair has done, in the past tense. */
    done: string;
    run(): Promise<void>;
  };
}

const OTHERS = 0o007;
const GROUP_AND_OTHERS = 0o077;
const SECRET = "secret";
/** What belongs to the account that runs the server. */
const OWNED = [
  SECRET,
  "parley.sqlite",
  "parley.sqlite-wal",
  "parley.sqlite-shm",
  "parley.lock",
  "backup.lock",
  "backup-work",
  "restoring",
  "installation",
  "files",
];
const FREE_MIN_BYTES = 1_073_741_824;
const FREE_MIN_FILES = 1_000;
/** Slower disks delay each message. One fast flush is enough, because other work may slow some of them down. */
const FLUSH_MAX_MS = 50;
const FLUSHES = 20;

/** Looks at the folder of the configuration. Changes nothing, but writes a small file for a moment. */
export async function checkFolder(config: Config): Promise<Finding[]> {
  const folder = dataFolder(config);
  if ((await statOf(folder)) === undefined) return [];
  return [
    ...(process.platform === "win32" ? [] : await checkRights(config, folder)),
    ...(await checkLeftovers(filesFolder(folder))),
    ...(await checkInterruptedBackup(folder)),
    ...(await checkRoom(folder)),
    ...(await checkFlushes(folder)),
  ];
}

async function checkRights({ TLS_KEY }: Config, folder: string): Promise<Finding[]> {
  return [
    ...(await checkMode(folder, OTHERS, "Everybody on this machine may look into")),
    ...(TLS_KEY === undefined ? [] : await checkMode(TLS_KEY, OTHERS, "Everybody on this machine may read")),
    ...(await checkMode(join(folder, SECRET), GROUP_AND_OTHERS, "Other accounts of this machine may read")),
    ...(await checkOwners(folder)),
  ];
}

async function checkMode(path: string, forbidden: number, sentence: string): Promise<Finding[]> {
  const mode = (await statOf(path))?.mode ?? 0;
  if ((mode & forbidden) === 0) return [];
  const right = mode & 0o777 & ~forbidden;
  const octal = right.toString(8);
  const found = `${sentence} ${path}: run chmod ${octal} on it.`;
  if (await isLink(path)) return [{ sentence: found }];
  return [
    {
      sentence: found,
      fix: { done: `${path} has the mode ${octal} now.`, run: () => chmod(path, right) },
    },
  ];
}

/** A command that root ran may have left files that the server cannot open. */
async function checkOwners(folder: string): Promise<Finding[]> {
  const owner = await statOf(folder);
  if (owner === undefined) return [];
  const findings: Finding[] = [];
  for (const name of OWNED) {
    const path = join(folder, name);
    findings.push(...(await checkContents(path, owner)));
    const stats = await statOf(path);
    if (stats === undefined || stats.uid === owner.uid) continue;
    const sentence = `${path} belongs to another account than DATA_DIR, so the server may be unable to use it: run chown ${owner.uid}:${owner.gid} on it.`;
    const done = `${path} belongs to the account of DATA_DIR now.`;
    if (await isLink(path)) findings.push({ sentence });
    else findings.push({ sentence, fix: { done, run: () => chown(path, owner.uid, owner.gid) } });
  }
  return findings;
}

/** The server cannot delete a file from a folder of another account. */
async function checkContents(folder: string, { uid, gid }: Stats): Promise<Finding[]> {
  const paths: string[] = [];
  for await (const { path, stats } of entriesIn(folder)) if (stats.uid !== uid) paths.push(path);
  if (paths.length === 0) return [];
  const what =
    paths.length === 1
      ? `1 file or folder in ${folder} belongs`
      : `${paths.length} files and folders in ${folder} belong`;
  const run = async () => {
    for (const path of paths) await undefinedIfMissing(lchown(path, uid, gid));
  };
  return [
    {
      sentence: `${what} to another account than DATA_DIR, so the server may be unable to delete what is there: run chown -R ${uid}:${gid} on ${folder}.`,
      fix: { done: `${what} to the account of DATA_DIR now.`, run },
    },
  ];
}

/** Everything in a folder and its folders, but nothing behind a link, and nothing in a folder that this account may not read. */
async function* entriesIn(folder: string): AsyncGenerator<{ path: string; stats: Stats }> {
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    const stats = await statOf(path, lstat);
    if (stats === undefined) continue;
    yield { path, stats };
    if (stats.isDirectory()) yield* entriesIn(path);
  }
}

async function namesIn(folder: string): Promise<string[]> {
  if (await isLink(folder)) return [];
  try {
    return (await undefinedIfMissing(readdir(folder))) ?? [];
  } catch (error) {
    // That it belongs to another account is found anyway.
    if (error instanceof Error && "code" in error && error.code === "EACCES") return [];
    throw error;
  }
}

/** Uploads that a server left when it died. */
async function checkLeftovers(files: string): Promise<Finding[]> {
  const folder = join(files, INCOMING_FOLDER);
  if ((await statOf(folder)) === undefined) return [];
  const paths: string[] = [];
  for (const name of await readdir(folder)) {
    const stats = await statOf(join(folder, name));
    if (stats !== undefined && Date.now() - stats.mtimeMs > STALE_MS) paths.push(join(folder, name));
  }
  if (paths.length === 0) return [];
  const what = `${paths.length} unfinished ${paths.length === 1 ? "upload" : "uploads"} in ${folder}`;
  const run = async () => {
    for (const path of paths) await rm(path, { force: true });
  };
  return [
    {
      sentence: `Left over: ${what}, older than a day. Restart the server, which removes them.`,
      fix: { done: `Removed ${what}.`, run },
    },
  ];
}

/** The copy of the database that a backup left when it died. */
async function checkInterruptedBackup(dataDir: string): Promise<Finding[]> {
  const { lock, folder } = backupPaths(dataDir);
  const stats = await statOf(folder);
  if (stats === undefined || Date.now() - stats.mtimeMs <= STALE_MS) return [];
  // A backup of a large installation may take longer than a day.
  try {
    if (!(await withLock(lock, async () => undefined))) return [];
  } catch (error) {
    if (!(error instanceof StoreUnusableError)) throw error;
    return [{ sentence: error.message }];
  }
  const run = async () => {
    const isRemoved = await withLock(lock, () => rm(folder, { recursive: true, force: true }));
    if (!isRemoved) throw new Error("a backup has begun");
  };
  return [
    {
      sentence: `Left over: ${folder} of an interrupted backup, older than a day. The next backup removes it.`,
      fix: { done: `Removed ${folder}.`, run },
    },
  ];
}

/** False if another process has the lock. */
async function withLock(path: string, work: () => Promise<void>): Promise<boolean> {
  const lock = lockFile(path);
  if (lock === undefined) return false;
  try {
    await work();
    return true;
  } finally {
    lock.close();
  }
}

async function checkRoom(folder: string): Promise<Finding[]> {
  const { bavail, bsize, files, ffree } = await statfs(folder);
  const free = bavail * bsize;
  const findings: Finding[] = [];
  if (free < FREE_MIN_BYTES)
    findings.push({
      sentence: `The disk of DATA_DIR has ${Math.floor(free / 1_048_576)} MiB left: make room, or messages and uploads are soon refused.`,
    });
  // Some file systems have no limit, and tell none.
  if (files > 0 && ffree < FREE_MIN_FILES)
    findings.push({
      sentence: `The disk of DATA_DIR takes only ${ffree} more files: delete some that are not needed.`,
    });
  return findings;
}

async function checkFlushes(folder: string): Promise<Finding[]> {
  const path = join(folder, `doctor-${process.pid}.tmp`);
  try {
    const fastest = await fastestFlush(path);
    return flushProblems(fastest).map((sentence) => ({ sentence }));
  } catch (error) {
    return [
      { sentence: `Nothing can be written to DATA_DIR (${reasonOf(error)}): check its rights and its disk.` },
    ];
  } finally {
    await rm(path, { force: true });
  }
}

/** How long the fastest of several flushes took, ms. */
async function fastestFlush(path: string): Promise<number> {
  const file = await open(path, "wx", 0o600);
  try {
    let fastest = Infinity;
    for (let n = 0; n < FLUSHES && fastest > FLUSH_MAX_MS; n++) {
      await file.write(Buffer.alloc(4_096, n), 0, 4_096, 0);
      const start = performance.now();
      await file.sync();
      fastest = Math.min(fastest, performance.now() - start);
    }
    return fastest;
  } finally {
    await file.close();
  }
}

/**
 * The problems of a disk whose fastest flush takes this time.
 * @internal
 */
export function flushProblems(fastestMs: number): string[] {
  if (fastestMs <= FLUSH_MAX_MS) return [];
  return [
    `The disk of DATA_DIR takes ${Math.round(fastestMs)} ms to store something for good, and so does each message: use a local SSD.`,
  ];
}

/** Root must not change what a link leads to, because the account of the server may have made the link. */
async function isLink(path: string): Promise<boolean> {
  return (await statOf(path, lstat))?.isSymbolicLink() === true;
}

async function statOf(path: string, read: typeof stat | typeof lstat = stat): Promise<Stats | undefined> {
  return undefinedIfMissing(read(path));
}

async function undefinedIfMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}
