/** What the server takes from its surroundings when it starts: folders, keys, the log. */
import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, statSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { dirname, join } from "node:path";
import { createSecureContext } from "node:tls";
import { type DestinationStream, type Logger, pino } from "pino";
import { type Config, ConfigError } from "./config.ts";

const SECRET_BYTES = 48;
const SECRET_MIN_LENGTH = 32;
/** Characters of the log that wait for a disk that takes them. */
const LOG_BUFFER_MAX = 1_000_000;
/** The desktop wrapper's pages. */
const WRAPPER_ORIGIN = "app://parley";

export function createLog(config: Config, to: DestinationStream | undefined): Logger {
  const secrets = ["accessToken", "refreshToken", "password", "content"];
  const options = {
    level: config.LOG_LEVEL,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      // The last: headers of an upload, which the multipart library writes at the level of traces.
      paths: [...secrets, ...secrets.map((name) => `*.${name}`), "busboyOptions"],
      censor: "[redacted]",
    },
    serializers: {
      // A request is told by its method and path: queries and headers may hold what is nobody's business.
      req: (request: { method?: string; url?: string }) => ({
        method: request.method,
        path: request.url?.split("?", 1)[0],
      }),
    },
  };
  return pino(options, to ?? standardOutput());
}

/** A log that cannot be written, such as to a full disk, ends nothing: its lines are lost until it can be again. */
function standardOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: true, maxLength: LOG_BUFFER_MAX });
  output.on("error", () => {});
  return output;
}

export function makeFolder(folder: string): void {
  try {
    makeFolders(folder);
  } catch (error) {
    throw new ConfigError(`DATA_DIR ${folder} cannot be made: ${reasonOf(error)}.`);
  }
}

/** Each missing folder by itself: what Node does in one call never ends where nothing can be made, such as below /proc. */
function makeFolders(folder: string): void {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolders(parent);
  try {
    // Messages and password hashes lie there.
    mkdirSync(folder, { mode: 0o700 });
    syncFolder(parent);
  } catch (error) {
    // Another process may have made it meanwhile, or the folder around it may be written but not opened.
    if (!isFolder(folder)) throw error;
  }
}

/** A new name survives a power cut only when the folder that holds it was synced. */
function syncFolder(folder: string): void {
  // Windows cannot open folders; its file system keeps the order by itself.
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

/** Made once, so that tokens survive a restart. */
export function loadSecret(dataDir: string): string {
  const path = join(dataDir, "secret");
  try {
    const fresh = randomBytes(SECRET_BYTES).toString("base64url");
    try {
      writeFileSync(path, fresh, { mode: 0o600, flag: "wx", flush: true });
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

/** Origins beside the server's own whose pages may call and connect. */
export function createOriginCheck(config: Config): (origin: string) => boolean {
  const allowed = new Set([...config.CORS_ORIGINS, WRAPPER_ORIGIN]);
  if (config.PUBLIC_URL !== undefined) allowed.add(config.PUBLIC_URL);
  return (origin) => allowed.has(origin);
}

export function isSameHost(origin: string, host: string | undefined): boolean {
  try {
    return host !== undefined && new URL(origin).host === host.toLowerCase();
  } catch {
    return false;
  }
}

/**
 * Where a socket comes from; HTTP calls are told by the HTTP library, by the same setting. Each proxy adds the address it was called from
 * at the end, so one counts from there: what stands further in front is what the caller says of itself.
 */
export function createAddressResolver(config: Config): (request: IncomingMessage) => string {
  return ({ socket, headers }) => {
    const direct = socket.remoteAddress ?? "";
    const forwarded = headers["x-forwarded-for"];
    if (config.TRUST_PROXY === 0 || typeof forwarded !== "string") return direct;
    const told = forwarded.split(",").map((address) => address.trim());
    return told[Math.max(0, told.length - config.TRUST_PROXY)] || direct;
  };
}

/** What a person opens in a browser on this machine. */
export function serverUrlOf(config: Config, port: number): string {
  if (config.PUBLIC_URL !== undefined) return config.PUBLIC_URL;
  const scheme = config.TLS_CERT === undefined ? "http" : "https";
  const isLocal = ["0.0.0.0", "::", "127.0.0.1", "localhost"].includes(config.HOST);
  const host = isLocal ? "localhost" : config.HOST.includes(":") ? `[${config.HOST}]` : config.HOST;
  return `${scheme}://${host}:${port}`;
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
