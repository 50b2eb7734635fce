/**
 * Configuration by environment variables. One table has the name, default, meaning and schema of each; a test compares
 * docs/configuration.md with it.
 */
import { resolve } from "node:path";
import * as z from "zod/mini";
import type { S3Settings } from "../adapters/blobs/s3-requests.ts";
import {
  DEFAULT_RATE_LIMITS,
  type RateLimits,
  readRateLimits,
} from "../adapters/rate-limiter/rate-limits.ts";
import { isPostgresUrl } from "../adapters/store/store-url.ts";
import { JoinMode } from "@parley/protocol/codes";
import { isEmail } from "@parley/protocol/fields";
import { TEXT_MAX_DEFAULT, TEXT_MAX_HIGHEST } from "@parley/protocol/limits";
import { LANGUAGES } from "../api/language.ts";
import { databasePath } from "./data-folders.ts";

/** An environment variable for the documentation. */
export interface Variable {
  name: string;
  /** As docs/configuration.md shows it. */
  default: string;
  meaning: string;
}

const text = z.string();
const flag = z.pipe(
  z.enum(["on", "off", "true", "false", "1", "0"], { error: "must be on or off" }),
  z.transform((value) => value === "on" || value === "true" || value === "1"),
);
const whole = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.pipe(
    z.pipe(z.string().check(z.regex(/^\d{1,9}$/, { error })), z.transform(Number)),
    z.number().check(z.minimum(min, { error }), z.maximum(max, { error })),
  );
};
const EXAMPLE_RATES = "sends=50/s:200,logins=10/10m,registrations=200/h,uploads=60/m";
const readRates = (value: string): RateLimits | false | null => {
  const isSwitch = flag.safeParse(value);
  if (isSwitch.success) return isSwitch.data && DEFAULT_RATE_LIMITS;
  return readRateLimits(value);
};
const JOIN_MODES = {
  free: JoinMode.FREE,
  approval: JoinMode.APPROVAL,
  invitation: JoinMode.INVITATION,
} as const;
const joinMode = z.pipe(
  z.enum(["free", "approval", "invitation"], { error: "must be free, approval or invitation" }),
  z.transform((value) => JOIN_MODES[value]),
);
/** Rate limits; false means no limits. */
const rates = z.pipe(
  text.check(
    z.refine((value) => readRates(value) !== null, {
      error: `must be on, off or rates such as ${EXAMPLE_RATES}`,
    }),
  ),
  z.transform((value) => readRates(value) ?? false),
);
/** Number of proxies before the server. */
const proxies = z.pipe(
  z.enum(["on", "off", "true", "false", "0", "1", "2", "3", "4", "5"], {
    error: "must be on, off or the number of proxies, at most 5",
  }),
  z.transform((value) => (/\d/.test(value) ? Number(value) : value === "on" || value === "true" ? 1 : 0)),
);
const isOrigin = (value: string) => {
  try {
    const url = new URL(value);
    return (url.protocol === "http:" || url.protocol === "https:") && value === url.origin;
  } catch {
    return false;
  }
};
const splitByCommas = (value: string) =>
  value
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
/** What a node can do. */
export const ROLES = ["api", "gateway", "jobs"] as const;
/** Something that a node does. */
export type Role = (typeof ROLES)[number];
const roles = z.pipe(
  z.pipe(text, z.transform(splitByCommas)),
  z
    .array(z.enum(ROLES, { error: `must be some of ${ROLES.join(", ")}, joined by commas` }))
    .check(z.minLength(1, { error: `must be some of ${ROLES.join(", ")}, joined by commas` })),
);
/** Addresses of RFC 7064 and RFC 7065. */
const iceUrls = z.pipe(
  z.pipe(text, z.transform(splitByCommas)),
  z.array(
    z.string().check(
      z.regex(/^(?:stuns?:[^\s?]+|turns?:[^\s?]+(?:\?transport=(?:udp|tcp))?)$/, {
        error: "each must be an address such as stun:host:3478 or turn:host:3478?transport=udp",
      }),
    ),
  ),
);
const isRedisUrl = (value: string) => {
  try {
    const { protocol, hostname, pathname, password } = new URL(value);
    decodeURIComponent(password);
    return /^rediss?:$/.test(protocol) && hostname !== "" && /^(\/\d{0,3})?$/.test(pathname);
  } catch {
    return false;
  }
};
/** A URL without a query and without an account, because it is shown to the operator. */
const isEndpoint = (value: string) => {
  try {
    const { protocol, username, password, search, hash } = new URL(value);
    return /^https?:$/.test(protocol) && username + password + search + hash === "";
  } catch {
    return false;
  }
};
const originError = "must be an origin such as https://chat.example.org, without a path";
const origins = z.pipe(
  z.pipe(text, z.transform(splitByCommas)),
  z.array(z.string().check(z.refine(isOrigin, { error: `each ${originError}` }))),
);

