/**
 * `npm run admin -- doctor`: checks the data folder, the storage of files, and what the server uses, without changing them, also while a server is
 * running.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { type Finding, findingSentence } from "@parley/protocol/findings";
import { type IntegrityFile, type IntegrityReport, checkIntegrity } from "../adapters/store/integrity.ts";
import { postgresMessagesAheadMs, sqliteMessagesAheadMs } from "../adapters/store/newest-message-time.ts";
import { type Config, dataFolder, s3SettingsOf, storeUrl } from "../config/config.ts";
import { filesFolder, secretPath } from "../config/data-folders.ts";
import { clockFindings, watchClock } from "./check-clock.ts";
import { checkFolder } from "./check-folder.ts";
import { checkIce } from "./check-ice.ts";
import { checkPublicUrl } from "./check-public-url.ts";
import { reasonOf } from "../config/environment.ts";
import { existingBlobs } from "../config/existing-blobs.ts";
import { futureSentence } from "./message-clock.ts";
import { checkNightlyBackups } from "../backup/nightly-backup.ts";
import { fileKeyOf, fileUrlOf } from "../modules/uploads/file-urls.ts";
import type { Blobs } from "../ports/blobs.ts";
import { StoreUnavailableError } from "../ports/store-unavailable-error.ts";

const LINES_MAX = 20;
const SECRET_MIN_LENGTH = 32;
/** The folder of DATA_DIR for files that the database does not know. */
const UNKNOWN_FOLDER = "unknown-files";

/** Checks the data folder and the storage of files. Returns what is wrong, one sentence each; empty if all is well. */
export async function runDoctor(config: Config): Promise<string[]> {
  const dataDir = dataFolder(config);
  const blobs = await existingBlobs(config);
  const secrets = config.SECRET === undefined ? checkSecret(dataDir) : [];
  const hint =
    s3SettingsOf(config) === undefined
      ? `the rights of ${filesFolder(dataDir)}`
      : "S3_ENDPOINT, S3_BUCKET and the key";
  const unstorable = await checkStorage(blobs, hint);
  try {
    return [...unstorable, ...(await checkStoreAndFiles(config, blobs)), ...secrets];
  } catch (error) {
    if (!(error instanceof StoreUnavailableError) || error.reason !== "files") throw error;
    // Without the files, the database can still be checked.
    const { problems } = await checkStore(config);
    return [...unstorable, ...problems, `Files were not checked: ${error.message}.`, ...secrets];
  } finally {
    await blobs.close();
  }
}

/** Whether files can be stored. `hint`: what to check if not. */
async function checkStorage(blobs: Blobs, hint: string): Promise<string[]> {
  try {
    await blobs.probe();
    return [];
  } catch (error) {
    return [`Files cannot be stored: ${reasonOf(error)}; check ${hint}.`];
  }
}

async function checkStoreAndFiles(config: Config, blobs: Blobs): Promise<string[]> {
  const { problems, files } = await findInStoreAndFiles(config, blobs);
  const sentences = [...files.values()].map(({ sentence }) => sentence);
  const more =
    sentences.length > LINES_MAX
      ? [`${sentences.length - LINES_MAX} more files are gone, changed or unknown.`]
      : [];
  return [...problems, ...sentences.slice(0, LINES_MAX), ...more];
}

async function findInStoreAndFiles(
  config: Config,
  blobs: Blobs,
): Promise<{ problems: string[]; files: FileProblems; knownFiles: number }> {
  // Listed before the rows are read: an upload writes its row first, so every blob of the list has one.
  const listed: string[] = [];
  for await (const { key } of blobs.list()) listed.push(fileUrlOf(key));
  const { problems, files } = await checkStore(config);
  // A damaged database may have lost rows, so that a file without one proves nothing.
  const fileProblems = await checkFiles(blobs, files, problems.length > 0 ? [] : listed);
  return { problems, files: await confirm(fileProblems, blobs, config), knownFiles: files.length };
}

/** Does what is safe, also beside a running server. Returns what was done and what failed, one sentence each. */
export async function fixWhatIsSafe(config: Config): Promise<string[]> {
  const lines: string[] = [];
  for (const { sentence, fix } of await checkFolder(config)) {
    if (fix === undefined) continue;
    try {
      await fix.run();
      lines.push(`Fixed: ${fix.done}`);
    } catch (error) {
      lines.push(`Not fixed (${reasonOf(error)}): ${sentence}`);
    }
  }
  return [...lines, ...(await moveUnknownFiles(config))];
}

/**
 * Moves files that the database does not know out of the way. They are not deleted, because the database may be the wrong one: if it knows no
 * file at all, nothing is moved. What a bucket holds is left alone, because others may use the bucket.
 */
async function moveUnknownFiles(config: Config): Promise<string[]> {
  if (s3SettingsOf(config) !== undefined) return [];
  const dataDir = dataFolder(config);
  const folder = filesFolder(dataDir);
  const blobs = await existingBlobs(config);
  const { problems, files, knownFiles } = await findInStoreAndFiles(config, blobs).finally(() =>
    blobs.close(),
  );
  const keys = [...files].filter(([, { isUnknown }]) => isUnknown).map(([url]) => fileKeyOf(url));
  if (keys.length === 0 || problems.length > 0) return [];
  if (knownFiles === 0)
    return ["Not fixed: the database knows no file at all, so it may be the wrong one; nothing was moved."];
  const unknownFolder = join(dataDir, UNKNOWN_FOLDER);
  const nameOf = (count: number) => (count === 1 ? "1 file" : `${count} files`);
  let moved = 0;
  const lines: string[] = [];
  try {
    for (const key of keys) {
      const target = join(unknownFolder, key);
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await rename(join(folder, key), target);
      moved += 1;
    }
  } catch (error) {
    // Such as a folder of files that is a file system of its own.
    lines.push(
      `Not fixed (${reasonOf(error)}): ${nameOf(keys.length - moved)} that the database does not know could not be moved to ${unknownFolder}.`,
    );
  }
  if (moved > 0)
    lines.unshift(
      `Fixed: ${nameOf(moved)} that the database does not know moved to ${unknownFolder}; delete what nobody misses.`,
    );
  return lines;
}

