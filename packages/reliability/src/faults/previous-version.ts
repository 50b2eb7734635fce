/** The version before this one, out of the git history, so that nodes and clients of both can run side by side. */
import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
const PACKAGES = ["core", "protocol", "reliability", "server"];
const MIGRATIONS = "packages/server/src/adapters/store/migrations/migrate.ts";
const PROTOCOL = "packages/protocol/src/version.ts";
/** A line with the name of a migration, or with the version of the protocol. */
const VERSION_LINE = '^ *"[0-9]{4}-|PROTOCOL_VERSION = [0-9]';
/** Git forbids nothing about the size of an archive, but the default for its output is 1 MiB. */
const OUTPUT_MAX_BYTES = 16_777_216;

const run = promisify(execFile);

/** How devices of a version are started and compared. */
export type DeviceKit = Pick<
  typeof import("./client-device.ts"),
  "startDevice" | "stopAllDevices" | "waitUntilIdle" | "visibleStateOf" | "findUnfinishedPulls"
>;

/** Files of the version before this one. */
export interface PreviousVersion {
  /** Its release, or the beginning of its commit. */
  readonly name: string;
  /** Its main.ts. */
  readonly script: string;
  readonly devices: DeviceKit;
}

/** There is no previous version here; the message is a sentence that says why. */
export class NoPreviousVersionError extends Error {}

/**
 * Unpacks the previous version into an empty folder. It uses the packages that are installed for this version. `ref`: a commit or a tag;
 * without it the last release, or if there was none, the last commit with another schema or protocol whose databases this version can open.
 * Throws `NoPreviousVersionError` if the history is missing.
 */
export async function unpackPreviousVersion(folder: string, ref?: string): Promise<PreviousVersion> {
  const commit = await commitOf(ref ?? (await findPrevious()));
  const archive = join(folder, "version.tar");
  await git("archive", `--output=${archive}`, commit, ...PACKAGES.map((name) => `packages/${name}`));
  await run("tar", ["-xf", archive, "-C", folder]);
  await linkPackages(folder);
  const reliability = join(folder, "packages/reliability/src/faults/client-device.ts");
  return {
    name: await git("describe", "--tags", "--always", commit),
    script: join(folder, "packages/server/src/main.ts"),
    devices: (await import(pathToFileURL(reliability).href)) as DeviceKit,
  };
}

async function findPrevious(): Promise<string> {
  // The files may have been put into the repository of something else.
  const isOwn = (await tryGit("rev-parse", "--show-prefix")) === "";
  if (!isOwn) throw new NoPreviousVersionError("these files have no git history");
  const release = await tryGit("describe", "--tags", "--abbrev=0", "--match=v[0-9]*", "HEAD^");
  if (release !== undefined) return release;
  const changes = await git("log", "--format=%H", "-G", VERSION_LINE, "--", MIGRATIONS, PROTOCOL);
  const current = migrationNames(await readFile(join(ROOT, MIGRATIONS), "utf8"));
  for (const change of changes.split("\n")) {
    // Between releases a migration may get another name, and then no database of before can be opened.
    const names = migrationNames((await tryGit("show", `${change}^:${MIGRATIONS}`)) ?? "");
    if (names.length > 0 && names.every((name, index) => name === current[index])) return `${change}^`;
  }
  throw new NoPreviousVersionError("the git history has no version whose databases this one can open");
}

/** The names of the migrations in their file, in their order. */
function migrationNames(source: string): string[] {
  return Array.from(source.matchAll(/^ *"(\d{4}-[^"]+)"/gm), ([, name = ""]) => name);
}

async function commitOf(ref: string): Promise<string> {
  const commit = await tryGit("rev-parse", "--verify", "--quiet", `${ref}^{commit}`);
  if (commit === undefined) throw new NoPreviousVersionError(`the git history does not have ${ref}`);
  return commit;
}

/** Its own packages by their own names, and those of others that this version uses. */
async function linkPackages(folder: string): Promise<void> {
  const modules = join(folder, "node_modules");
  await mkdir(join(modules, "@parley"), { recursive: true });
  for (const name of await readdir(join(ROOT, "node_modules"))) {
    if (!name.startsWith(".") && name !== "@parley")
      await symlink(join(ROOT, "node_modules", name), join(modules, name), "junction");
  }
  for (const name of PACKAGES) {
    const own = join(folder, "packages", name);
    await symlink(own, join(modules, "@parley", name), "junction");
    const nested = join(ROOT, "packages", name, "node_modules");
    if (await isFolder(nested)) await symlink(nested, join(own, "node_modules"), "junction");
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

async function git(...args: string[]): Promise<string> {
  const { stdout } = await run("git", ["-C", ROOT, ...args], { maxBuffer: OUTPUT_MAX_BYTES });
  return stdout.trim();
}

/** Undefined if git is missing or refuses. */
async function tryGit(...args: string[]): Promise<string | undefined> {
  return git(...args).catch(() => undefined);
}
