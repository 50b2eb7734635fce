import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { type Finished, run } from "./process.ts";

const env = { DEBIAN_FRONTEND: "noninteractive" };

/** Whether packages of Debian or its kin can be installed here. */
export function isDebianRoot(): boolean {
  return process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
}

export async function updatePackages(): Promise<void> {
  await run("apt-get", ["update", "-q"], { env });
}

export function installPackage(name: string): Promise<Finished> {
  return run("apt-get", ["install", "-y", "--no-install-recommends", name], { env });
}

/** Programs of the batteries of faults; without one a battery says that it is skipped, and why. */
const FAULT_PROGRAMS = ["strace"];

/** Sees to it that the programs are there with which the tests break things, where that is possible. */
export async function installFaultPrograms(): Promise<void> {
  const missing = FAULT_PROGRAMS.filter((name) => spawnSync(name, ["-V"]).error !== undefined);
  if (missing.length === 0 || !isDebianRoot()) return;
  console.log(`Installing Debian's ${missing.join(", ")} for the batteries of faults ...`);
  await updatePackages();
  for (const name of missing) await installPackage(name);
}
