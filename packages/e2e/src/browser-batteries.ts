/** The batteries that need a browser, with their full numbers, for `npm run test:full`. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "@playwright/test";
import type { Battery } from "@parley/server/testing/faults/report";
import config from "../playwright.config.ts";
import { runSoak } from "./soak.ts";

/** `SOAK_MINUTES=6 npm run test:full -- SOAK` is a shorter one. */
const soakMinutes = Number(process.env["SOAK_MINUTES"] ?? 30);

export const BROWSER_BATTERIES: Record<string, Battery> = {
  SOAK: () =>
    withBrowser((browser, dataDir) =>
      runSoak(browser, { dataDir, chats: 20, filled: 60, minutes: soakMinutes }),
    ),
};

/** With the browser that the browser tests have, and a folder for a server. */
async function withBrowser<T>(run: (browser: Browser, dataDir: string) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), "parley-faults-"));
  // The browser may have been brought after the configuration was read.
  const executablePath = process.env["PARLEY_CHROMIUM"];
  const browser = await chromium.launch({
    ...config.use?.launchOptions,
    ...(executablePath !== undefined && { executablePath }),
  });
  try {
    return await run(browser, dataDir);
  } finally {
    await browser.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}
