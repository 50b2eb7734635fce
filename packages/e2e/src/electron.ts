import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the repository. */
const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** Electron's executable below the folder that holds its files. */
const EXECUTABLES: Partial<Record<NodeJS.Platform, string>> = {
  darwin: "Electron.app/Contents/MacOS/Electron",
  win32: "electron.exe",
};

/** The folder of the built desktop application, which `npm run desktop` and the browser tests build. */
export const DESKTOP_APP = join(ROOT, "packages", "desktop", "out");

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

/** Why the desktop application cannot be tested here, in a sentence. Null: it can. */
export function whyNoDesktopTest(): string | null {
  if (findElectron() === null) return HOW_TO_GET_ELECTRON;
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (process.platform === "linux" && DISPLAY === undefined && WAYLAND_DISPLAY === undefined)
    return "Electron needs a display, and a window manager: run the command with xvfb-run.";
  return null;
}

/**
 * The arguments that start the application with an own folder of data, apart from what the person at this machine has. As root, as in
 * containers, Chromium runs without its sandbox only.
 */
export function desktopArguments(dataFolder: string, link?: string): string[] {
  return [
    DESKTOP_APP,
    `--user-data-dir=${dataFolder}`,
    "--lang=en-US",
    ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
    ...(link === undefined ? [] : [link]),
  ];
}

/** Starts the application a second time and resolves with the exit code. */
export async function startDesktopAgain(dataFolder: string, link: string): Promise<number | null> {
  const again = spawn(findElectron() ?? "", desktopArguments(dataFolder, link), { stdio: "ignore" });
  const [code] = (await once(again, "exit")) as [number | null];
  return code;
}
