/** `npm run admin -- copy`: moves an installation from SQLite to PostgreSQL, and its files to S3-compatible storage. */
import type { ComparedTable } from "../adapters/store/copy-to-postgres.ts";
import { isPostgresUrl, shownUrl } from "../adapters/store/store-url.ts";
import { type Config, ConfigError, dataFolder, s3SettingsOf } from "../config/config.ts";
import { databasePath, filesFolder } from "../config/data-folders.ts";

/** Where to copy to. */
export interface CopyTargets {
  /** The URL of an empty PostgreSQL database. Its password is never printed. Without it the database is not copied. */
  to?: string | undefined;
  /** Whether the files are copied to the storage that the configuration names. */
  filesToS3?: boolean | undefined;
}

type Print = (line: string) => void;

const NOTHING = "copy needs --to, --files-to-s3, or both.";
const NO_S3 = "--files-to-s3 needs S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.";
const SHOWN_MAX = 20;

/**
 * Copies the files and the database of the data folder and prints a report: a line for each table, one for all files, and the results. Returns
 * whether the copies are the same as their sources; a database that is not is not kept. Files are copied first, because they can be copied
 * again: files that were added during the copy follow the database. Throws one-sentence errors for what the operator can put right.
 */
export async function runCopy(config: Config, targets: CopyTargets, print: Print): Promise<boolean> {
  const { to, filesToS3 = false } = targets;
  if (to === undefined && !filesToS3) throw new ConfigError(NOTHING);
  if (to !== undefined) requireCopyable(config, to);
  if (filesToS3 && !(await copyFiles(config, print))) return false;
  if (to === undefined) return true;
  if (!(await copyDatabase(config, to, print))) return false;
  return !filesToS3 || copyFiles(config, print);
}

/** Throws before anything is done. */
function requireCopyable({ DATABASE_URL }: Config, to: string): void {
  // Not checked by the parser of the command line, whose errors repeat what they refuse, with the password.
  if (!isPostgresUrl(to))
    throw new ConfigError("--to must be a URL such as postgres://user:password@host:5432/parley.");
  if (DATABASE_URL !== undefined)
    throw new ConfigError("DATABASE_URL must not be set: what is copied is the SQLite database in DATA_DIR.");
}

async function copyFiles(config: Config, print: Print): Promise<boolean> {
  const settings = s3SettingsOf(config);
  if (settings === undefined) throw new ConfigError(NO_S3);
  const folder = filesFolder(dataFolder(config));
  const { copyFilesToS3 } = await import("./copy-files.ts");
  const { source, copy, sent, bytes, different, unknown } = await copyFilesToS3(folder, settings);
  const state = different.length === 0 ? "same" : `DIFFERENT: ${copy.count} files, ${copy.checksum}`;
  print(`files\t${source.count} files\t${source.checksum}\t${state}`);
  for (const key of different.slice(0, SHOWN_MAX)) print(`${key} has other bytes in ${settings.bucket}.`);
  if (unknown.length > 0) {
    const objects = unknown.length === 1 ? "1 other object" : `${unknown.length} other objects`;
    print(
      `${settings.bucket} has ${objects} that ${folder} has not. If a server has used the bucket already, they may be its uploads: leave them. Else they were recalled or deleted since they were sent, and no server deletes them: delete them yourself.`,
    );
    for (const key of unknown) print(key);
  }
  if (different.length > 0) return false;
  print(`All files are in ${settings.bucket}: ${bytes} bytes, ${sent} files sent now, no difference.`);
  return true;
}

async function copyDatabase(config: Config, to: string, print: Print): Promise<boolean> {
  // A server on SQLite does not load the driver.
  const { copyToPostgres } = await import("../adapters/store/copy-to-postgres.ts");
  const path = databasePath(dataFolder(config));
  const different: string[] = [];
  let isServerRunning = false;
  let rows = 0;
  let tables = 0;
  let compared = 0;
  const isSame = await copyToPostgres({
    path,
    url: to,
    onStart(source) {
      ({ isServerRunning, tables } = source);
      print(
        `Copying ${tables} tables of ${path}, which ${isServerRunning ? "a running server uses" : "no server uses"}, to ${shownUrl(to)} ...`,
      );
    },
    onTable(table) {
      print(lineOf(table));
      rows += table.copy.count;
      if (!table.isSame) different.push(table.name);
      compared += 1;
      if (compared === tables && different.length === 0)
        print("All tables are the same. Making the search index ...");
    },
  });
  if (!isSame) {
    print(`The copy was not kept, because it differs in ${different.join(", ")}.`);
    return false;
  }
  print(`The copy is complete: ${tables} tables, ${rows} rows, no difference. ${nextStep(isServerRunning)}`);
  return true;
}

function lineOf({ name, source, copy, isSame }: ComparedTable): string {
  if (isSame) return `${name}\t${copy.count} rows\t${copy.checksum}\tsame`;
  return `${name}\t${source.count} rows\t${source.checksum}\tDIFFERENT: ${copy.count} rows, ${copy.checksum}`;
}

function nextStep(isServerRunning: boolean): string {
  return isServerRunning
    ? "It lacks what the running server stores from now on, so it has a new epoch: clients load everything again."
    : "It has the same epoch: clients go on where they are. Start the server with DATABASE_URL; without it, no server starts on this folder any more.";
}
