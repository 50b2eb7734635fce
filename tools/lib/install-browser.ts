import { existsSync } from "node:fs";
import { installPackage, isDebianRoot, updatePackages } from "./debian-packages.ts";
import { runTool } from "./process.ts";

const INSTALLED = [
  "/usr/bin/chromium",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

function findInstalled(): string | undefined {
  return INSTALLED.find((path) => existsSync(path));
}

/** As root on Debian or its kin: the distribution's Chromium. */
async function installFromDebian(): Promise<void> {
  if (!isDebianRoot()) return;
  console.log("Installing Debian's Chromium for the browser tests ...");
  await updatePackages();
  await installPackage("chromium");
  // Only screenshots need the glyphs: without them tests pass all the same.
  await installPackage("fonts-noto-cjk");
}

/**
 * Sees to it that there is a Chromium, and names it to the tests in `PARLEY_CHROMIUM`: the one that is named there, an installed one,
 * Debian's package, else (with no name) the one that Playwright downloads.
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
  if (code !== 0) throw new Error("there is no Chromium; install one, or name it in PARLEY_CHROMIUM.");
}