/**
 * Checks what the server uses: the disk, the clocks, PostgreSQL, Redis, TURN servers, and the way through the proxy. Returns what is wrong, one
 * sentence each.
 */
export async function checkServices(config: Config): Promise<string[]> {
  const wasClockSet = watchClock();
  const [folder, database, redis, ice, publicUrl] = await Promise.all([
    checkFolder(config),
    askPostgres(config),
    askRedis(config),
    checkIce(config),
    checkPublicUrl(config),
  ]);
  return [
    ...folder.map(({ sentence }) => sentence),
    ...(config.BACKUP === undefined ? [] : checkNightlyBackups(config.BACKUP, Date.now())),
    ...database,
    ...redis.map(findingSentence),
    ...ice,
    ...publicUrl,
    ...(await askMessageTimes(config)),
    ...wasClockSet(),
  ];
}

/** Whether messages lie in the future. That a database cannot be read is said by others: `askPostgres` and `runDoctor`. */
async function askMessageTimes(config: Config): Promise<string[]> {
  try {
    const aheadMs =
      config.DATABASE_URL === undefined
        ? sqliteMessagesAheadMs(storeUrl(config), Date.now())
        : await postgresMessagesAheadMs(config.DATABASE_URL);
    const sentence = futureSentence(aheadMs);
    return sentence === undefined ? [] : [sentence];
  } catch {
    return [];
  }
}

async function askPostgres({ DATABASE_URL }: Config): Promise<string[]> {
  if (DATABASE_URL === undefined) return [];
  const { checkPostgres } = await import("../adapters/store/check-postgres.ts");
  const { problems, clock } = await checkPostgres(DATABASE_URL);
  return [...problems, ...clockFindings("PostgreSQL", clock).map(findingSentence)];
}

/** Checks Redis alone. Returns what is wrong; empty without REDIS_URL. */
export async function askRedis({ REDIS_URL }: Config): Promise<Finding[]> {
  if (REDIS_URL === undefined) return [];
  const { checkRedis } = await import("../adapters/redis/check-redis.ts");
  const { problems, clock } = await checkRedis(REDIS_URL);
  return [...problems, ...clockFindings("Redis", clock)];
}

async function checkStore(config: Config): Promise<IntegrityReport> {
  if (config.DATABASE_URL === undefined) return checkIntegrity(storeUrl(config));
  const { checkPostgresIntegrity } = await import("../adapters/store/postgres-integrity.ts");
  return checkPostgresIntegrity(config.DATABASE_URL);
}

/** The problems of files, by their urls. `isUnknown`: the database does not know the file. */
type FileProblems = ReadonlyMap<string, { sentence: string; isUnknown: boolean }>;

async function checkFiles(
  blobs: Blobs,
  files: readonly IntegrityFile[],
  listed: readonly string[],
): Promise<FileProblems> {
  const problems = new Map<string, { sentence: string; isUnknown: boolean }>();
  for (const file of files) {
    // A file that nothing names may still be uploading, or was lost with its upload.
    if (!file.isNamed) continue;
    const sentence = await checkFile(blobs, file);
    if (sentence !== undefined) problems.set(file.url, { sentence, isUnknown: false });
  }
  const known = new Set(files.map(({ url }) => url));
  for (const url of listed) {
    const sentence = `The database does not know the file ${url}.`;
    if (!known.has(url)) problems.set(url, { sentence, isUnknown: true });
  }
  return problems;
}

async function checkFile(blobs: Blobs, { url, bytes, sha256 }: IntegrityFile): Promise<string | undefined> {
  const key = fileKeyOf(url);
  const size = (await blobs.stat(key))?.size;
  if (size === undefined) return `The file ${url} is gone.`;
  if (size !== bytes) return `The file ${url} has ${size} of ${bytes} bytes.`;
  if (sha256 === null) return undefined;
  const hash = createHash("sha256");
  const data = await blobs.read(key);
  if (data === undefined) return `The file ${url} is gone.`;
  await pipeline(data, hash);
  return hash.digest("hex") === sha256 ? undefined : `The file ${url} was changed: its SHA-256 is another.`;
}

/** Leaves out what a running server has put right since, such as a file that was deleted between two looks. */
async function confirm(problems: FileProblems, blobs: Blobs, config: Config): Promise<FileProblems> {
  if (problems.size === 0) return problems;
  const { files, problems: damages } = await checkStore(config);
  if (damages.length > 0) return problems;
  const rows = files.filter(({ url }) => problems.has(url));
  const isStored = async (url: string) => (await blobs.stat(fileKeyOf(url))) !== undefined;
  const stillListed: string[] = [];
  for (const url of problems.keys()) if (await isStored(url)) stillListed.push(url);
  return checkFiles(blobs, rows, stillListed);
}

function checkSecret(dataDir: string): string[] {
  const path = secretPath(dataDir);
  try {
    const isLong = readFileSync(path, "utf8").trim().length >= SECRET_MIN_LENGTH;
    return isLong ? [] : [`The secret ${path} is cut.`];
  } catch (error) {
    return [`The secret ${path} cannot be read: ${reasonOf(error)}.`];
  }
}
