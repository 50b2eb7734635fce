/** What tests need to start servers of this machine. */
import { once } from "node:events";
import { accessSync, constants } from "node:fs";
import { connect, createServer } from "node:net";
import { delimiter } from "node:path";

/** The folders in which programs are searched for. */
export const PROGRAM_FOLDERS: readonly string[] = (process.env["PATH"] ?? "").split(delimiter);

/** Whether there is a program at this path that this account may run. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The ports that this process was given. */
const given = new Set<number>();

/** A free port of 127.0.0.1; never the same twice, because what gets it does not listen yet. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no free port");
  const { port } = address;
  if (given.has(port)) return freePort();
  given.add(port);
  return port;
}

/** Whether a program listens on this port of 127.0.0.1. */
export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}
