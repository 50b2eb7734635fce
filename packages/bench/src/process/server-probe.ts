/**
 * Loaded into a measured server by `--import`, product and reference alike: answers what the process has used. It costs nothing while
 * nobody asks, but for counting commits where the server tells of them.
 */
import { subscribe } from "node:diagnostics_channel";
import { writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import { serveCalls } from "./ipc.ts";

/** Bytes, after forced garbage collection. */
export interface Memory {
  rss: number;
  heapUsed: number;
}

/** Since the process began. */
export interface Commits {
  commits: number;
  writes: number;
}

const counted: Commits = { commits: 0, writes: 0 };

/** The store's writer publishes here once a commit: `{ writes }`. */
subscribe("parley:commit", (message) => {
  counted.commits++;
  counted.writes += (message as { writes: number }).writes;
});

let session: Session | undefined;

const calls = {
  /** User and system time of all threads of this process, in microseconds. */
  cpu: (): number => {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  memory: async (): Promise<Memory> => {
    for (let round = 0; round < 3; round++) {
      globalThis.gc?.();
      await nextTurn();
    }
    const { rss, heapUsed } = process.memoryUsage();
    return { rss, heapUsed };
  },
  commits: (): Commits => counted,
  startProfile: async (): Promise<void> => {
    session = new Session();
    session.connect();
    await session.post("Profiler.enable");
    await session.post("Profiler.setSamplingInterval", { interval: 200 });
    await session.post("Profiler.start");
  },
  endProfile: async (file: string): Promise<void> => {
    if (session === undefined) return;
    const { profile } = await session.post("Profiler.stop");
    writeFileSync(file, JSON.stringify(profile));
    session.disconnect();
    session = undefined;
  },
};

export type ProbeCalls = typeof calls;

serveCalls(calls);
// The server ends when its own work does, and when whoever measures it is gone.
process.channel?.unref();
process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));
