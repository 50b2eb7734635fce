/** `npm run admin -- doctor`: looks the data folder through, beside a running server or without one, and changes nothing. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Config, dataFolder } from "./config.ts";
import { checkIntegrity } from "./adapters/store/integrity.ts";
import { databasePath, filesFolder } from "./data-folders.ts";
import { fileKeyOf } from "./modules/uploads/file-urls.ts";

const LINES_MAX = 20;
const SECRET_MIN_LENGTH = 32;

/** What is wrong, a sentence each; none: all is whole. */
export function runDoctor(config: Config): string[] {
  const dataDir = dataFolder(config);
  const { problems, files } = checkIntegrity(databasePath(dataDir));
  const broken = files.flatMap(({ url, bytes, use }) => {
    const size = statSync(join(filesFolder(dataDir), fileKeyOf(url)), { throwIfNoEntry: false })?.size;
    // One that nothing has named yet may be on its way, or was lost with its upload: nobody misses it.
    if (size === bytes || use !== "taken") return [];
    return [
      size === undefined ? `The file ${url} is gone.` : `The file ${url} has ${size} of ${bytes} bytes.`,
    ];
  });
  const more = broken.length > LINES_MAX ? [`${broken.length - LINES_MAX} more files are gone or cut.`] : [];
  return [
    ...problems,
    ...broken.slice(0, LINES_MAX),
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
