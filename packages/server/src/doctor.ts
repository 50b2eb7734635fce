/** `npm run admin -- doctor`: checks the data folder and the storage of files without changing them, also while a server is running. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { type IntegrityFile, type IntegrityReport, checkIntegrity } from "./adapters/store/integrity.ts";
import { type Config, dataFolder, storeUrl } from "./config.ts";
import { secretPath } from "./data-folders.ts";
import { existingBlobs } from "./existing-blobs.ts";
import { checkNightlyBackups } from "./nightly-backup.ts";
import { fileKeyOf, fileUrlOf } from "./modules/uploads/file-urls.ts";
import type { Blobs } from "./ports/blobs.ts";
import { StoreUnavailableError } from "./ports/store-unavailable-error.ts";

const LINES_MAX = 20;
const SECRET_MIN_LENGTH = 32;

/** Checks the data folder and the storage of files. Returns what is wrong, one sentence each; empty if all is well. */
export async function runDoctor(config: Config): Promise<string[]> {
  const dataDir = dataFolder(config);
  const blobs = existingBlobs(config);
  const secrets = config.SECRET === undefined ? checkSecret(dataDir) : [];
  const unstorable = await checkStorage(blobs);
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

/** Whether files can be stored. */
async function checkStorage(blobs: Blobs): Promise<string[]> {
  try {
    await blobs.probe();
    return [];
  } catch (error) {
    return [`Files cannot be stored: ${error instanceof Error ? error.message : String(error)}.`];
  }
}

async function checkStoreAndFiles(config: Config, blobs: Blobs): Promise<string[]> {
  // Listed before the rows are read: an upload writes its row first, so every blob of the list has one.
  const listed: string[] = [];
  for await (const { key } of blobs.list()) listed.push(fileUrlOf(key));
  const { problems, files } = await checkStore(config);
  // A damaged database may have lost rows, so that a file without one proves nothing.
  const fileProblems = await checkFiles(blobs, files, problems.length > 0 ? [] : listed);
  const sentences = [...(await confirm(fileProblems, blobs, config)).values()];
  const more =
    sentences.length > LINES_MAX
      ? [`${sentences.length - LINES_MAX} more files are gone, changed or unknown.`]
      : [];
  return [...problems, ...sentences.slice(0, LINES_MAX), ...more];
}

/** Checks what the server uses and what holds no data. Returns what is wrong, one sentence each. */
export async function checkServices({ REDIS_URL, BACKUP }: Config): Promise<string[]> {
  const backups = BACKUP === undefined ? [] : checkNightlyBackups(BACKUP, Date.now());
  if (REDIS_URL === undefined) return backups;
  const { checkRedis } = await import("./adapters/redis/check-redis.ts");
  return [...backups, ...(await checkRedis(REDIS_URL))];
}

async function checkStore(config: Config): Promise<IntegrityReport> {
  if (config.DATABASE_URL === undefined) return checkIntegrity(storeUrl(config));
  const { checkPostgresIntegrity } = await import("./adapters/store/postgres-integrity.ts");
  return checkPostgresIntegrity(config.DATABASE_URL);
}

/** What is wrong with files, by their urls. */
type FileProblems = ReadonlyMap<string, string>;

async function checkFiles(
  blobs: Blobs,
  files: readonly IntegrityFile[],
  listed: readonly string[],
): Promise<FileProblems> {
  const problems = new Map<string, string>();
  for (const file of files) {
    // A file that nothing names may still be uploading, or was lost with its upload.
    if (!file.isNamed) continue;
    const problem = await checkFile(blobs, file);
    if (problem !== undefined) problems.set(file.url, problem);
  }
  const known = new Set(files.map(({ url }) => url));
  for (const url of listed) {
    if (!known.has(url)) problems.set(url, `The database does not know the file ${url}.`);
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

/** Leaves out what a running server has meanwhile put right, such as a file that was deleted between two looks. */
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
    return [`The secret ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}.`];
  }
}
