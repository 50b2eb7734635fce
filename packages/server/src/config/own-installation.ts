/** Keeps DATA_DIR and database together: neither is used with what belongs to another installation, or with nothing. */
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { INCOMING_FOLDER } from "../adapters/blobs/incoming-folder.ts";
import type { ExpectedInstallation } from "../adapters/store/installation.ts";
import { type Config, ConfigError, dataFolder } from "./config.ts";
import { filesFolder, installationPath, secretPath } from "./data-folders.ts";
import { reasonOf, syncFolder } from "./environment.ts";

const ANEW = "set NEW_DATABASE=on for one start if you really want to begin anew";

/** The installation of a data folder. */
export interface OwnInstallation {
  expected: ExpectedInstallation;
  /** Notes in the folder to which installation the opened database belongs. */
  note(installation: string): void;
}

/** `isTaken`: whatever database there is belongs to the folder from now on, because it was restored on purpose. */
export function ownInstallationOf(config: Config, isTaken = false): OwnInstallation {
  const dataDir = dataFolder(config);
  const path = installationPath(dataDir);
  const id = readId(path);
  const leftovers = [
    ...(id === undefined ? [] : [path]),
    ...(existsSync(secretPath(dataDir)) ? [secretPath(dataDir)] : []),
    ...(hasFiles(filesFolder(dataDir)) ? [filesFolder(dataDir)] : []),
  ];
  return {
    expected: {
      id: config.NEW_DATABASE ? undefined : id,
      require({ isEmpty, installation }) {
        if (config.NEW_DATABASE) return;
        if (isEmpty && leftovers.length > 0) {
          throw new Error(
            `it is missing or empty, but ${leftovers.join(", ")} ${leftovers.length === 1 ? "is" : "are"} of an installation that had one; check DATA_DIR and DATABASE_URL, put the database back or restore a backup (docs/backup.md), or ${ANEW}`,
          );
        }
        if (isTaken || id === undefined || installation === undefined || installation === id) return;
        throw new Error(
          `it belongs to another installation than DATA_DIR ${dataDir}; check DATA_DIR and DATABASE_URL, run \`npm run admin -- restored\` if you put it there on purpose, or ${ANEW}`,
        );
      },
    },
    note(installation) {
      if (installation === id) return;
      try {
        writeFileSync(path, `${installation}\n`, { mode: 0o600, flush: true });
        syncFolder(dataDir);
      } catch (error) {
        throw new ConfigError(`${path} cannot be written: ${reasonOf(error)}.`);
      }
    },
  };
}

function readId(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim() || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new ConfigError(`${path} cannot be read: ${reasonOf(error)}.`);
  }
}

function hasFiles(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).some((name) => name !== INCOMING_FOLDER);
}
