/** The real server as a process of its own, to be killed. */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));
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

/** Starts main.ts with nothing but these variables and waits until it is ready. */
export async function startServer(env: Record<string, string>): Promise<ServerProcess> {
  const server = spawnServer(env);
  const port = await new Promise<string>((resolve, reject) => {
    server.child.stdout?.on("data", () => {
      const port = READY.exec(server.output())?.[1];
      if (port !== undefined) resolve(port);
    });
    void server.exited.then((code) => reject(new Error(`the server ended with ${code}: ${server.output()}`)));
  });
  return { ...server, url: `http://127.0.0.1:${port}` };
}

/** Starts main.ts and waits for its end. */
export async function runServer(
  env: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  const server = spawnServer(env);
  const code = await server.exited;
  return { code, output: server.output() };
}

function spawnServer(env: Record<string, string>): Omit<ServerProcess, "url"> & { child: ChildProcess } {
  const child = spawn(process.execPath, [MAIN], {
    env: { HOST: "127.0.0.1", PORT: "0", PASSWORD_COST: "low", LOG_LEVEL: "warn", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (data: Buffer) => (output += data.toString()));
  }
  return {
    child,
    pid: child.pid ?? 0,
    kill: (signal) => void child.kill(signal),
    exited: new Promise((resolve) => child.on("close", (code) => resolve(code))),
    output: () => output,
  };
}
