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
