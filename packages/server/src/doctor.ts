/** `npm run admin -- doctor`: checks the data folder without changing it, also while a server is running. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Config, dataFolder } from "./config.ts";
import { checkIntegrity } from "./adapters/store/integrity.ts";
import { databasePath, filesFolder } from "./data-folders.ts";
import { fileKeyOf } from "./modules/uploads/file-urls.ts";

const LINES_MAX = 20;
const SECRET_MIN_LENGTH = 32;

/** Checks the data folder. Returns what is wrong, one sentence each; empty if all is well. */
export function runDoctor(config: Config): string[] {
  const dataDir = dataFolder(config);
  const { problems, files } = checkIntegrity(databasePath(dataDir));
  const brokenFiles = files.flatMap(({ url, bytes, use }) => {
    const size = statSync(join(filesFolder(dataDir), fileKeyOf(url)), { throwIfNoEntry: false })?.size;
    // An unclaimed file may still be uploading, or was lost with its upload. No message or account refers to it.
    if (size === bytes || use !== "claimed") return [];
    return [
      size === undefined ? `The file ${url} is gone.` : `The file ${url} has ${size} of ${bytes} bytes.`,
    ];
  });
  const more =
    brokenFiles.length > LINES_MAX ? [`${brokenFiles.length - LINES_MAX} more files are gone or cut.`] : [];
  return [
    ...problems,
    ...brokenFiles.slice(0, LINES_MAX),
    ...more,
    ...(config.SECRET === undefined ? checkSecret(dataDir) : []),
  ];
}

function checkSecret(dataDir: string): string[] {
  const path = join(dataDir, "secret");
  try {
    const isLong = readFileSync(path, "utf8").trim().length >= SECRET_MIN_LENGTH;
    return isLong ? [] : [`The secret ${path} is cut.`];
  } catch (error) {
    return [`The secret ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}.`];
  }
}
