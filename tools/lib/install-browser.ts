import { existsSync } from "node:fs";
import { isInstalled, OTHER_BROWSERS } from "@parley/e2e/other-browsers/other-browsers";
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

/** The browser of most tests, of which only Debian has a package. */
const SHELL_PATH = "/usr/bin/chromium-headless-shell";

/** Installs what is missing of the distribution's browsers, as root on Debian or a distribution based on it. */
async function installFromDebian(): Promise<void> {
  const isBrowserMissing = findInstalled() === undefined;
  const isShellMissing = !existsSync(SHELL_PATH);
  if (!isDebianRoot() || !(isBrowserMissing || isShellMissing)) return;
  console.log("Installing Debian's Chromium for the browser tests ...");
  await updatePackages();
  if (isBrowserMissing) {
    await installPackage("chromium");
    // Only screenshots need the font: tests pass without it.
    await installPackage("fonts-noto-cjk");
  }
  if (isShellMissing) await installPackage("chromium-headless-shell");
}

/**
 * Makes sure that a Chromium is installed and sets `PARLEY_CHROMIUM` to its path: the path that is already set, an installed browser, or
 * Debian's package. Otherwise Playwright downloads its own, and the variable stays unset. On Debian it also installs the headless shell
 * and sets `PARLEY_HEADLESS_SHELL` to its path, unless the variables name another browser.
 */
export async function installBrowser(): Promise<void> {
  for (const name of ["PARLEY_CHROMIUM", "PARLEY_HEADLESS_SHELL"]) {
    const path = process.env[name];
    if (path !== undefined && !existsSync(path))
      throw new Error(`${name} names ${path}, which does not exist.`);
  }
  const named = process.env["PARLEY_CHROMIUM"];
  if (named !== undefined) {
    process.env["PARLEY_HEADLESS_SHELL"] ??= named;
    return;
  }
  await installFromDebian();
  if (existsSync(SHELL_PATH)) process.env["PARLEY_HEADLESS_SHELL"] ??= SHELL_PATH;
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

/** Installs those of the other browsers with these ids that are missing, where that is possible. */
export async function installOtherBrowsers(ids: readonly string[]): Promise<void> {
  const missing = Object.entries(OTHER_BROWSERS).filter(
    ([id, browser]) => ids.includes(id) && !isInstalled(browser),
  );
  if (missing.length === 0 || !isDebianRoot()) return;
  const packages = new Set(missing.flatMap(([, browser]) => browser.packages));
  console.log(`Installing Debian's ${[...packages].join(", ")} ...`);
  await updatePackages();
  for (const name of packages) await installPackage(name);
}
