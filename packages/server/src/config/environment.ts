/** What the server sets up from its environment at the start: folders, keys, the log. */
import { randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import type { IncomingMessage } from "node:http";
import { dirname } from "node:path";
import { createSecureContext } from "node:tls";
import { type DestinationStream, type Logger, pino } from "pino";
import { plainAddress } from "../api/network-of.ts";
import { type Config, ConfigError } from "./config.ts";
import { restoringFolder, secretPath } from "./data-folders.ts";

const SECRET_BYTES = 48;
const NODE_NAME_BYTES = 4;
const SECRET_MIN_LENGTH = 32;
/** Maximum number of log characters that are buffered while the disk does not accept them. */
const LOG_BUFFER_MAX = 1_000_000;
/** The origin of the pages in the desktop wrapper. */
const WRAPPER_ORIGIN = "app://parley";

/** The name of this server, which tells its log and its answers from those of other nodes. */
export function nodeNameOf(config: Config): string {
  return config.NODE_NAME ?? randomBytes(NODE_NAME_BYTES).toString("hex");
}

/** Creates the log, which redacts secrets and texts of messages. Every line names the node, if there is one. */
export function createLog(config: Config, to: DestinationStream | undefined, node?: string): Logger {
  const secrets = ["accessToken", "refreshToken", "password", "content"];
  const options = {
    level: config.LOG_LEVEL,
    base: node === undefined ? null : { node },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      // `busboyOptions` has the headers of an upload, which the multipart library logs at trace level.
      paths: [...secrets, ...secrets.map((name) => `*.${name}`), "busboyOptions"],
      censor: "[redacted]",
    },
    serializers: {
      // Only method and path of a request are logged, because queries and headers may be private.
      req: (request: { method?: string; url?: string }) => ({
        method: request.method,
        path: request.url?.split("?", 1)[0],
      }),
    },
  };
  return pino(options, to ?? standardOutput());
}

/** Standard output that ignores write errors: with a full disk, log lines are lost, but the server keeps running. */
function standardOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: true, maxLength: LOG_BUFFER_MAX });
  output.on("error", () => {});
  return output;
}

/** Creates the folder if it is missing. Throws a `ConfigError` if that fails. */
export function makeFolder(folder: string): void {
  try {
    makeFolders(folder);
  } catch (error) {
    throw new ConfigError(`DATA_DIR ${folder} cannot be made: ${reasonOf(error)}.`);
  }
}

/** Creates DATA_DIR if it is missing. Throws a `ConfigError` if that fails, or if a restore into it was interrupted. */
export function openDataFolder(dataDir: string): void {
  makeFolder(dataDir);
  if (!isFolder(restoringFolder(dataDir))) return;
  throw new ConfigError(
    `A backup is being restored into ${dataDir}, or that was interrupted; run \`npm run admin -- restore <file>\` again.`,
  );
}

/** Creates each missing folder separately, because Node's recursive mkdir never returns below /proc, where nothing can be created. */
function makeFolders(folder: string): void {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolders(parent);
  try {
    // The folder contains messages and password hashes.
    mkdirSync(folder, { mode: 0o700 });
    syncFolder(parent);
  } catch (error) {
    // Another process may have created it since, or the parent folder may be writable but not readable.
    if (!isFolder(folder)) throw error;
  }
}

/** A new entry survives a power cut only if its folder was synced. */
export function syncFolder(folder: string): void {
  // Windows cannot open folders, and its file system keeps the order of changes by itself.
  if (process.platform === "win32") return;
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Reads the certificate and its key; undefined if none are configured. */
export function readTls(config: Config): { cert: Buffer; key: Buffer } | undefined {
  if (config.TLS_CERT === undefined || config.TLS_KEY === undefined) return undefined;
  const read = (name: string, path: string) => {
    try {
      return readFileSync(path);
    } catch (error) {
      throw new ConfigError(`${name} ${path} cannot be read: ${reasonOf(error)}.`);
    }
  };
  const tls = { cert: read("TLS_CERT", config.TLS_CERT), key: read("TLS_KEY", config.TLS_KEY) };
  try {
    createSecureContext(tls);
  } catch (error) {
    throw new ConfigError(`TLS_CERT and TLS_KEY cannot be used: ${reasonOf(error)}.`);
  }
  return tls;
}

/** Reads the secret that signs tokens. It is created once, so that tokens survive a restart. */
export function loadSecret(dataDir: string): string {
  const path = secretPath(dataDir);
  try {
    const newSecret = randomBytes(SECRET_BYTES).toString("base64url");
    try {
      writeFileSync(path, newSecret, { mode: 0o600, flag: "wx", flush: true });
      syncFolder(dataDir);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const secret = readFileSync(path, "utf8").trim();
    if (secret.length < SECRET_MIN_LENGTH)
      throw new Error("it is too short; delete it to have a new one made");
    return secret;
  } catch (error) {
    throw new ConfigError(`The secret ${path} cannot be used: ${reasonOf(error)}.`);
  }
}

/** Returns a check whether pages of an origin, other than the server's own, may call and connect. */
export function createOriginCheck(config: Config): (origin: string) => boolean {
  const allowed = new Set([...config.CORS_ORIGINS, WRAPPER_ORIGIN]);
  if (config.PUBLIC_URL !== undefined) allowed.add(config.PUBLIC_URL);
  return (origin) => allowed.has(origin);
}

/** Whether an origin has the host that the request was sent to. */
export function isSameHost(origin: string, host: string | undefined): boolean {
  try {
    return host !== undefined && new URL(origin).host === host.toLowerCase();
  } catch {
    return false;
  }
}

/**
 * Returns a function that finds the address of a socket's client; for HTTP calls the HTTP library does it with the same setting. Each proxy
 * appends the address that called it, so the trusted entries are counted from the end. Everything before them may be forged by the client.
 */
export function createAddressResolver(config: Config): (request: IncomingMessage) => string {
  return ({ socket, headers }) => {
    const direct = socket.remoteAddress ?? "";
    const forwarded = headers["x-forwarded-for"];
    if (config.TRUST_PROXY === 0 || typeof forwarded !== "string") return plainAddress(direct);
    const addresses = forwarded.split(",").map((address) => address.trim());
    return plainAddress(addresses[Math.max(0, addresses.length - config.TRUST_PROXY)] || direct);
  };
}

/** How much room is on the file system of a folder, in bytes; undefined if it cannot be asked. */
export function fileSystemOf(folder: string): { free: number; size: number } | undefined {
  try {
    const { bavail, blocks, bsize } = statfsSync(folder);
    return { free: bavail * bsize, size: blocks * bsize };
  } catch {
    return undefined;
  }
}

/** The URL that a person opens in a browser, on this machine unless PUBLIC_URL is set. */
export function serverUrlOf(config: Config, port: number): string {
  if (config.PUBLIC_URL !== undefined) return config.PUBLIC_URL;
  const scheme = config.TLS_CERT === undefined ? "http" : "https";
  const isLocal = ["0.0.0.0", "::", "127.0.0.1", "localhost"].includes(config.HOST);
  const host = isLocal ? "localhost" : config.HOST.includes(":") ? `[${config.HOST}]` : config.HOST;
  return `${scheme}://${host}:${port}`;
}

/** The message of an error of any type. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
