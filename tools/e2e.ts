import { bringBrowser } from "./lib/browser.ts";
import { runBrowserTests } from "./lib/runners.ts";

try {
  await bringBrowser();
  const { failed } = await runBrowserTests(process.argv.slice(2));
  process.exitCode = failed > 0 ? 1 : 0;
} catch (error) {
  console.error(`parley: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