/** When and where backups are made. */
export interface NightlyBackup {
  folder: string;
  /** Minutes since midnight, UTC. */
  minute: number;
  /** How many archives are kept. */
  keep: number;
}
const BACKUP_EXAMPLE = "/var/backups/parley,at=03:30,keep=7";
const readNightlyBackup = (value: string): NightlyBackup | null => {
  const [folder = "", ...options] = splitByCommas(value);
  if (folder === "" || /^(?:at|keep)=/.test(folder)) return null;
  const backup = { folder: resolve(folder), minute: 210, keep: 7 };
  for (const option of options) {
    const [, hours, minutes, keep] =
      /^(?:at=([01]\d|2[0-3]):([0-5]\d)|keep=([1-9]\d{0,3}))$/.exec(option) ?? [];
    if (keep !== undefined) backup.keep = Number(keep);
    else if (hours !== undefined) backup.minute = Number(hours) * 60 + Number(minutes);
    else return null;
  }
  return backup;
};
const nightlyBackup = z.pipe(
  z.pipe(text, z.transform(readNightlyBackup)),
  z.custom<NightlyBackup>((value) => value !== null, { error: `must be such as ${BACKUP_EXAMPLE}` }),
);

/** A contact as push services want it (RFC 8292): an e-mail address becomes a `mailto:` URL. */
const contact = z.pipe(
  z.pipe(
    text,
    z.transform((value) => (!value.startsWith("mailto:") && isEmail(value) ? `mailto:${value}` : value)),
  ),
  z.string().check(
    z.refine((value) => /^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/[^\s/]+.*)$/.test(value), {
      error: "must be an e-mail address or an https URL",
    }),
  ),
);

interface Row {
  /** The default; undefined: none. */
  value: string | undefined;
  /** The default as docs/configuration.md shows it, if it differs. */
  shown?: string;
  meaning: string;
  schema: z.ZodMiniType;
}

