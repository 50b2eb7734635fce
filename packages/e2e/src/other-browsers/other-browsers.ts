import { existsSync } from "node:fs";
import type { Report } from "@parley/reliability/faults/report";
import type { Driver } from "./driver.ts";
import { FIREFOX_PATHS, launchFirefox } from "./firefox.ts";
import { LOUDSPEAKER_PATH } from "./loudspeaker.ts";
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

const FIREFOX: OtherBrowser = {
  packages: ["firefox-esr", "xvfb", "xdotool"],
  paths: FIREFOX_PATHS,
  launch: () => launchFirefox(),
};
const WEBKIT: OtherBrowser = {
  packages: ["webkit2gtk-driver", "xvfb"],
  paths: WEBKIT_PATHS,
  launch: launchWebKit,
};

/** The browsers that batteries need, by the ids of these. */
export const OTHER_BROWSERS = {
  FIREFOX,
  WEBKIT,
  "FIREFOX-CALL": {
    ...FIREFOX,
    packages: [...FIREFOX.packages, "pulseaudio"],
    paths: [...FIREFOX.paths, LOUDSPEAKER_PATH],
  },
} as const satisfies Record<string, OtherBrowser>;

/** Whether the programs of a browser are installed. */
export function isInstalled({ paths }: OtherBrowser): boolean {
  return paths.every((path) => existsSync(path));
}

/** Makes the main journey with a browser, if it is installed. */
export function runOtherBrowser(id: keyof typeof OTHER_BROWSERS): Promise<Report> {
  return ifInstalled(id, () => runMainJourney(`${id} main journey`, OTHER_BROWSERS[id].launch));
}

/** Runs a battery if its browser is installed. */
export async function ifInstalled(
  id: keyof typeof OTHER_BROWSERS,
  run: () => Promise<Report>,
): Promise<Report> {
  const browser = OTHER_BROWSERS[id];
  if (isInstalled(browser)) return run();
  const reason = `skipped: Debian's ${browser.packages.join(" and ")} are not installed and could not be`;
  return { name: id, done: reason, violations: [] };
}
