// The benchmarks, with the browser that some of them measure in. They read their arguments from the command line.
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { installBrowser } from "./lib/install-browser.ts";
import { repository } from "./lib/files.ts";

await installBrowser();
// By its path: it runs in a page too, and is checked with other types than these tools.
await import(pathToFileURL(join(repository, "packages/bench/src/main.ts")).href);
