/** The real server as a process of its own, to be killed. */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { secretsIn } from "./log-scan.ts";
import type { PassCounts, KillPoint, FailpointQuestion } from "./failpoint-server.ts";

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));
const FAILPOINT_SCRIPT = fileURLToPath(new URL("failpoint-server.ts", import.meta.url));
const CLOCK_SCRIPT = fileURLToPath(new URL("adjustable-clock-server.ts", import.meta.url));
/** How often a file is looked at. */
const POLL_MS = 20;
const READY = /Parley is ready: https?:\/\/[^:]+:(\d+)/;

export interface ServerProcess {
  url: string;
  pid: number;
  kill(signal: NodeJS.Signals): void;
  /** Exit code; null when a signal ended it. */
  exited: Promise<number | null>;
  /** All it has printed. */
  output(): string;
}

/** Lines in which servers that this process started told a token, a hash or a password. */
export const leakedSecrets: string[] = [];

export interface SpawnOptions {
  /** Another script that starts main.ts in its own way. */
  script?: string;
  /** A program and its arguments that runs the server as its own process, such as a tracer that steps aside. */
  under?: readonly string[];
  /** A file for its standard output; what was in it goes. */
  stdout?: string;
}

/** Starts main.ts with nothing but these variables and waits until it is ready. */
export async function startServer(
  env: Record<string, string>,
  options: SpawnOptions = {},
): Promise<ServerProcess> {
  return untilReady(spawnServer(env, options));
}

async function untilReady(server: Spawned): Promise<ServerProcess> {
  let timer: NodeJS.Timeout | undefined;
  const port = await new Promise<string>((resolve, reject) => {
    const look = () => {
      const port = READY.exec(server.output())?.[1];
      if (port !== undefined) resolve(port);
    };
    if (server.child.stdout === null) timer = setInterval(look, POLL_MS);
    else server.child.stdout.on("data", look);
    void server.exited.then((code) => reject(new Error(`the server ended with ${code}: ${server.output()}`)));
  }).finally(() => clearInterval(timer));
  return { ...server, url: `http://127.0.0.1:${port}` };
}

/** A server that ends itself, as by kill -9, at a point of its own code. */
export interface FailpointServer extends ServerProcess {
  /** From now on its passes of the points are counted anew, and at this pass of this point it ends. */
  watch(killPoint?: KillPoint): Promise<void>;
  /** How often it has passed which point. */
  passed(): Promise<PassCounts>;
  /** How often it had passed which when it ended where it was told to. */
  passedAtEnd(): Promise<PassCounts>;
}

export async function startFailpointServer(env: Record<string, string>): Promise<FailpointServer> {
  const server = spawnServer(env, { script: FAILPOINT_SCRIPT });
  const started = await untilReady(server);
  let last: PassCounts = {};
  server.child.on("message", (passes) => void (last = passes as PassCounts));
  const ask = <T>(question: FailpointQuestion): Promise<T> =>
    new Promise((resolve, reject) => {
      void server.exited.then((code) => reject(new Error(`the server ended with ${code}`)));
      server.child.once("message", (answer) => resolve(answer as T));
      server.child.send(question);
    });
  return {
    ...started,
    watch: (killPoint) => ask({ watch: killPoint ?? null }),
    passed: () => ask({ watch: undefined }),
    passedAtEnd: () => server.exited.then(() => last),
  };
}

/** A server on a machine whose clock is set from here. */
export interface ClockServer extends ServerProcess {
  /** So much ahead of the true time, or behind it. */
  setClock(aheadMs: number): Promise<void>;
}

export async function startClockServer(env: Record<string, string>): Promise<ClockServer> {
  const server = spawnServer(env, { script: CLOCK_SCRIPT });
  const started = await untilReady(server);
  return {
    ...started,
    setClock: (aheadMs) =>
      new Promise((resolve, reject) => {
        void server.exited.then((code) => reject(new Error(`the server ended with ${code}`)));
        server.child.once("message", () => resolve());
        server.child.send({ aheadMs });
      }),
  };
}

/** Starts main.ts and waits for its end. */
export async function runServer(
  env: Record<string, string>,
  options: SpawnOptions = {},
): Promise<{ code: number | null; output: string }> {
  const server = spawnServer(env, options);
  const code = await server.exited;
  return { code, output: server.output() };
}

type Spawned = Omit<ServerProcess, "url"> & { child: ChildProcess };

/** Starts main.ts and waits for nothing. */
function spawnServer(
  env: Record<string, string>,
  { script = MAIN, under = [], stdout }: SpawnOptions = {},
): Spawned {
  const [command = process.execPath, ...args] = under;
  if (under.length > 0) args.push(process.execPath);
  const file = stdout === undefined ? undefined : openSync(stdout, "w");
  const child = spawn(command, [...args, script], {
    // A program before the server is looked for in the path.
    env: {
      HOST: "127.0.0.1",
      PORT: "0",
      PASSWORD_COST: "low",
      LOG_LEVEL: process.env["TEST_LOG_LEVEL"] ?? "warn",
      ...(under.length > 0 && { PATH: process.env["PATH"] }),
      ...env,
    },
    stdio: [
      "ignore",
      file ?? "pipe",
      "pipe",
      ...(script === FAILPOINT_SCRIPT || script === CLOCK_SCRIPT ? ["ipc" as const] : []),
    ],
  });
  if (file !== undefined) closeSync(file);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (data: Buffer) => (output += data.toString()));
  }
  return {
    child,
    pid: child.pid ?? 0,
    kill: (signal) => void child.kill(signal),
    exited: new Promise((resolve) =>
      child.on("close", (code) => {
        leakedSecrets.push(...secretsIn(output.split("\n")));
        resolve(code);
      }),
    ),
    output: () => (stdout === undefined ? output : readFileSync(stdout, "utf8") + output),
  };
}
