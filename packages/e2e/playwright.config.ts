import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

/** `npm run e2e` and `npm test` set PARLEY_CHROMIUM. Without it, Debian's Chromium is used, or else the one that Playwright downloads. */
const debian = "/usr/bin/chromium";
const executablePath = process.env["PARLEY_CHROMIUM"] ?? (existsSync(debian) ? debian : undefined);
const isRoot = process.getuid?.() === 0;

export default defineConfig({
  testDir: "./tests",
  outputDir: "./test-results",
  workers: 3,
  // So that no worker has a long file left when the others have ended. Files whose tests share a server with conversations stay together.
  fullyParallel: true,
  // Generous, because a slow machine must not fail a test. They only bound how long a failure takes.
  timeout: 240_000,
  expect: { timeout: 20_000 },
  forbidOnly: true,
  // A test that passes only at its second try is reported as flaky and counts as failed (decision 4).
  retries: 1,
  reporter: [["list"]],
  use: {
    // Its requests beside those of the page would make other tests slower, and routes of Playwright do not see what it answers. The tests
    // of the installed app (pwa.spec.ts) allow it.
    serviceWorkers: "block",
    trace: "on-first-retry",
    screenshot: "only-on-failure",
    viewport: { width: 1440, height: 900 },
    actionTimeout: 20_000,
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      args: [
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
        "--use-fake-device-for-media-stream",
        "--use-fake-ui-for-media-stream",
      ],
    },
  },
});
