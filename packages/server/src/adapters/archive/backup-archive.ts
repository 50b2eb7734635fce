/**
 * The format of a backup: a tar archive, optionally encrypted with a passphrase in the format of age (https://age-encryption.org), so that the
 * programs `tar`, `age` and `sha256sum` can read it without Parley. The first part is `manifest.json`, the last `SHA256SUMS`, which names every
 * other part with its SHA-256. Nothing is held in memory as a whole.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { Decrypter, Encrypter } from "age-encryption";
import tar, { type Pack } from "tar-stream";
import * as z from "zod/mini";
import { writePaced } from "./paced-file.ts";

const FORMAT = 1;
const MANIFEST = "manifest.json";
const SUMS = "SHA256SUMS";
/** What an encrypted archive begins with. */
const AGE_HEADER = "age-encryption.org/v1\n";
const MANIFEST_MAX_BYTES = 100_000;
const READ_BUFFER_BYTES = 1_048_576;

const manifestSchema = z.object({
  format: z.number(),
  /** Version of the program that made the backup. */
  version: z.string(),
  /** ISO 8601, UTC. */
  createdAt: z.string(),
  /** What the archive holds: an SQLite database and its files, or only files. */
  kind: z.enum(["everything", "files"]),
  /** The epoch of the database; null without one. */
  epoch: z.nullable(z.string()),
  counts: z.nullable(z.object({ people: z.number(), messages: z.number(), files: z.number() })),
});

/** What a backup says about itself. */
export type BackupManifest = Omit<z.output<typeof manifestSchema>, "format">;

/** A backup cannot be made or restored. The message is one sentence for the operator. */
export class BackupError extends Error {
  override name = "BackupError";
}

/** How an archive is protected. */
export interface ArchiveKey {
  /** Undefined: not encrypted. */
  passphrase: string | undefined;
  /** Base-2 logarithm of the cost to try one passphrase; undefined: about a second. */
  workFactor?: number | undefined;
}

/** An archive that is being written. */
export interface ArchiveWriter {
  /** Adds a part. The stream must have exactly `size` bytes. Returns their SHA-256 in hexadecimal. */
  add(name: string, size: number, data: Readable): Promise<string>;
}

/**
 * Writes an archive. It gets its name when it is complete and on the disk; until then it is `<path>.part`, which is removed when `fill` fails.
 * `sumsPath` is a temporary file of the caller. Returns the size in bytes. Only the owner may read the archive.
 */
