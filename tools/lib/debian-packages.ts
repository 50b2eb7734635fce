import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { type Finished, run } from "./process.ts";

const env = { DEBIAN_FRONTEND: "noninteractive" };

/** Whether packages can be installed here: as root, on Debian or a distribution based on it. */
export function isDebianRoot(): boolean {
  return process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
}

/** Updates the list of available packages. */
export async function updatePackages(): Promise<void> {
  await run("apt-get", ["update", "-q"], { env });
}

/** Installs a package of the distribution. */
export function installPackage(name: string): Promise<Finished> {
  return run("apt-get", ["install", "-y", "--no-install-recommends", name], { env });
}

/** Programs that fault batteries need. Without one, a battery reports that it is skipped, and why. */
const FAULT_PROGRAMS = ["strace"];

/** Installs missing programs of the fault batteries, where that is possible. */
export async function installFaultPrograms(): Promise<void> {
  const missing = FAULT_PROGRAMS.filter((name) => spawnSync(name, ["-V"]).error !== undefined);
  if (missing.length === 0 || !isDebianRoot()) return;
  console.log(`Installing Debian's ${missing.join(", ")} for the fault batteries ...`);
  await updatePackages();
  for (const name of missing) await installPackage(name);
}
