/** Nightly backups: when one is due, where it is written, and which old ones are removed. docs/backup.md describes the setting. */
import { spawn } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import { yieldToOthers } from "./backup.ts";
import type { Config, NightlyBackup } from "../config/config.ts";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** After a failure the next attempt waits this long. */
const RETRY_MS = 3_600_000;
/** Nobody writes a part that is unchanged for this long; another server may write a younger one. */
const ABANDONED_MS = 30 * MINUTE_MS;
/** An archive with a later time than now plus this was written while the clock was wrong. */
const CLOCK_ERROR_MAX_MS = DAY_MS;
/** How long after the set time a backup may be missing before the doctor says so. */
const LATE_MS = 6 * 3_600_000;
/** Such as parley-20260131T033000Z.tar.age */
const ARCHIVE = /^parley-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.tar(?:\.age)?$/;
const ADMIN = fileURLToPath(new URL("../cli/admin.ts", import.meta.url));

/** The nightly backups of a server. */
export interface NightlyBackups {
  /** Makes a backup if one is due. Called every minute. Failures are logged. */
  sweep(): Promise<void>;
  /** Ends a backup that is under way. */
  stop(): void;
}

/** What nightly backups need. */
export interface NightlyBackupDeps {
  settings: NightlyBackup;
  /** Whether the archives are encrypted; their names tell it. */
  isEncrypted: boolean;
  now(): number;
  log: Pick<Logger, "info" | "warn" | "error">;
  /** Writes an archive, until it is told to stop. Resolves with its report; throws with the reason why there is none. */
  makeBackup(file: string, stop: AbortSignal): Promise<string>;
}

export function createNightlyBackups({
  settings: { folder, minute, keep },
  isEncrypted,
  now,
  log,
  makeBackup,
}: NightlyBackupDeps): NightlyBackups {
  const stopping = new AbortController();
  let lastAttemptAt = -Infinity;

  const isDue = (time: number): boolean => {
    const isRecent = time >= lastAttemptAt && time - lastAttemptAt < RETRY_MS;
    return !isRecent && newestAt(folder, time) < lastDueAt(minute, time);
  };

  return {
    async sweep() {
      const time = now();
      if (stopping.signal.aborted || !isDue(time)) return;
      lastAttemptAt = time;
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        for (const part of abandonedParts(folder, time)) await rm(part, { force: true });
        const report = await makeBackup(join(folder, nameOf(time, isEncrypted)), stopping.signal);
        log.info({ report }, "the nightly backup is complete");
        await removeOld(folder, keep, time);
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.error({ err: error }, "the nightly backup failed; it is tried again in an hour");
      }
    },
    stop: () => stopping.abort(),
  };
}

/** The problems of the nightly backups, one sentence each. */
export function checkNightlyBackups({ folder, minute }: NightlyBackup, now: number): string[] {
  const newest = newestAt(folder, now);
  const parts = abandonedParts(folder, now).length;
  const left =
    parts === 0
      ? []
      : [
          `Left over: ${parts} interrupted ${parts === 1 ? "backup" : "backups"} in ${folder}. The next nightly backup removes them.`,
        ];
  const early = archivesIn(folder).filter(({ at }) => !isTimeCredible(at, now));
  for (const { name } of early)
    left.push(
      `${join(folder, name)} has the time of a clock that was ahead, so it does not count as a backup: rename or delete it.`,
    );
  if (newest >= lastDueAt(minute, now - LATE_MS)) return left;
  const found =
    newest === -Infinity
      ? `There is no nightly backup in ${folder}`
      : `The newest nightly backup in ${folder} is of ${new Date(newest).toISOString()}`;
  return [`${found}; the log of the server says why.`, ...left];
}

