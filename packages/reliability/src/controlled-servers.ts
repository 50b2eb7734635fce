/** Servers that a test controls by messages: where they kill themselves, and what time it is for them. */
import { fileURLToPath } from "node:url";
import { type ServerProcess, startServer } from "@parley/server/testing/server-process";
import type { FailpointQuestion, KillPoint, PassCounts } from "./failpoint-server.ts";

const FAILPOINT_SCRIPT = fileURLToPath(new URL("failpoint-server.ts", import.meta.url));
const CLOCK_SCRIPT = fileURLToPath(new URL("adjustable-clock-server.ts", import.meta.url));

/** A server that kills itself with SIGKILL at a failpoint. */
export interface FailpointServer extends ServerProcess {
  /** Counts the passes of all failpoints from 0, and kills the server at this pass of this failpoint. */
  watch(killPoint?: KillPoint): Promise<void>;
  /** How often each failpoint was passed. */
  passed(): Promise<PassCounts>;
  /** How often each failpoint was passed when the server killed itself. */
  passedAtEnd(): Promise<PassCounts>;
}

/** Starts a server and waits until it is ready. */
export async function startFailpointServer(env: Record<string, string>): Promise<FailpointServer> {
  const server = await startServer(env, { script: FAILPOINT_SCRIPT, hasChannel: true });
  let last: PassCounts = {};
  server.child.on("message", (passes) => void (last = passes as PassCounts));
  const request = <T>(message: FailpointQuestion): Promise<T> =>
    new Promise((resolve, reject) => {
      void server.exited.then((code) => reject(new Error(`the server ended with ${code}`)));
      server.child.once("message", (answer) => resolve(answer as T));
      server.child.send(message);
    });
  return {
    ...server,
    watch: (killPoint) => request({ watch: killPoint ?? null }),
    passed: () => request({ watch: undefined }),
    passedAtEnd: () => server.exited.then(() => last),
  };
}

/** A server whose clock the test sets. */
export interface ClockServer extends ServerProcess {
  /** Sets the clock ahead of the true time, or behind it with a negative number. */
  setClock(aheadMs: number): Promise<void>;
}

/** Starts a server with the true time and waits until it is ready. */
export async function startClockServer(env: Record<string, string>): Promise<ClockServer> {
  const server = await startServer(env, { script: CLOCK_SCRIPT, hasChannel: true });
  return {
    ...server,
    setClock: (aheadMs) =>
      new Promise((resolve, reject) => {
        void server.exited.then((code) => reject(new Error(`the server ended with ${code}`)));
        server.child.once("message", () => resolve());
        server.child.send({ aheadMs });
      }),
  };
}
