import { type ChildProcess, execFile, spawn } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const MAIN = fileURLToPath(new URL("../../server/src/main.ts", import.meta.url));
const ADMIN = fileURLToPath(new URL("../../server/src/admin.ts", import.meta.url));
const START_TRIES = 600;
const TRY_EVERY_MS = 50;

/** A real server on a free loopback port, with a folder of its own. */
export interface RunningServer {
  readonly url: string;
  /** SIGTERM, waits for the end. The port and the data stay. */
  stop(): Promise<void>;
  /** SIGKILL: what a power cut does to a process. */
  kill(): Promise<void>;
  /** What `npm run admin` does beside the running server; answers what it says. */
  admin(...command: string[]): Promise<string>;
  /** Again on the same port and data. */
  start(): Promise<void>;
  /** Copies the data of a server that was stopped; the answer puts them back, while it is stopped as well. */
  backUp(): Promise<() => Promise<void>>;
  /** Stops it and throws its data away. */
  dispose(): Promise<void>;
}

/** Starts a server; `env` overrides its configuration, `prepare` fills its data folder first. */
export async function startServer(
  env: Record<string, string> = {},
  prepare: (dataDir: string) => Promise<void> = () => Promise.resolve(),
): Promise<RunningServer> {
  const port = await freePort();
  const dataDir = await mkdtemp(join(tmpdir(), "parley-e2e-"));
  const backup = `${dataDir}-backup`;
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | null = null;
  let ended: Promise<void> = Promise.resolve();
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
    ended = new Promise((resolve) => running.once("exit", () => resolve()));
    for (let i = 0; i < START_TRIES; i++) {
      if (running.exitCode !== null) break;
      if (await isReady(url)) return;
      await sleep(TRY_EVERY_MS);
    }
    running.kill("SIGKILL");
    throw new Error(`The server did not start:\n${output}`);
  };
  const end = async (signal: "SIGTERM" | "SIGKILL") => {
    child?.kill(signal);
    await ended;
    child = null;
  };

  await prepare(dataDir);
  await start();
  return {
    url,
    start,
    stop: () => end("SIGTERM"),
    kill: () => end("SIGKILL"),
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
      await end("SIGKILL");
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

/** A loopback port nobody listens on. */
async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port to be had");
  return address.port;
}