const rows = {
  PORT: {
    value: "8080",
    meaning: "Port of the web client, the API, the socket and the files; 0 takes any free one",
    schema: whole(0, 65_535),
  },
  HOST: { value: "0.0.0.0", meaning: "Address to listen on", schema: text },
  DATA_DIR: {
    value: "./data",
    meaning: "Folder of the SQLite database, uploaded files and the generated secret",
    schema: text.check(z.minLength(1, { error: "must not be empty" })),
  },
  DATABASE_URL: {
    value: undefined,
    shown: "SQLite in DATA_DIR",
    meaning: "PostgreSQL database instead of SQLite, such as postgres://user:password@host:5432/parley",
    schema: text.check(
      z.refine(isPostgresUrl, { error: "must be a URL such as postgres://user:password@host:5432/parley" }),
    ),
  },
  REDIS_URL: {
    value: undefined,
    shown: "none",
    meaning: "Redis that several servers on one database share, such as redis://:password@host:6379",
    schema: text.check(
      z.refine(isRedisUrl, { error: "must be a URL such as redis://:password@host:6379 or rediss://host" }),
    ),
  },
  S3_ENDPOINT: {
    value: undefined,
    shown: "files in DATA_DIR",
    meaning: "S3-compatible storage for uploaded files, such as https://s3.example.org, without the bucket",
    schema: text.check(
      z.refine(isEndpoint, {
        error: "must be a URL such as https://s3.example.org, without a name and password",
      }),
    ),
  },
  S3_BUCKET: {
    value: undefined,
    shown: "none",
    meaning: "Bucket for these files, which has to exist",
    schema: text.check(
      z.regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, {
        error: "must be 3 to 63 small letters, digits, dots and hyphens",
      }),
    ),
  },
  S3_REGION: {
    value: "us-east-1",
    meaning: "Region of the bucket, as the storage calls it",
    schema: text.check(z.regex(/^[\w-]{1,64}$/, { error: "must be a word such as eu-central-1" })),
  },
  S3_ACCESS_KEY_ID: {
    value: undefined,
    shown: "none",
    meaning: "Name of the key that may read, write, list and delete in the bucket",
    schema: text,
  },
  S3_SECRET_ACCESS_KEY: { value: undefined, shown: "none", meaning: "The secret of this key", schema: text },
  PUBLIC_URL: {
    value: undefined,
    shown: "derived",
    meaning: "Origin that people open, when a proxy stands before the server",
    schema: z.string().check(z.refine(isOrigin, { error: originError })),
  },
  CORS_ORIGINS: {
    value: "",
    shown: "none",
    meaning: "Other origins whose pages may use this server, joined by commas",
    schema: origins,
  },
  TRUST_PROXY: {
    value: "off",
    meaning: "How many proxies before the server write X-Forwarded-For: off, on (one), 2 to 5",
    schema: proxies,
  },
  TLS_CERT: {
    value: undefined,
    shown: "none",
    meaning: "File of the certificate chain (PEM), for HTTPS without a proxy",
    schema: text,
  },
  TLS_KEY: { value: undefined, shown: "none", meaning: "File of the certificate's key (PEM)", schema: text },
  SECRET: {
    value: undefined,
    shown: "generated into DATA_DIR",
    meaning: "Signs the tokens; at least 32 characters",
    schema: text.check(z.minLength(32, { error: "must have at least 32 characters" })),
  },
  NEW_DATABASE: {
    value: "off",
    meaning:
      "on for one start: take an empty or another database although DATA_DIR is that of an installation",
    schema: flag,
  },
  BACKUP: {
    value: undefined,
    shown: "off",
    meaning:
      "Nightly backups, see docs/backup.md: a folder, and if wanted a time (UTC) and how many are kept",
    schema: nightlyBackup,
  },
  BACKUP_PASSPHRASE: {
    value: undefined,
    shown: "none",
    meaning: "Encrypts backups, and decrypts them when they are restored",
    schema: text,
  },
  OPEN_REGISTRATION: { value: "on", meaning: "Whether people may register by themselves", schema: flag },
  INVITE_CODE_REQUIRED: { value: "off", meaning: "Whether registering needs an invite code", schema: flag },
  AVATAR_REQUIRED: { value: "off", meaning: "Whether registering needs an avatar", schema: flag },
  RATE_LIMITS: {
    value: "on",
    meaning: "Limits against abuse: on, off (only for measuring) or rates, see below",
    schema: rates,
  },
  NEW_GROUP_JOIN: {
    value: "approval",
    meaning: "How people join new groups unless their owner decides otherwise: approval, invitation or free",
    schema: joinMode,
  },
  RECALL_SECONDS: {
    value: "300",
    meaning: "How long a message can be recalled",
    schema: whole(0, 86_400_000),
  },
  TEXT_MAX: {
    value: String(TEXT_MAX_DEFAULT),
    meaning: "Longest text of a message, in characters",
    schema: whole(1, TEXT_MAX_HIGHEST),
  },
  EDIT_SECONDS: { value: "3600", meaning: "How long a message can be edited", schema: whole(0, 86_400_000) },
  MONEY_CARDS: {
    value: "off",
    meaning: "Whether red envelopes and transfers may be sent; a service of yours must make them",
    schema: flag,
  },
  UPLOAD_MAX_MB: { value: "100", meaning: "Largest uploaded file, MiB", schema: whole(1, 100_000) },
  UPLOAD_DAILY_MB: {
    value: "2048",
    meaning: "What one person may upload in 24 hours, MiB",
    schema: whole(1, 100_000_000),
  },
  WEB_PUSH: {
    value: "on",
    meaning:
      "Telling devices whose page is closed: on, off, or private (push services may be in your network, without TLS)",
    schema: z.enum(["on", "off", "private"], { error: "must be on, off or private" }),
  },
  VAPID_SUBJECT: {
    value: undefined,
    shown: "PUBLIC_URL",
    meaning: "Whom push services may contact about this server: an e-mail address or an https URL",
    schema: contact,
  },
  PASSWORD_COST: {
    value: "normal",
    meaning: "Cost of a password's hash: normal, or low for tests",
    schema: z.enum(["normal", "low"], { error: "must be normal or low" }),
  },
  ICE_URLS: {
    value: "",
    shown: "none",
    meaning: "STUN and TURN servers for calls, joined by commas, such as turn:turn.example.org:3478",
    schema: iceUrls,
  },
  TURN_SECRET: {
    value: undefined,
    shown: "none",
    meaning: "Secret that the TURN servers share with this server (coturn: static-auth-secret)",
    schema: text.check(z.minLength(1, { error: "must not be empty" })),
  },
  MAX_CALL_CHANNELS: { value: "9", meaning: "Most people in one group call", schema: whole(2, 100) },
  ROLES: {
    value: ROLES.join(","),
    shown: "all",
    meaning:
      "What this node does, joined by commas: api (HTTP), gateway (sockets), jobs (work from time to time)",
    schema: roles,
  },
  OFFLINE_APP: {
    value: "on",
    meaning: "Whether browsers keep the web client for offline use; off removes it from them",
    schema: flag,
  },
  DEFAULT_LANGUAGE: {
    value: "zh-CN",
    meaning: "Language of stored tips: zh-CN, zh-TW or en",
    schema: z.enum(LANGUAGES, { error: `must be one of ${LANGUAGES.join(", ")}` }),
  },
  NODE_NAME: {
    value: undefined,
    shown: "random at each start",
    meaning: "Name of this server in its log and in the header X-Node of its answers",
    schema: text.check(
      z.regex(/^[\w.-]{1,64}$/, { error: "must be up to 64 letters, digits, dots, hyphens and underscores" }),
    ),
  },
  METRICS_PORT: {
    value: undefined,
    shown: "none",
    meaning: "Port that serves nothing but /metrics, for Prometheus; 0 takes any free one",
    schema: whole(0, 65_535),
  },
  METRICS_TOKEN: {
    value: undefined,
    shown: "none",
    meaning: "Bearer token for /metrics, which is on PORT unless METRICS_PORT is set; at least 16 characters",
    schema: text.check(z.regex(/^[\x21-\x7e]{16,}$/, { error: "must be at least 16 characters of ASCII" })),
  },
  LOG_LEVEL: {
    value: "info",
    meaning: "fatal, error, warn, info, debug, trace or silent",
    schema: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"], {
      error: "must be fatal, error, warn, info, debug, trace or silent",
    }),
  },
} as const satisfies Record<string, Row>;

