import { existsSync } from "node:fs";
import { installPackage, isDebianRoot, updatePackages } from "./debian-packages.ts";
import { runTool } from "./process.ts";

const BROWSER_PATHS = [
  "/usr/bin/chromium",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

function findInstalled(): string | undefined {
  return BROWSER_PATHS.find((path) => existsSync(path));
}

/** Installs the distribution's Chromium, as root on Debian or a distribution based on it. */
async function installFromDebian(): Promise<void> {
  if (!isDebianRoot()) return;
  console.log("Installing Debian's Chromium for the browser tests ...");
  await updatePackages();
  await installPackage("chromium");
  // Only screenshots need the font: tests pass without it.
  await installPackage("fonts-noto-cjk");
}

/**
 * Makes sure that a Chromium is installed and sets `PARLEY_CHROMIUM` to its path: the path that is already set, an installed browser, or
 * Debian's package. Otherwise Playwright downloads its own, and the variable stays unset.
 */
export async function installBrowser(): Promise<void> {
  const named = process.env["PARLEY_CHROMIUM"];
  if (named !== undefined) {
    if (!existsSync(named)) throw new Error(`PARLEY_CHROMIUM names ${named}, which does not exist.`);
    return;
  }
  if (findInstalled() === undefined) await installFromDebian();
  const found = findInstalled();
  if (found !== undefined) {
    process.env["PARLEY_CHROMIUM"] = found;
    return;
  }
  console.log("Downloading Playwright's Chromium for the browser tests ...");
  const { code } = await runTool("@playwright/test/cli.js", ["install", "chromium"], {
    onOutput: (text) => void process.stdout.write(text),
  });
  if (code !== 0) throw new Error("no Chromium was found; install one, or set PARLEY_CHROMIUM to its path.");
}