export async function writeArchive(
  path: string,
  { passphrase, workFactor, sumsPath }: ArchiveKey & { sumsPath: string },
  manifest: BackupManifest,
  fill: (archive: ArchiveWriter) => Promise<void>,
): Promise<number> {
  const partial = `${path}.part`;
  // What an interrupted backup left may have another mode.
  await rm(partial, { force: true });
  const pack = tar.pack();
  const bytes = await encrypted(pack, { passphrase, workFactor });
  const writing = writePaced(partial, bytes);
  const filling = addParts(pack, sumsPath, manifest, fill).catch((error: unknown) => {
    pack.destroy(error instanceof Error ? error : new Error(String(error)));
    throw error;
  });
  try {
    // A part waits for ever if nobody writes it.
    writing.catch(() => pack.destroy());
    const results = await Promise.allSettled([writing, filling]);
    for (const result of results) if (result.status === "rejected") throw result.reason;
    await rename(partial, path);
    await syncFolder(dirname(path));
    return await writing;
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** The bytes of the archive as they are written. */
async function encrypted(pack: Pack, { passphrase, workFactor }: ArchiveKey): Promise<Readable> {
  const plain = Readable.from(pack, { objectMode: false });
  if (passphrase === undefined) return plain;
  const encrypter = new Encrypter();
  if (workFactor !== undefined) encrypter.setScryptWorkFactor(workFactor);
  encrypter.setPassphrase(passphrase);
  return Readable.fromWeb(await encrypter.encrypt(webStreamOf(plain)));
}

async function addParts(
  pack: Pack,
  sumsPath: string,
  manifest: BackupManifest,
  fill: (archive: ArchiveWriter) => Promise<void>,
): Promise<void> {
  const sums = await open(sumsPath, "w+", 0o600);
  try {
    const text = Buffer.from(`${JSON.stringify({ format: FORMAT, ...manifest }, null, 2)}\n`);
    await addPart(pack, sums, MANIFEST, text.length, Readable.from([text]));
    await fill({ add: (name, size, data) => addPart(pack, sums, name, size, data) });
    const { size } = await sums.stat();
    await addEntry(pack, SUMS, size, sums.createReadStream({ start: 0, autoClose: false }));
    pack.finalize();
  } finally {
    await sums.close();
  }
}

async function addPart(
  pack: Pack,
  sums: FileHandle,
  name: string,
  size: number,
  data: Readable,
): Promise<string> {
  const sha256 = await addEntry(pack, name, size, data);
  await sums.write(sumLine(sha256, name));
  return sha256;
}

async function addEntry(pack: Pack, name: string, size: number, data: Readable): Promise<string> {
  const hash = createHash("sha256");
  const entry = pack.entry({ name, size, mode: 0o600, mtime: new Date(0) });
  await pipeline(data, hashing(hash), entry);
  return hash.digest("hex");
}

/** As `sha256sum` writes and checks it. */
function sumLine(sha256: string, name: string): string {
  return `${sha256}  ${name}\n`;
}

function hashing(hash: ReturnType<typeof createHash>) {
  return async function* (source: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      hash.update(chunk as Buffer);
      yield chunk as Buffer;
    }
  };
}

/** Takes a part. All of its bytes have to be read. */
export type PartReader = (name: string, data: Readable, manifest: BackupManifest) => Promise<void>;

/**
 * Reads a whole archive and gives each part between the first and the last to `onPart`. Resolves only if every part is the one that was
 * written and none is missing; otherwise throws `BackupError`, after parts that may be wrong have been given.
 */
export async function readArchive(
  path: string,
  { passphrase }: Pick<ArchiveKey, "passphrase">,
  onPart: PartReader,
): Promise<BackupManifest> {
  const source = await openArchive(path, passphrase);
  const extract = tar.extract();
  const reading = pipeline(source, extract);
  // The same error reaches the loop below.
  reading.catch(() => undefined);
  const sums = createHash("sha256");
  let manifest: BackupManifest | undefined;
  let isComplete = false;
  try {
    for await (const entry of extract) {
      const { name } = entry.header;
      if (entry.header.type !== "file" || isComplete) throw unusable(path);
      if (name === SUMS) {
        const hash = createHash("sha256");
        await pipeline(Readable.from(entry), hash);
        isComplete = hash.digest("hex") === sums.copy().digest("hex");
        if (!isComplete) throw unusable(path);
        continue;
      }
      const hash = createHash("sha256");
      const data = Readable.from(hashing(hash)(entry), { objectMode: false });
      if (manifest === undefined) manifest = await readManifest(path, entry.header, data);
      else await onPart(name, data, manifest);
      sums.update(sumLine(hash.digest("hex"), name));
    }
    await reading;
  } catch (error) {
    source.destroy();
    throw error instanceof BackupError || isSystemError(error) ? error : unusable(path, error);
  }
  if (manifest === undefined || !isComplete) throw unusable(path);
  return manifest;
}

async function openArchive(path: string, passphrase: string | undefined): Promise<Readable> {
  const start = Buffer.alloc(AGE_HEADER.length);
  const file = await open(path, "r");
  await file.read(start, 0, start.length, 0);
  await file.close();
  const isEncrypted = start.toString("latin1") === AGE_HEADER;
  // Somebody who can write to the folder of the backups could put an archive of their own there.
  if (!isEncrypted && (passphrase !== undefined || path.endsWith(".age"))) {
    throw new BackupError(
      `${path} is not encrypted, although ${passphrase === undefined ? "its name says so" : "a passphrase is given"}: somebody may have replaced it. If you trust it, restore it under a name without .age and without a passphrase.`,
    );
  }
  const stored = createReadStream(path, { highWaterMark: READ_BUFFER_BYTES });
  if (!isEncrypted) return stored;
  if (passphrase === undefined) {
    stored.destroy();
    throw new BackupError(
      `${path} is encrypted; give its passphrase with --passphrase-file or BACKUP_PASSPHRASE.`,
    );
  }
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  try {
    return Readable.fromWeb(await decrypter.decrypt(webStreamOf(stored)));
  } catch (error) {
    stored.destroy();
    throw new BackupError(`The passphrase of ${path} is wrong, or its beginning is damaged.`, {
      cause: error,
    });
  }
}

async function readManifest(
  path: string,
  { name, size = 0 }: { name: string; size?: number | undefined },
  data: Readable,
): Promise<BackupManifest> {
  if (name !== MANIFEST || size > MANIFEST_MAX_BYTES) throw unusable(path);
  const text = (await buffer(data)).toString();
  const parsed = manifestSchema.safeParse(JSON.parse(text));
  if (!parsed.success) throw unusable(path, parsed.error);
  const { format, ...manifest } = parsed.data;
  if (format !== FORMAT) {
    throw new BackupError(
      `${path} was made by another version of Parley (${manifest.version}); restore it with that one.`,
    );
  }
  return manifest;
}

function unusable(path: string, cause?: unknown): BackupError {
  return new BackupError(`${path} is no complete backup of Parley: it was cut, changed or damaged.`, {
    cause,
  });
}

/** An error of the operating system, such as a disk that is full, says nothing of the archive. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && ("syscall" in error || error.name === "StoreUnavailableError");
}

/** A renamed file survives a power cut only if its folder was synced too. */
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

function webStreamOf(stream: Readable): ReadableStream<Uint8Array> {
  return Readable.toWeb(stream) as ReadableStream<Uint8Array>;
}
