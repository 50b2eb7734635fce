import { existsSync } from "node:fs";
import { run, runTool } from "./process.ts";

const INSTALLED = [
  "/usr/bin/chromium",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

function installed(): string | undefined {
  return INSTALLED.find((path) => existsSync(path));
}

/** As root on Debian or its kin: the distribution's Chromium. */
async function installFromDebian(): Promise<void> {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  console.log("Installing Debian's Chromium for the browser tests ...");
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  const install = ["install", "-y", "--no-install-recommends"];
  await run("apt-get", ["update", "-q"], { env });
  await run("apt-get", [...install, "chromium"], { env });
  // Only screenshots need the glyphs: without them tests pass all the same.
  await run("apt-get", [...install, "fonts-noto-cjk"], { env });
}

/**
 * Sees to it that there is a Chromium, and names it to the tests in `PARLEY_CHROMIUM`: the one that is named there, an installed one,
 * Debian's package, else (with no name) the one that Playwright downloads.
 */
export async function bringBrowser(): Promise<void> {
  const named = process.env["PARLEY_CHROMIUM"];
  if (named !== undefined) {
    if (!existsSync(named)) throw new Error(`PARLEY_CHROMIUM names ${named}, which does not exist.`);
    return;
  }
  if (installed() === undefined) await installFromDebian();
  const found = installed();
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
