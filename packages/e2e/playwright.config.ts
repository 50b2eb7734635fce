import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

/** An installed browser, or none: then Playwright uses its own download. */
const installed = [process.env["PARLEY_CHROMIUM"], "/usr/bin/chromium", "/usr/bin/google-chrome"].find(
  (path) => path !== undefined && existsSync(path),
);
const isRoot = process.getuid?.() === 0;

export default defineConfig({
  testDir: "./tests",
  outputDir: "./test-results",
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: true,
  reporter: [["list"]],
  use: {
    trace: "retain-on-failure",
    screenshot: "only-on-failure",
    viewport: { width: 1440, height: 900 },
    launchOptions: {
      ...(installed ? { executablePath: installed } : {}),
      args: [
        // Chromium refuses to run as root inside its sandbox.
        ...(isRoot ? ["--no-sandbox"] : []),
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--use-fake-device-for-media-stream",
        "--use-fake-ui-for-media-stream",
      ],
    },
  },
});
