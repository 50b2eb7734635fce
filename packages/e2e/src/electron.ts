import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the repository. */
const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

const EXECUTABLES: Partial<Record<NodeJS.Platform, string>> = {
  darwin: "Electron.app/Contents/MacOS/Electron",
  win32: "electron.exe",
};

/** What to do when there is no binary. */
export const HOW_TO_GET_ELECTRON =
  "Electron's binary is not here. Get it with `node node_modules/electron/install.js`, which downloads it from the address that Electron " +
  "documents, or set ELECTRON_OVERRIDE_DIST_PATH to a folder that holds it.";

/** The path of Electron's binary, or null: the install of the packages runs no scripts and therefore downloads none. */
export function findElectron(): string | null {
  const folder = process.env["ELECTRON_OVERRIDE_DIST_PATH"] ?? join(ROOT, "node_modules", "electron", "dist");
  const path = join(folder, EXECUTABLES[process.platform] ?? "electron");
  return existsSync(path) ? path : null;
}

/** The folder of the built desktop application, which `npm run desktop` and the browser tests build. */
export const DESKTOP_APP = join(ROOT, "packages", "desktop", "out");
