import { installBrowser } from "./lib/install-browser.ts";
import { runBrowserTests } from "./lib/test-runners.ts";

try {
  await installBrowser();
  const { failed } = await runBrowserTests(process.argv.slice(2));
  process.exitCode = failed > 0 ? 1 : 0;
} catch (error) {
  console.error(`parley: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
