import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { hasTurnServer } from "@parley/e2e/turn-server";
import { findPostgres } from "@parley/server/testing/postgres-cluster";
import { findRedis } from "@parley/server/testing/redis-server";
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

/** A program of a test. Without it the test is skipped, and says so. */
interface TestProgram {
  packageName: string;
  isMissing(): boolean;
  /** What the package starts for everybody. The tests start their own. */
  service?: string;
}

const cannotRun = (name: string, argument: string) => spawnSync(name, [argument]).error !== undefined;
const at = (path: string) => ({ isMissing: () => !existsSync(path) });

/** For batteries that let calls of the system fail. */
export const FAULT_PROGRAMS: readonly TestProgram[] = [
  { packageName: "strace", isMissing: () => cannotRun("strace", "-V") },
];

/** For the tests of several nodes. */
export const NODE_PROGRAMS: readonly TestProgram[] = [
  {
    packageName: "redis-server",
    isMissing: () => findRedis() === undefined,
    service: "redis-server",
  },
  { packageName: "postgresql", isMissing: () => findPostgres() === undefined, service: "postgresql" },
];

/** For the tests of calls. */
export const CALL_PROGRAMS: readonly TestProgram[] = [
  { packageName: "coturn", isMissing: () => !hasTurnServer(), service: "coturn" },
];

/** For the tests of `deploy/`. */
export const DEPLOY_PROGRAMS: readonly TestProgram[] = [
  { packageName: "caddy", ...at("/usr/bin/caddy"), service: "caddy" },
  { packageName: "nginx-light", ...at("/usr/sbin/nginx"), service: "nginx" },
  { packageName: "haproxy", ...at("/usr/sbin/haproxy"), service: "haproxy" },
  { packageName: "openssl", ...at("/usr/bin/openssl") },
  { packageName: "systemd", ...at("/usr/bin/systemd-analyze") },
];

/**
 * Installs missing programs where that is possible. Throws if it is possible and fails, because tests that are skipped would look like tests
 * that pass.
 */
export async function installPrograms(programs: readonly TestProgram[]): Promise<void> {
  const missing = programs.filter(({ isMissing }) => isMissing());
  if (missing.length === 0 || !isDebianRoot()) return;
  console.log(`Installing Debian's ${missing.map(({ packageName }) => packageName).join(", ")} ...`);
  await updatePackages();
  for (const { packageName, service } of missing) {
    await installPackage(packageName);
    if (service !== undefined && existsSync("/run/systemd/system"))
      await run("systemctl", ["disable", "--now", service]);
  }
  const failed = missing.filter(({ isMissing }) => isMissing()).map(({ packageName }) => packageName);
  if (failed.length > 0)
    throw new Error(`Debian's ${failed.join(", ")} could not be installed, so tests would be skipped.`);
}
