import { spawn } from "node:child_process";

/** The program of Debian's `xvfb`. */
export const SCREEN_PATH = "/usr/bin/Xvfb";

/** A screen that nobody sees, for programs that need a window. */
export interface Screen {
  /** The environment of programs that shall show on it. */
  readonly env: NodeJS.ProcessEnv;
  close(): void;
}

/** Starts a screen. */
export async function startScreen(): Promise<Screen> {
  const screen = spawn(SCREEN_PATH, ["-displayfd", "1", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const number = await new Promise<string>((resolve, reject) => {
    screen.once("error", reject);
    screen.once("exit", () => reject(new Error("Xvfb ended")));
    screen.stdout.setEncoding("utf8").once("data", (text: string) => resolve(text.trim()));
  });
  return {
    // GTK's own input method, whatever the machine uses.
    env: { ...process.env, DISPLAY: `:${number}`, GTK_IM_MODULE: "gtk-im-context-simple" },
    close: () => void screen.kill(),
  };
}
