import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "./files.ts";
import { type Finished, run, type RunOptions } from "./process.ts";

/** electron-builder and its own lock file. No workspace, so that nobody installs it who does not package. */
export const packagingFolder = join(repository, "packages/desktop/packaging");

/** Installs electron-builder unless it is installed already. Throws if npm cannot. */
export async function installPackaging(): Promise<void> {
  const modules = join(packagingFolder, "node_modules");
  const stampFile = join(modules, ".parley-install");
  const lock = readFileSync(join(packagingFolder, "package-lock.json"));
  const stamp = createHash("sha256").update(lock).update(`${process.platform}-${process.arch}`).digest("hex");
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) return;
  process.stdout.write("Installing electron-builder, 93 MB ...\n");
  const npm = process.env["npm_execpath"];
  const args = ["ci", "--ignore-scripts", "--include=dev", "--loglevel=error"];
  const { code, output } =
    npm?.endsWith("npm-cli.js") === true
      ? await run(process.execPath, [npm, ...args], { cwd: packagingFolder })
      : await run("npm", args, { cwd: packagingFolder });
  if (code !== 0) throw new Error(`electron-builder was not installed\n${output}`);
  writeFileSync(stampFile, stamp);
}

/** Packages what is built. `packages/desktop/packaging/package-desktop.ts` explains the arguments. */
export function packageDesktop(args: readonly string[], options: RunOptions = {}): Promise<Finished> {
  return run(process.execPath, [join(packagingFolder, "package-desktop.ts"), ...args], options);
}
