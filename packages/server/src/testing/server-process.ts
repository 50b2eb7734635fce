/** Starts the real server as a child process, so that a test can kill it. */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { secretsIn } from "./log-scan.ts";

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));
/** How often the output file of a server is read. */
const POLL_MS = 20;
const READY = /Parley is ready: https?:\/\/[^:]+:(\d+)/;

/** A running server. */
export interface ServerProcess {
  url: string;
  pid: number;
  child: ChildProcess;
  kill(signal: NodeJS.Signals): void;
  /** Resolves with the exit code, or with null if a signal ended the process. */
  exited: Promise<number | null>;
  /** Everything that it has printed. */
  output(): string;
}

/** The log lines with a token, a hash or a password, of all servers that this process started. */
export const leakedSecrets: string[] = [];

/** How to start a server. */
export interface SpawnOptions {
  /** A script that starts main.ts in a special way. */
  script?: string;
  /** The script and the test send messages to each other. */
  hasChannel?: boolean;
  /** A program with arguments that runs the server in the same process, such as a tracer that detaches itself. */
  under?: readonly string[];
  /** A file for its standard output. It is overwritten. */
  stdout?: string;
}

/** Starts main.ts with only these variables and waits until it is ready. */
export async function startServer(
  env: Record<string, string>,
  options: SpawnOptions = {},
): Promise<ServerProcess> {
  const server = spawnServer(env, options);
  let timer: NodeJS.Timeout | undefined;
  const port = await new Promise<string>((resolve, reject) => {
    const checkOutput = () => {
      const port = READY.exec(server.output())?.[1];
      if (port !== undefined) resolve(port);
    };
    if (server.child.stdout === null) timer = setInterval(checkOutput, POLL_MS);
    else server.child.stdout.on("data", checkOutput);
    void server.exited.then((code) => reject(new Error(`the server ended with ${code}: ${server.output()}`)));
  }).finally(() => clearInterval(timer));
  return { ...server, url: `http://127.0.0.1:${port}` };
}

/** Starts main.ts and waits until it exits. */
export async function runServer(
  env: Record<string, string>,
  options: SpawnOptions = {},
): Promise<{ code: number | null; output: string }> {
  const server = spawnServer(env, options);
  const code = await server.exited;
  return { code, output: server.output() };
}

/** Where Node keeps compiled modules, if the tests share such a folder. A traced server must write only what is its own. */
function compileCache(): Record<string, string> {
  const folder = process.env["NODE_COMPILE_CACHE"];
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
}

/** Starts main.ts and does not wait. */
function spawnServer(
  env: Record<string, string>,
  { script = MAIN, under = [], stdout, hasChannel = false }: SpawnOptions,
): Omit<ServerProcess, "url"> {
  const [command = process.execPath, ...args] = under;
  if (under.length > 0) args.push(process.execPath);
  const file = stdout === undefined ? undefined : openSync(stdout, "w");
  const child = spawn(command, [...args, script], {
    // The tracer is found by PATH.
    env: {
      HOST: "127.0.0.1",
      PORT: "0",
      PASSWORD_COST: "low",
      LOG_LEVEL: process.env["TEST_LOG_LEVEL"] ?? "warn",
      ...(under.length > 0 ? { PATH: process.env["PATH"] } : compileCache()),
      ...env,
    },
    stdio: ["ignore", file ?? "pipe", "pipe", ...(hasChannel ? ["ipc" as const] : [])],
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
