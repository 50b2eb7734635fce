import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { LoadGeneratorCalls } from "../load/load-generator.ts";
import { createCallChild, type CallChild } from "./ipc.ts";

/** The load generator in its own process. */
export interface LoadGenerator {
  readonly callChild: CallChild<LoadGeneratorCalls>;
  stop(): Promise<void>;
}

/** Starts the load generator. */
export function startLoadGeneratorProcess(): LoadGenerator {
  const child = fork(fileURLToPath(new URL("../load/load-generator.ts", import.meta.url)));
  const exit = once(child, "exit");
  const callChild = createCallChild<LoadGeneratorCalls>(child);
  return {
    callChild,
    async stop() {
      child.kill("SIGTERM");
      await exit;
    },
  };
}
