import { existsSync } from "node:fs";
import type { LaunchOptions } from "@playwright/test";

const isRoot = process.getuid?.() === 0;

const args = [
  // Chromium refuses to run as root inside its sandbox.
  ...(isRoot ? ["--no-sandbox"] : []),
  // A host name that is not a secure origin, as on a LAN.
  "--host-resolver-rules=MAP parley.test 127.0.0.1",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Ten pictures a second: the browsers of a call would keep two cores busy with more.
  "--use-fake-device-for-media-stream=fps=10",
  "--use-fake-ui-for-media-stream",
];

/** Options for a browser without the arguments that begin like one of these. */
export function withoutArguments(
  { args: all = [], ...options }: LaunchOptions,
  ...beginnings: readonly string[]
): LaunchOptions {
  return {
    ...options,
    args: all.filter((arg) => !beginnings.some((beginning) => arg.startsWith(beginning))),
  };
}

/** The path that a variable of `npm run e2e` and `npm test` names, or else the program of Debian's package if it is installed. */
function browserPath(variable: string, debian: string): string | undefined {
  return process.env[variable] ?? (existsSync(debian) ? debian : undefined);
}

/** How to start a complete Chromium. Without an installed one, Playwright uses the one that it downloads. */
export function completeBrowser(): LaunchOptions {
  const executablePath = browserPath("PARLEY_CHROMIUM", "/usr/bin/chromium");
  return executablePath === undefined ? { channel: "chromium", args } : { executablePath, args };
}

/**
 * How to start the browser of most tests: Chromium's headless shell, which has the same engine and needs little more than half of the
 * processor time, because it draws no windows. It has no notifications and asks no questions. Without one, the complete browser is used.
 */
export function fastBrowser(): LaunchOptions {
  const executablePath = browserPath("PARLEY_HEADLESS_SHELL", "/usr/bin/chromium-headless-shell");
  return executablePath === undefined ? completeBrowser() : { executablePath, args };
}