/** Writes a backup in a process of its own, so that no message waits for it. */
function backupProcess(config: Config): NightlyBackupDeps["makeBackup"] {
  return (file, stop) =>
    new Promise((resolve, reject) => {
      const args = ["backup", file, ...(config.DATABASE_URL === undefined ? [] : ["--files-only"])];
      // Certificates and proxies of the operator are in variables of Node's own.
      const env = { ...process.env, ...environmentOf(config) };
      const child = spawn(process.execPath, [ADMIN, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
      // From its first moment: loading the program is a good part of a small backup.
      if (child.pid !== undefined) yieldToOthers(child.pid);
      let [out, err] = ["", ""];
      child.stdout.on("data", (data: Buffer) => (out += data.toString()));
      child.stderr.on("data", (data: Buffer) => (err += data.toString()));
      const end = () => void child.kill("SIGTERM");
      stop.addEventListener("abort", end);
      child.on("error", reject);
      child.on("close", (code, signal) => {
        stop.removeEventListener("abort", end);
        if (code === 0) resolve(out.trim());
        else reject(new Error(err.trim() || `its process ended with ${signal ?? code}`));
      });
    });
}

/** The variables that a backup uses. */
function environmentOf(config: Config): Record<string, string> {
  const names = [
    "DATA_DIR",
    "DATABASE_URL",
    "S3_ENDPOINT",
    "S3_BUCKET",
    "S3_REGION",
    "S3_ACCESS_KEY_ID",
    "S3_SECRET_ACCESS_KEY",
    "SECRET",
    "BACKUP_PASSPHRASE",
    "PASSWORD_COST",
  ] as const;
  const values = names.map((name) => [name, config[name]] as const);
  return Object.fromEntries(
    values.filter((entry): entry is [(typeof names)[number], string] => entry[1] !== undefined),
  );
}

/** The latest time, not after `now`, at which a backup was due. */
function lastDueAt(minute: number, now: number): number {
  const today = Math.floor(now / DAY_MS) * DAY_MS + minute * MINUTE_MS;
  return today <= now ? today : today - DAY_MS;
}

function nameOf(time: number, isEncrypted: boolean): string {
  const stamp = new Date(time)
    .toISOString()
    .replace(/\.\d+Z$/, "Z")
    .replaceAll(/[-:]/g, "");
  return `parley-${stamp}.tar${isEncrypted ? ".age" : ""}`;
}

/** The archives in the folder, newest first. */
function archivesIn(folder: string): { name: string; at: number }[] {
  if (!existsSync(folder)) return [];
  const archives = readdirSync(folder).flatMap((name) => {
    const parts = ARCHIVE.exec(name)?.slice(1).map(Number);
    if (parts === undefined) return [];
    const [year = 0, month = 1, day = 1, hours = 0, minutes = 0, seconds = 0] = parts;
    return [{ name, at: Date.UTC(year, month - 1, day, hours, minutes, seconds) }];
  });
  return archives.toSorted((a, b) => b.at - a.at);
}

/** Otherwise the clock was ahead. Such an archive would be the newest one until its time comes. */
function isTimeCredible(at: number, now: number): boolean {
  return at <= now + CLOCK_ERROR_MAX_MS;
}

function newestAt(folder: string, now: number): number {
  return archivesIn(folder).find(({ at }) => isTimeCredible(at, now))?.at ?? -Infinity;
}

async function removeOld(folder: string, keep: number, now: number): Promise<void> {
  const archives = archivesIn(folder).filter(({ at }) => isTimeCredible(at, now));
  for (const { name } of archives.slice(keep)) await rm(join(folder, name), { force: true });
}

/** The parts that interrupted backups left in the folder. */
function abandonedParts(folder: string, now: number): string[] {
  if (!existsSync(folder)) return [];
  const parts = readdirSync(folder).filter(
    (name) => name.endsWith(".part") && ARCHIVE.test(name.slice(0, -5)),
  );
  const changedAt = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now;
  return parts.map((name) => join(folder, name)).filter((path) => now - changedAt(path) > ABANDONED_MS);
}

/** The nightly backups of a server; undefined if none are wanted. */
export function nightlyBackupsOf(config: Config, now: () => number, log: Logger): NightlyBackups | undefined {
  const { BACKUP: settings, BACKUP_PASSPHRASE: passphrase } = config;
  if (settings === undefined) return undefined;
  const makeBackup = backupProcess(config);
  return createNightlyBackups({ settings, isEncrypted: passphrase !== undefined, now, log, makeBackup });
}
