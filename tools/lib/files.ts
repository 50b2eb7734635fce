import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's root folder, without a slash at the end. */
export const repository = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");

const SKIPPED =
  /(?:^|\/)(?:node_modules|dist(?:\.\d+)?(?:\.old)?|packages\/desktop\/out|\.git|\.cache|test-results|playwright-report)$/;

/** The paths of all files below a folder, sorted and with forward slashes. Empty if the folder is missing. */
export function filesUnder(folder: string, { skip = SKIPPED }: { skip?: RegExp } = {}): string[] {
  if (!existsSync(folder)) return [];
  const found: string[] = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name).replaceAll("\\", "/");
    if (skip.test(path)) continue;
    if (entry.isDirectory()) found.push(...filesUnder(path, { skip }));
    else if (entry.isFile()) found.push(path);
  }
  return found.sort();
}
