import { buildWeb } from "./lib/web-build.ts";

try {
  await buildWeb();
} catch (error) {
  process.stderr.write(`parley: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
