/** Starts Redis servers that exist for tests only: on a free port of this machine, without anything on the disk. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { ChildProcess } from "node:child_process";
import { freePort, isExecutable, PROGRAM_FOLDERS } from "./local-programs.ts";
import type { TestCertificate } from "./reverse-proxy.ts";

const PROGRAMS = ["redis-server", "valkey-server"];
const READY = /Ready to accept connections/;
/**
 * Runs Redis until it ends or standard input does. Whatever ends the tests closes the input, so that no server outlives them, not even those
 * of a test runner that was killed. It says the number of the process first.
 */
const SUPERVISOR = `exec 3<&0; "$0" "$@" </dev/null 3<&- & pid=$!; echo "pid $pid";
  { cat <&3 >/dev/null; kill -KILL $pid; } 2>/dev/null & wait $pid`;

/** A running server. */
export interface RedisServer {
  readonly url: string;
  /** Ends it as a crash would, if it runs. It forgets everything. */
  stop(): Promise<void>;
  /** Starts it again after `stop`, at the same address. */
  start(): Promise<void>;
  /** Lets it hang: connections stay, and nothing is answered until `resume`. */
  pause(): void;
  resume(): void;
}

/** The program that `REDIS_PROGRAM` names, else one of this machine; undefined if there is none. `npm test` installs it where it can. */
export function findRedis(): string | undefined {
  const named = process.env["REDIS_PROGRAM"];
  // A program that does not exist fails the tests, which would be skipped otherwise.
  if (named !== undefined && named !== "") return named;
  const paths = PROGRAMS.flatMap((name) => PROGRAM_FOLDERS.map((folder) => join(folder, name)));
  return paths.find(isExecutable);
}

/** Whether tests with Redis are skipped, because this machine has none. */
export const isRedisMissing = findRedis() === undefined;

/** What the title of a group of tests says of Redis. */
export const REDIS = isRedisMissing ? "Redis (skipped, not installed)" : "Redis";

/** How to start a server. */
export interface RedisOptions {
  /** Clients must name it. */
  password?: string;
  /** It takes connections by TLS alone, as localhost with this certificate. */
  certificate?: Pick<TestCertificate, "cert" | "key">;
}

/** Starts a server. */
export async function startRedis(options: RedisOptions = {}): Promise<RedisServer> {
  const { certificate } = options;
  const program = findRedis();
  if (program === undefined) throw new Error("Redis is not installed on this machine");
  const port = await freePort();
  let running: { pid: number; supervisor: ChildProcess; ended: Promise<unknown> } | undefined;

  async function start(): Promise<void> {
    const settings = {
      ...(certificate === undefined
        ? { port: String(port) }
        : {
            port: "0",
            "tls-port": String(port),
            "tls-cert-file": certificate.cert,
            "tls-key-file": certificate.key,
            "tls-auth-clients": "no",
          }),
      bind: "127.0.0.1",
      save: "",
      appendonly: "no",
      ...(options.password === undefined ? {} : { requirepass: options.password }),
    };
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
    let output = "";
    const supervisor = spawn("sh", ["-c", SUPERVISOR, program ?? "", ...args], {
      stdio: ["pipe", "pipe", "pipe"],
    });
    // The shell says there that Redis was killed.
    supervisor.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
    const ended = once(supervisor, "exit");
    const pid = await new Promise<number>((resolve, reject) => {
      supervisor.stdout.on("data", (chunk: Buffer) => {
        output += chunk.toString();
        if (READY.test(output)) resolve(Number(/^pid (\d+)/m.exec(output)?.[1]));
      });
      void ended.then(() => reject(new Error(`Redis did not start: ${output}`)));
    });
    running = { pid, supervisor, ended };
  }

  function signal(name: NodeJS.Signals): void {
    if (running !== undefined) process.kill(running.pid, name);
  }

  await start();
  const authority = options.password === undefined ? "" : `:${options.password}@`;
  return {
    url:
      certificate === undefined
        ? `redis://${authority}127.0.0.1:${port}`
        : `rediss://${authority}localhost:${port}`,
    start,
    async stop() {
      signal("SIGKILL");
      running?.supervisor.stdin?.end();
      await running?.ended;
      running = undefined;
    },
    pause: () => signal("SIGSTOP"),
    resume: () => signal("SIGCONT"),
  };
}
