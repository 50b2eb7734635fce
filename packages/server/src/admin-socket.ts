/** Administration of a running server: one JSON line in each direction over a local socket that only its own account may open. */
import { chmodSync, rmSync } from "node:fs";
import { type Server, createConnection, createServer } from "node:net";
import { createHash } from "node:crypto";
import { join } from "node:path";
import {
  type AdminAnswer,
  type AdminCommand,
  type AdminServices,
  TOO_LARGE,
  adminAnswer,
  adminCommand,
  runAdminCommand,
} from "./admin-commands.ts";

/** Maximum length of a line. Which commands are too long, they say themselves (`TOO_LARGE`); each of those that are not fits. */
const REQUEST_MAX = 1_000_000;

/** EINVAL: the path is too long for a socket. ENOTDIR: the folder does not exist; opening the store reports that. */
const NOT_RUNNING_CODES: readonly string[] = ["ENOENT", "ENOTDIR", "ECONNREFUSED", "EINVAL"];

function socketPath(dataDir: string): string {
  if (process.platform !== "win32") return join(dataDir, "admin.sock");
  return `\\\\.\\pipe\\parley-${createHash("sha256").update(dataDir).digest("hex").slice(0, 16)}`;
}

/** Serves commands until it is closed. The caller must hold the lock of the data folder, so an existing socket file is stale and is replaced. */
export async function serveAdminSocket(dataDir: string, admin: AdminServices): Promise<Server> {
  const path = socketPath(dataDir);
  if (process.platform !== "win32") rmSync(path, { force: true });
  const server = createServer((socket) => {
    let text = "";
    socket.setEncoding("utf8");
    socket.on("error", () => socket.destroy());
    socket.on("data", (part: string) => {
      text += part;
      if (text.length > REQUEST_MAX) socket.destroy();
      if (!text.endsWith("\n")) return;
      socket.pause();
      void executeLine(admin, text).then((answer) => socket.end(`${JSON.stringify(answer)}\n`));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
  if (process.platform !== "win32") chmodSync(path, 0o600);
  return server;
}

async function executeLine(admin: AdminServices, line: string): Promise<AdminAnswer> {
  try {
    return await runAdminCommand(admin, adminCommand.parse(JSON.parse(line)));
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** Sends a command to the server that uses this data folder. Returns undefined if no server does, unless the command is too long anyway. */
export async function sendAdminCommand(
  dataDir: string,
  command: AdminCommand,
): Promise<AdminAnswer | undefined> {
  const line = `${JSON.stringify(command)}\n`;
  if (line.length > REQUEST_MAX) return TOO_LARGE;
  return new Promise((resolve, reject) => {
    const socket = createConnection(socketPath(dataDir));
    let text = "";
    socket.setEncoding("utf8");
    socket.on("connect", () => socket.write(line));
    socket.on("data", (part: string) => (text += part));
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (NOT_RUNNING_CODES.includes(error.code ?? "")) resolve(undefined);
      else reject(error);
    });
    socket.on("end", () => {
      const parsed = adminAnswer.safeParse(text === "" ? {} : JSON.parse(text));
      resolve(parsed.success ? parsed.data : { error: "The server did not answer." });
    });
  });
}
