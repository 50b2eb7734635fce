/**
 * Loaded into measured servers with `--import`, product and reference alike. It reports the resources that the process has used. Between
 * calls it costs nothing, except that it counts commits if the server publishes them.
 */
import { subscribe } from "node:diagnostics_channel";
import { writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import { serveCalls } from "./ipc.ts";

/** Memory after forced garbage collection, in bytes. */
export interface Memory {
  rss: number;
  heapUsed: number;
}

/** Commits and writes since the process started, or since `clearCommits`. */
export interface Commits {
  commits: number;
  writes: number;
  /** How long each of the last commits took, up to `TIMES_MAX`. */
  milliseconds: number[];
}

const TIMES_MAX = 10_000;
const commitCounts: Commits = { commits: 0, writes: 0, milliseconds: [] };

/** The store's writer publishes this for each commit. */
subscribe("parley:commit", (message) => {
  const { writes, milliseconds } = message as { writes: number; milliseconds: number };
  commitCounts.commits++;
  commitCounts.writes += writes;
  commitCounts.milliseconds.push(milliseconds);
  if (commitCounts.milliseconds.length > 2 * TIMES_MAX) commitCounts.milliseconds.splice(0, TIMES_MAX);
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
  commits: (): Commits => commitCounts,
  clearCommits: (): void => void Object.assign(commitCounts, { commits: 0, writes: 0, milliseconds: [] }),
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

/** The calls that the probe serves. */
export type ProbeCalls = typeof calls;

serveCalls(calls);
// The probe does not keep the server running, and the server ends when the measuring process does.
process.channel?.unref();
process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));
