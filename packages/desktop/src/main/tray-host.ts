import type { Platform } from "./electron-parts.ts";

/** Runs a program and returns what it wrote. Fails if it fails. */
export type RunProgram = (program: string, args: readonly string[]) => Promise<string>;

const SERVICE = "org.kde.StatusNotifierWatcher";
const PATH = "/StatusNotifierWatcher";
const GET = "org.freedesktop.DBus.Properties.Get";
const PROPERTY = "IsStatusNotifierHostRegistered";

/** Two programs that ask the session bus; desktops have one of them. */
const QUESTIONS = [
  [
    "gdbus",
    ["call", "--session", "--dest", SERVICE, "--object-path", PATH, "--method", GET, SERVICE, PROPERTY],
  ],
  [
    "dbus-send",
    ["--session", "--print-reply", `--dest=${SERVICE}`, PATH, GET, `string:${SERVICE}`, `string:${PROPERTY}`],
  ],
] as const;

/**
 * Whether something shows tray icons at this moment. Windows and macOS always do. On Linux it is an extension of the desktop, Electron does
 * not say whether it is there, and it may go. False if nobody can say, because a window that is hidden then would be lost.
 */
export async function hasTrayHost(platform: Platform, run: RunProgram): Promise<boolean> {
  if (platform !== "linux") return true;
  for (const [program, args] of QUESTIONS) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- the second is asked if the first cannot say
      return /\btrue\b/.test(await run(program, args));
    } catch {
      // The program is missing, or there is no watcher, which the next one finds as well.
    }
  }
  return false;
}
