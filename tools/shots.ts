// Takes pictures of every screen and dialog, in three languages, wide and narrow, light and dark, and writes a page that shows them beside
// each other. `npm run shots -- folder` takes another folder than `shots`.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { repository } from "./lib/files.ts";
import { installBrowser } from "./lib/install-browser.ts";
import { printFailures } from "./lib/run-checks.ts";
import { shotsPage } from "./lib/shots-page.ts";
import { runBrowserTests } from "./lib/test-runners.ts";

const folder = resolve(process.argv[2] ?? join(repository, "shots"));
mkdirSync(folder, { recursive: true });
for (const name of readdirSync(folder)) if (/\.(png|html)$/.test(name)) rmSync(join(folder, name));
await installBrowser();
process.env["PARLEY_SHOTS"] = folder;
const { failures } = await runBrowserTests(["tests/screens.spec"]);
const page = join(folder, "index.html");
writeFileSync(page, shotsPage(readdirSync(folder)));
printFailures(failures);
console.log(`The pictures are on ${page}`);
process.exitCode = failures.length > 0 ? 1 : 0;
