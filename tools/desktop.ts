// Builds the desktop application and starts it, or packages it: `npm run desktop`, `npm run desktop -- package --linux`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { DESKTOP_APP, findElectron, HOW_TO_GET_ELECTRON } from "@parley/e2e/electron";
import { buildDesktop } from "./lib/desktop-build.ts";
import { installPackaging, packageDesktop } from "./lib/desktop-packaging.ts";
import { buildWeb } from "./lib/web-build.ts";

/** Resolves with the exit code. */
async function start(args: readonly string[]): Promise<number> {
  const electron = findElectron();
  if (electron === null) throw new Error(HOW_TO_GET_ELECTRON);
  await buildWeb();
  await buildDesktop();
  const application = spawn(electron, [DESKTOP_APP, ...args], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => application.kill(signal));
  const [code] = (await once(application, "exit")) as [number | null];
  return code ?? 1;
}

async function makePackages(args: readonly string[]): Promise<number> {
  await installPackaging();
  await buildWeb();
  await buildDesktop();
  const { code } = await packageDesktop(args, { onOutput: (text) => void process.stdout.write(text) });
  return code;
}

const args = process.argv.slice(2);
try {
  process.exitCode = args[0] === "package" ? await makePackages(args.slice(1)) : await start(args);
} catch (error) {
  process.stderr.write(`parley: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
