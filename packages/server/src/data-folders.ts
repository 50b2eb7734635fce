/** What lies where in DATA_DIR. */
import { join } from "node:path";

export function databasePath(dataDir: string): string {
  return join(dataDir, "parley.sqlite");
}

/** Of uploaded files. */
export function filesFolder(dataDir: string): string {
  return join(dataDir, "files");
}
