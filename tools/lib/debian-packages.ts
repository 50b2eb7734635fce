import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { hasTurnServer } from "@parley/e2e/turn-server";
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

/** Installs Redis for the tests of several nodes if it is missing, where that is possible. Without it they are skipped. */
export async function installRedis(): Promise<void> {
  const isMissing = ["redis-server", "valkey-server"].every(
    (name) => spawnSync(name, ["--version"]).error !== undefined,
  );
  if (!isMissing || !isDebianRoot()) return;
  console.log("Installing Debian's redis-server for the tests of several nodes ...");
  await updatePackages();
  await installPackage("redis-server");
  // The package starts a server for everybody. The tests start their own.
  if (existsSync("/run/systemd/system")) await run("systemctl", ["disable", "--now", "redis-server"]);
}

/** Installs the TURN server of the browser tests if it is missing, where that is possible. Without it they are skipped. */
export async function installTurnServer(): Promise<void> {
  if (hasTurnServer() || !isDebianRoot()) return;
  console.log("Installing Debian's coturn for the browser tests ...");
  await updatePackages();
  await installPackage("coturn");
  // The package starts a server for everybody. The tests start one of their own.
  if (existsSync("/run/systemd/system")) await run("systemctl", ["disable", "--now", "coturn"]);
}

/** What the tests of `deploy/` need: a program, its package, and the service that the package starts for everybody. */
const DEPLOY_PACKAGES = [
  { program: "/usr/bin/caddy", name: "caddy", service: "caddy" },
  { program: "/usr/sbin/nginx", name: "nginx-light", service: "nginx" },
  { program: "/usr/sbin/haproxy", name: "haproxy", service: "haproxy" },
  { program: "/usr/bin/openssl", name: "openssl", service: undefined },
  { program: "/usr/bin/systemd-analyze", name: "systemd", service: undefined },
] as const;

/** Installs what the tests of `deploy/` need if it is missing, where that is possible. Without it they are skipped. */
export async function installDeployPrograms(): Promise<void> {
  const missing = DEPLOY_PACKAGES.filter(({ program }) => !existsSync(program));
  if (missing.length === 0 || !isDebianRoot()) return;
  console.log(
    `Installing Debian's ${missing.map(({ name }) => name).join(", ")} for the tests of deploy/ ...`,
  );
  await updatePackages();
  for (const { name, service } of missing) {
    await installPackage(name);
    // The tests start proxies of their own.
    if (service !== undefined && existsSync("/run/systemd/system"))
      await run("systemctl", ["disable", "--now", service]);
  }
}
