import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { SwarmCalls } from "../swarm/swarm.ts";
import { askChild, type Ask } from "./ipc.ts";

export interface Swarm {
  readonly ask: Ask<SwarmCalls>;
  stop(): Promise<void>;
}

/** Starts the load generator. */
export function startSwarm(): Swarm {
  const child = fork(fileURLToPath(new URL("../swarm/swarm.ts", import.meta.url)));
  const exit = once(child, "exit");
  const ask = askChild<SwarmCalls>(child);
  return {
    ask,
    async stop() {
      child.kill("SIGTERM");
      await exit;
    },
  };
}