/** These must be set together. */
const S3_NAMES = ["S3_ENDPOINT", "S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"] as const;

type Rows = typeof rows;
type Name = keyof Rows;
/** The validated configuration. */
export type Config = {
  readonly [N in Name]:
    | z.output<Rows[N]["schema"]>
    | (undefined extends Rows[N]["value"] ? undefined : never);
};

/**
 * Every variable, in the order of docs/configuration.md. Exported for the test that compares the two.
 * @internal
 */
export const VARIABLES: readonly Variable[] = Object.entries<Row>(rows).map(([name, row]) => ({
  name,
  default: row.shown ?? row.value ?? "none",
  meaning: row.meaning,
}));

/** A wrong configuration; the message is one sentence that names the variable. */
export class ConfigError extends Error {}

/** Reads the configuration from environment variables. Empty variables count as absent. */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const config: Record<string, unknown> = {};
  for (const [name, row] of Object.entries<Row>(rows)) {
    const value = env[name]?.trim() || row.value;
    if (value === undefined) continue;
    const parsed = row.schema.safeParse(value);
    if (!parsed.success) throw new ConfigError(`${name} ${parsed.error.issues[0]?.message ?? "is wrong"}.`);
    config[name] = parsed.data;
  }
  if ((config["TLS_CERT"] === undefined) !== (config["TLS_KEY"] === undefined)) {
    throw new ConfigError("TLS_CERT and TLS_KEY must be set together.");
  }
  const isSet = S3_NAMES.map((name) => config[name] !== undefined);
  if (isSet.includes(true) && isSet.includes(false)) {
    throw new ConfigError(`${S3_NAMES.slice(0, -1).join(", ")} and ${S3_NAMES.at(-1)} must be set together.`);
  }
  if (config["REDIS_URL"] !== undefined && config["DATABASE_URL"] === undefined) {
    throw new ConfigError("REDIS_URL needs DATABASE_URL, because a SQLite database belongs to one server.");
  }
  return config as Config;
}

/** Where files are stored if not in DATA_DIR; undefined: there. */
export function s3SettingsOf(config: Config): S3Settings | undefined {
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket, S3_REGION: region } = config;
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = config;
  if (endpoint === undefined || bucket === undefined) return undefined;
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  return { endpoint, bucket, region, accessKeyId, secretAccessKey };
}

/** Absolute path of DATA_DIR. */
export function dataFolder(config: Config): string {
  return resolve(config.DATA_DIR);
}

/** The URL of the PostgreSQL database, or the path of that of SQLite. */
export function storeUrl(config: Config): string {
  return config.DATABASE_URL ?? databasePath(dataFolder(config));
}
