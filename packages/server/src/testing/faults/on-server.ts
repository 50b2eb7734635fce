/** Folders and servers that are gone when the run that needed them is over. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "../server-process.ts";

export async function inFolder<T>(run: (dataDir: string) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), "parley-faults-"));
  try {
    return await run(dataDir);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** The real server, without limits against abuse. */
export function onServer<T>(run: (url: string) => Promise<T>): Promise<T> {
  return inFolder(async (dataDir) => {
    const server = await startServer({ DATA_DIR: dataDir, RATE_LIMITS: "off" });
    try {
      return await run(server.url);
    } finally {
      server.kill("SIGKILL");
      await server.exited;
    }
  });
}
