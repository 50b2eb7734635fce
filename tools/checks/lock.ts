import { existsSync, readFileSync } from "node:fs";
import { type Check } from "../lib/check-type.ts";

interface Lock {
  packages: Record<
    string,
    { link?: boolean; resolved?: string; optionalDependencies?: Record<string, string> }
  >;
}

/** The second one is of electron-builder, which is installed only to package the desktop application. */
const LOCK_FILES = ["package-lock.json", "packages/desktop/packaging/package-lock.json"];

/**
 * Finds two reasons why a lock file fails on another machine: download addresses of one registry, and a package without published builds
 * for some platforms (`npm install` passes, `npm ci` does not).
 */
export const lock: Check = {
  name: "lock file",
  async run(root) {
    const problems: string[] = [];
    for (const file of LOCK_FILES.filter((name) => existsSync(`${root}/${name}`))) {
      const { packages } = JSON.parse(readFileSync(`${root}/${file}`, "utf8")) as Lock;
      const names = new Set(Object.keys(packages).map((path) => path.split("node_modules/").at(-1)));
      for (const [path, entry] of Object.entries(packages)) {
        if (entry.resolved !== undefined && !entry.link)
          problems.push(`${file}: ${path} carries a download address; delete its line "resolved"`);
        for (const name of Object.keys(entry.optionalDependencies ?? {})) {
          if (!names.has(name))
            problems.push(
              `${file}: ${path} needs ${name}, which the lock file does not have; set an older version of it in package.json`,
            );
        }
      }
    }
    return problems;
  },
};
