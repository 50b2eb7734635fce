/** `npm run admin -- copy`: moves an installation from SQLite to PostgreSQL. */
import type { ComparedTable } from "./adapters/store/copy-to-postgres.ts";
import { isPostgresUrl, shownUrl } from "./adapters/store/store-url.ts";
import { type Config, ConfigError, dataFolder } from "./config.ts";
import { databasePath } from "./data-folders.ts";

/** Where to copy to. */
export interface CopyTargets {
  /** The URL of an empty PostgreSQL database. Its password is never printed. */
  to: string;
}

/**
 * Copies the database of the data folder and prints a report: a line for each table, and the result. Returns whether the copy is the same as
 * its source; otherwise nothing is kept. Throws one-sentence errors for what the operator can put right. The files stay in the data folder.
 */
export async function runCopy(
  config: Config,
  { to }: CopyTargets,
  print: (line: string) => void,
): Promise<boolean> {
  // Not checked by the parser of the command line, whose errors repeat what they refuse, with the password.
  if (!isPostgresUrl(to))
    throw new ConfigError("--to must be a URL such as postgres://user:password@host:5432/parley.");
  if (config.DATABASE_URL !== undefined)
    throw new ConfigError("DATABASE_URL must not be set: what is copied is the SQLite database in DATA_DIR.");
  // A server on SQLite does not load the driver.
  const { copyToPostgres } = await import("./adapters/store/copy-to-postgres.ts");
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
