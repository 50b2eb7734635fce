/** Whether the system starts the application when the person logs in. The system keeps that, because it can be changed there too. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import type { AppPart, Platform } from "./electron-parts.ts";

/** Starts the application without showing its window. */
export const HIDDEN_ARGUMENT = "--hidden";

export interface LoginStart {
  isOn(): boolean;
  /** Fails if the system cannot store it. */
  set(isOn: boolean): void;
}

/** The application as the system would start it. */
interface Command {
  readonly executable: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly home: string;
}

type LoginApp = Pick<AppPart, "getAppPath" | "getLoginItemSettings" | "isPackaged" | "setLoginItemSettings">;

export function createLoginStart(app: LoginApp, platform: Platform, command: Command): LoginStart {
  // Without a package, the executable is Electron itself and needs to know the application.
  const program = app.isPackaged ? [] : [app.getAppPath()];
  if (platform === "linux") return autostartFile([...program, HIDDEN_ARGUMENT], command);
  // macOS knows no arguments, and says at the start that it was the login.
  const item =
    platform === "darwin"
      ? {}
      : { path: command.executable, args: [...program.map((path) => `"${path}"`), HIDDEN_ARGUMENT] };
  return {
    isOn: () => app.getLoginItemSettings(item).openAtLogin,
    set: (openAtLogin) => app.setLoginItemSettings({ openAtLogin, ...item }),
  };
}

/** An entry of the Desktop Application Autostart Specification. */
function autostartFile(args: readonly string[], { executable, environment, home }: Command): LoginStart {
  const { XDG_CONFIG_HOME: configured = "", APPIMAGE: image } = environment;
  // The specification ignores relative paths.
  const configuration = isAbsolute(configured) ? configured : join(home, ".config");
  const file = join(configuration, "autostart", "parley.desktop");
  // What runs from an AppImage lies at a place that is gone after the end.
  const execution = [image ?? executable, ...args].map(quoted).join(" ");
  return {
    isOn: () => {
      try {
        return !/^(Hidden=true|X-GNOME-Autostart-enabled=false)$/m.test(readFileSync(file, "utf8"));
      } catch (error) {
        if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
        throw error;
      }
    },
    set: (isOn) => {
      if (!isOn) {
        rmSync(file, { force: true });
        return;
      }
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(
        file,
        `[Desktop Entry]\nType=Application\nName=Parley\nExec=${execution}\nIcon=parley\nTerminal=false\n`,
      );
    },
  };
}

/** An argument in the field `Exec`, by the rules of the Desktop Entry Specification for quotes, field codes and strings. */
function quoted(argument: string): string {
  const inQuotes = argument.replaceAll(/["`$\\]/g, String.raw`\$&`).replaceAll("%", "%%");
  return `"${inQuotes.replaceAll("\\", "\\\\")}"`;
}
