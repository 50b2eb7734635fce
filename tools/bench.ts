// Installs what some benchmarks need, a browser and a TURN server, and runs them. They read their arguments from the command line.
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { CALL_PROGRAMS, installPrograms } from "./lib/debian-packages.ts";
import { installBrowser } from "./lib/install-browser.ts";
import { repository } from "./lib/files.ts";

await installBrowser();
await installPrograms(CALL_PROGRAMS);
// Imported by path, since parts of it run in a page and are type-checked by another project than these tools.
await import(pathToFileURL(join(repository, "packages/bench/src/main.ts")).href);
