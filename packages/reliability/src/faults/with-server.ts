/** Runs a function with a temporary folder or server, which is removed afterwards. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ServerProcess, startServer } from "@parley/server/testing/server-process";
import { type ClockServer, startClockServer } from "../controlled-servers.ts";

/** Runs with an empty folder. */
export async function withTempFolder<T>(run: (dataDir: string) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), "parley-faults-"));
  try {
    return await run(dataDir);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Runs with a real server without rate limits. */
export function withServer<T>(run: (url: string, server: ServerProcess) => Promise<T>): Promise<T> {
  return withTempFolder((dataDir) =>
    stopAfter(startServer({ DATA_DIR: dataDir, RATE_LIMITS: "off" }), (server) => run(server.url, server)),
  );
}

/** Runs with a real server with rate limits, whose clock the run can set. */
export function withClockServer<T>(run: (server: ClockServer) => Promise<T>): Promise<T> {
  return withTempFolder((dataDir) => stopAfter(startClockServer({ DATA_DIR: dataDir }), run));
}

async function stopAfter<S extends ServerProcess, T>(
  starting: Promise<S>,
  run: (server: S) => Promise<T>,
): Promise<T> {
  const server = await starting;
  try {
    return await run(server);
  } finally {
    server.kill("SIGKILL");
    await server.exited;
  }
}
