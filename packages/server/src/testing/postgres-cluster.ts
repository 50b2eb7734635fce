/** Starts PostgreSQL servers that exist for tests only: on a free port of this machine, with their data in a temporary folder. */
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { freePort, isExecutable, PROGRAM_FOLDERS } from "./local-programs.ts";

const POLL_MS = 20;
const START_MAX_MS = 60_000;
/** Debian's folder of installed versions. None of their programs is in PATH. */
const DEBIAN = "/usr/lib/postgresql";
/** The account of the tests' databases. */
const USER = "parley";
/** PostgreSQL does not run as root; one of these accounts runs it then. */
const ACCOUNTS = ["postgres", "nobody"];
/**
 * Runs PostgreSQL until it ends or standard input does. Whatever ends the tests closes the input, so that no server outlives them, not even
 * those of a test runner that was killed.
 */
const SUPERVISOR = `trap "" INT; exec 3<&0; "$0" "$@" </dev/null 3<&- & pid=$!;
  { cat <&3 >/dev/null; kill -0 $$ && kill -QUIT $pid; } 2>/dev/null & wait $pid`;
/** Small, because many of them may run, and without what only a replica needs. */
const SMALL = { shared_buffers: "16MB", max_wal_senders: "0", wal_level: "minimal" };

/** A running server. */
export interface PostgresCluster {
  /** The URL of a database. */
  url(database: string): string;
  /**
   * Ends the server. `fast` rolls transactions back and closes connections; `immediate` is a crash.
   */
  stop(mode: "fast" | "immediate"): Promise<void>;
  /** Starts the server again after `stop`, at the same address. */
  start(): Promise<void>;
  /** Ends the server and removes its data. */
  dispose(): Promise<void>;
}

/** The folder of the newest PostgreSQL programs of this machine; undefined if there are none. */
export function findPostgres(): string | undefined {
  if (process.platform === "win32") return undefined;
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).toSorted((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(DEBIAN, version, "bin")), ...PROGRAM_FOLDERS];
  return folders.find((folder) => ["initdb", "postgres"].every((name) => isExecutable(join(folder, name))));
}

/** Creates a server with these settings and starts it. */
export async function startCluster(
  settings: Readonly<Record<string, string>> = {},
): Promise<PostgresCluster> {
  const programs = findPostgres();
  if (programs === undefined) throw new Error("PostgreSQL is not installed on this machine");
  const account = unprivilegedAccount();
  const folder = await mkdtemp(join(tmpdir(), "parley-postgres-"));
  if (account !== undefined) await chown(folder, account.uid, account.gid);
  const data = join(folder, "data");
  const options = { ...account, cwd: folder };
  const initdb = ["-D", data, "-U", USER, "-E", "UTF8", "--locale=C", "--auth=trust", "--no-sync"];
  await promisify(execFile)(join(programs, "initdb"), initdb, options);
  const port = await freePort();
  let ended: Promise<void> | undefined;

  async function start(): Promise<void> {
    const all = {
      port: String(port),
      listen_addresses: "127.0.0.1",
      unix_socket_directories: "",
      ...SMALL,
      ...settings,
    };
    const args = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const child = spawn("sh", ["-c", SUPERVISOR, join(programs ?? "", "postgres"), "-D", data, ...args], {
      ...options,
      stdio: ["pipe", "ignore", "pipe"],
    });
    let output = "";
    child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
    let hasEnded = false;
    ended = once(child, "exit").then(() => {
      hasEnded = true;
      child.stdin.end();
    });
    const until = performance.now() + START_MAX_MS;
    while (!isReady(data)) {
      if (hasEnded || performance.now() > until) {
        child.stdin.end();
        throw new Error(`PostgreSQL did not start: ${output}`);
      }
      await sleep(POLL_MS);
    }
  }

  async function stop(mode: "fast" | "immediate"): Promise<void> {
    const pid = Number(pidFile(data)?.[0]);
    if (pid > 0) process.kill(pid, mode === "fast" ? "SIGINT" : "SIGQUIT");
    await ended;
  }

  await start();
  return {
    url: (database) => `postgres://${USER}@127.0.0.1:${port}/${database}`,
    stop,
    start,
    async dispose() {
      await stop("immediate");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The account that runs the server, if this process is root. */
function unprivilegedAccount(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string, name: string) =>
    Number(execFileSync("id", [flag, name], { stdio: ["ignore", "pipe", "ignore"] }).toString());
  for (const name of ACCOUNTS) {
    try {
      return { uid: idOf("-u", name), gid: idOf("-g", name) };
    } catch {
      // This machine has no such account.
    }
  }
  throw new Error(`none of the accounts ${ACCOUNTS.join(", ")} exists, and root cannot run PostgreSQL`);
}

/** The lines of the file in which a running server says what it is; undefined without one. */
function pidFile(data: string): string[] | undefined {
  const path = join(data, "postmaster.pid");
  return existsSync(path) ? readFileSync(path, "utf8").split("\n") : undefined;
}

function isReady(data: string): boolean {
  return pidFile(data)?.[7]?.trim() === "ready";
}
