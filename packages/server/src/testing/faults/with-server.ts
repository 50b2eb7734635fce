/** Folders and servers that are gone when the run that needed them is over. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ClockServer, type ServerProcess, startServer, startClockServer } from "../server-process.ts";

export async function withTempFolder<T>(run: (dataDir: string) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), "parley-faults-"));
  try {
    return await run(dataDir);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** The real server, without limits against abuse. */
export function withServer<T>(run: (url: string, server: ServerProcess) => Promise<T>): Promise<T> {
  return withTempFolder((dataDir) =>
    stopAfter(startServer({ DATA_DIR: dataDir, RATE_LIMITS: "off" }), (server) => run(server.url, server)),
  );
}

/** The same, with limits, on a machine whose clock the run sets. */
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
