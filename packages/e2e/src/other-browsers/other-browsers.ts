import { existsSync } from "node:fs";
import type { Report } from "@parley/reliability/faults/report";
import type { Driver } from "./driver.ts";
import { FIREFOX_PATHS, launchFirefox } from "./firefox.ts";
import { runMainJourney } from "./main-journey.ts";
import { launchWebKit, WEBKIT_PATHS } from "./webkit.ts";

/** A browser other than that of the browser tests. */
export interface OtherBrowser {
  /** Debian's packages of it, and of what it needs here. */
  readonly packages: readonly string[];
  /** The programs of these packages. */
  readonly paths: readonly string[];
  readonly launch: () => Promise<Driver>;
}

/** The browsers by the ids of their batteries. */
export const OTHER_BROWSERS: Readonly<Record<string, OtherBrowser>> = {
  FIREFOX: { packages: ["firefox-esr", "xvfb", "xdotool"], paths: FIREFOX_PATHS, launch: launchFirefox },
  WEBKIT: { packages: ["webkit2gtk-driver", "xvfb"], paths: WEBKIT_PATHS, launch: launchWebKit },
};

/** Whether the programs of a browser are installed. */
export function isInstalled({ paths }: OtherBrowser): boolean {
  return paths.every((path) => existsSync(path));
}

/** Makes the main journey with a browser, if it is installed. */
export async function runOtherBrowser(id: string, browser: OtherBrowser): Promise<Report> {
  const name = `${id} main journey`;
  if (isInstalled(browser)) return runMainJourney(name, browser.launch);
  const reason = `skipped: Debian's ${browser.packages.join(" and ")} are not installed and could not be`;
  return { name, done: reason, violations: [] };
}
