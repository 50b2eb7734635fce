import { CALL_PROGRAMS, NODE_PROGRAMS, installPrograms } from "./lib/debian-packages.ts";
import { buildDesktopForTests } from "./lib/desktop-build.ts";
import { installBrowser } from "./lib/install-browser.ts";
import { printFailures } from "./lib/run-checks.ts";
import { runBrowserTests } from "./lib/test-runners.ts";

try {
  await installBrowser();
  await installPrograms([...CALL_PROGRAMS, ...NODE_PROGRAMS]);
  await buildDesktopForTests();
  const { failures } = await runBrowserTests(process.argv.slice(2));
  printFailures(failures);
  process.exitCode = failures.length > 0 ? 1 : 0;
} catch (error) {
  console.error(`parley: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
