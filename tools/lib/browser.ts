import { existsSync } from "node:fs";
import { run, runTool } from "./process.ts";

const INSTALLED = ["/usr/bin/chromium", "/usr/bin/google-chrome"];

/**
 * Sees to it that there is a Chromium: the one that `PARLEY_CHROMIUM` names, an installed one, Debian's package when we are root there, else
 * the one that Playwright downloads. `packages/e2e/playwright.config.ts` looks in the same places.
 */
export async function bringBrowser(): Promise<void> {
  const named = process.env["PARLEY_CHROMIUM"];
  if (named !== undefined && !existsSync(named))
    throw new Error(`PARLEY_CHROMIUM names ${named}, which does not exist.`);
  if (named !== undefined || INSTALLED.some((path) => existsSync(path))) return;
  const onOutput = (text: string): void => void process.stdout.write(text);
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    console.log("Installing Debian's Chromium for the browser tests ...");
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const install = ["install", "-y", "--no-install-recommends"];
    await run("apt-get", ["update", "-q"], { env });
    await run("apt-get", [...install, "chromium"], { env });
    // Only screenshots need the glyphs: without them tests pass all the same.
    await run("apt-get", [...install, "fonts-noto-cjk"], { env });
    if (INSTALLED.some((path) => existsSync(path))) return;
  }
  console.log("Downloading Playwright's Chromium for the browser tests ...");
  const { code } = await runTool("@playwright/test/cli.js", ["install", "chromium"], { onOutput });
  if (code !== 0) throw new Error("there is no Chromium; install one, or name it in PARLEY_CHROMIUM.");
}
