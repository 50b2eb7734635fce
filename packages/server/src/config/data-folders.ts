/** Paths inside DATA_DIR. */
import { join } from "node:path";

/** The SQLite database. */
export function databasePath(dataDir: string): string {
  return join(dataDir, "parley.sqlite");
}

/** The folder of uploaded files. */
export function filesFolder(dataDir: string): string {
  return join(dataDir, "files");
}

/** The generated secret that signs the tokens. */
export function secretPath(dataDir: string): string {
  return join(dataDir, "secret");
}

/** What a backup needs while it is made. The process that holds the lock of `lock` may use `folder`. */
export function backupPaths(dataDir: string): { lock: string; folder: string } {
  return { lock: join(dataDir, "backup.lock"), folder: join(dataDir, "backup-work") };
}

/** Where a restore gathers everything before it is put in place. While it exists, no server may start. */
export function restoringFolder(dataDir: string): string {
  return join(dataDir, "restoring");
}

/** The id of the installation to which the folder belongs; the database has the same. */
export function installationPath(dataDir: string): string {
  return join(dataDir, "installation");
}
