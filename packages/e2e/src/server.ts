import { type ChildProcess, execFile, spawn } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { freePort } from "@parley/server/testing/local-programs";

const MAIN = fileURLToPath(new URL("../../server/src/main.ts", import.meta.url));
const ADMIN = fileURLToPath(new URL("../../server/src/cli/admin.ts", import.meta.url));
// Two minutes: a busy machine may need one.
const START_TRIES = 2_400;
const TRY_EVERY_MS = 50;

/** A real server on a free loopback port, with a folder of its own. */
export interface RunningServer {
  readonly url: string;
  /** Sends SIGTERM and waits until the process has ended. Port and data stay. */
  stop(): Promise<void>;
  /** Sends SIGKILL: to the process it is like a power cut. */
  kill(): Promise<void>;
  /** Runs `npm run admin` beside the running server and returns its output. */
  admin(...command: string[]): Promise<string>;
  /** Starts the server again with the same port and data. */
  start(): Promise<void>;
  /** Copies the data. Returns a function that restores them. The server must be stopped for both. */
  backUp(): Promise<() => Promise<void>>;
  /** Kills the server and deletes its data. */
  dispose(): Promise<void>;
}

/** Starts a server. `env` overrides its configuration, `prepare` fills its data folder first. */
export async function startServer(
  env: Record<string, string> = {},
  prepare: (dataDir: string) => Promise<void> = () => Promise.resolve(),
): Promise<RunningServer> {
  const port = await freePort();
  const dataDir = await mkdtemp(join(tmpdir(), "parley-e2e-"));
  const backup = `${dataDir}-backup`;
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | null = null;
  let exited: Promise<void> = Promise.resolve();
  let output = "";

  const start = async () => {
    const running = spawn(process.execPath, [MAIN], {
      env: {
        ...process.env,
        PORT: String(port),
        HOST: "127.0.0.1",
        DATA_DIR: dataDir,
        PASSWORD_COST: "low",
        RATE_LIMITS: "off",
        LOG_LEVEL: "warn",
        ...env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    child = running;
    output = "";
    for (const stream of [running.stdout, running.stderr]) {
      stream.on("data", (chunk: Buffer) => (output = (output + chunk.toString()).slice(-4_000)));
    }
    exited = new Promise((resolve) => running.once("exit", () => resolve()));
    for (let i = 0; i < START_TRIES; i++) {
      if (running.exitCode !== null) break;
      if (await isReady(url)) return;
      await sleep(TRY_EVERY_MS);
    }
    running.kill("SIGKILL");
    throw new Error(`the server did not start:\n${output}`);
  };
  const terminate = async (signal: "SIGTERM" | "SIGKILL") => {
    child?.kill(signal);
    await exited;
    child = null;
  };

  await prepare(dataDir);
  await start();
  return {
    url,
    start,
    stop: () => terminate("SIGTERM"),
    kill: () => terminate("SIGKILL"),
    async admin(...command) {
      const options = { env: { ...process.env, DATA_DIR: dataDir } };
      const { stdout } = await promisify(execFile)(process.execPath, [ADMIN, ...command], options);
      return stdout;
    },
    async backUp() {
      await cp(dataDir, backup, { recursive: true });
      return async () => {
        await rm(dataDir, { recursive: true });
        await cp(backup, dataDir, { recursive: true });
      };
    },
    async dispose() {
      await terminate("SIGKILL");
      for (const folder of [dataDir, backup]) await rm(folder, { recursive: true, force: true });
    },
  };
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`)).ok;
  } catch {
    return false;
  }
}
