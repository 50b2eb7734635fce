import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "@parley/server/testing/local-programs";
import { createCallChild, type CallChild } from "./ipc.ts";
import type { ProbeCalls } from "./server-probe.ts";

/** A measured server in its own process. */
export interface ServerProcess {
  readonly origin: string;
  readonly callChild: CallChild<ProbeCalls>;
  stop(): Promise<void>;
}

/** The reference servers with which the product is compared. */
const REFERENCES = {
  messages: fileURLToPath(new URL("../reference/message-server.ts", import.meta.url)),
  uploads: fileURLToPath(new URL("../reference/upload-server.ts", import.meta.url)),
  sockets: fileURLToPath(new URL("../reference/socket-server.ts", import.meta.url)),
};

const probe = new URL("./server-probe.ts", import.meta.url).href;
const product = fileURLToPath(new URL("../../../server/src/main.ts", import.meta.url));
const START_WITHIN_MS = 30_000;
const STOP_WITHIN_MS = 10_000;

/** Starts the product as people run it, but without rate limits and with cheap password hashes. */
export function startProduct(
  dataDir: string,
  environment: Record<string, string> = {},
): Promise<ServerProcess> {
  return startServer(product, {
    DATA_DIR: dataDir,
    RATE_LIMITS: "off",
    PASSWORD_COST: "low",
    LOG_LEVEL: "warn",
    ...environment,
  });
}

/** Starts a reference server. */
export function startReference(
  name: keyof typeof REFERENCES,
  environment: Record<string, string>,
): Promise<ServerProcess> {
  return startServer(REFERENCES[name], environment);
}

async function startServer(script: string, environment: Record<string, string>): Promise<ServerProcess> {
  const port = await freePort();
  const child = spawn(process.execPath, ["--expose-gc", "--import", probe, script], {
    env: { ...process.env, NODE_ENV: "production", HOST: "127.0.0.1", PORT: String(port), ...environment },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let output = "";
  const appendOutput = (text: string) => {
    output = (output + text).slice(-4_000);
  };
  child.stdout?.setEncoding("utf8").on("data", appendOutput);
  child.stderr?.setEncoding("utf8").on("data", appendOutput);
  const exit = once(child, "exit");
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGTERM");
    const wasInTime = await Promise.race([
      exit.then(() => true),
      sleep(STOP_WITHIN_MS, false, { ref: false }),
    ]);
    if (!wasInTime) child.kill("SIGKILL");
    await exit;
  };

  const origin = `http://127.0.0.1:${port}`;
  const end = Date.now() + START_WITHIN_MS;
  while (!(await isReady(origin))) {
    if (child.exitCode !== null || Date.now() > end) {
      await stop();
      throw new Error(`${script} did not start\n${output}`);
    }
    await sleep(50);
  }
  return { origin, callChild: createCallChild<ProbeCalls>(child), stop };
}

async function isReady(origin: string): Promise<boolean> {
  try {
    return (await fetch(`${origin}/readyz`)).ok;
  } catch {
    return false;
  }
}
