import { defineConfig } from "@playwright/test";
import { fastBrowser } from "./src/browsers.ts";

/** Tests with sound and pictures keep both cores of a small machine busy, so that the tests beside them would fail. */
const calls = /(call|turn)[^/]*\.spec\.ts$/;

export default defineConfig({
  testDir: "./tests",
  outputDir: "./test-results",
  workers: 3,
  // `npm test` runs one after the other.
  projects: [
    { name: "pages", testIgnore: calls },
    { name: "calls", testMatch: calls, workers: 1 },
  ],
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
    launchOptions: fastBrowser(),
  },
});
