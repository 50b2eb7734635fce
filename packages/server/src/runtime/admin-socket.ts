/**
 * Administration of a running server over a local socket that only its own account may open. A command is one line of JSON, and so is its answer;
 * before it come lines with what the command prints while it runs.
 */
import { chmodSync, rmSync } from "node:fs";
import { type Server, type Socket, createConnection, createServer } from "node:net";
import { createHash } from "node:crypto";
import { join } from "node:path";
import * as z from "zod/mini";
import {
  type AdminAnswer,
  type AdminCommand,
  type AdminServices,
  type Print,
  TOO_LARGE,
  adminAnswer,
  adminCommand,
  runAdminCommand,
} from "./admin-commands.ts";

/** A line from the server. */
const answerLine = z.union([z.object({ printed: z.string() }), adminAnswer]);

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
      const print: Print = (printed) => writeLine(socket, { printed });
      void executeLine(admin, text, print).then((answer) => socket.end(`${JSON.stringify(answer)}\n`));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
  if (process.platform !== "win32") chmodSync(path, 0o600);
  return server;
}

/** Resolves when the line has left this process. Throws if the reader is gone, which ends the command. */
function writeLine(socket: Socket, value: object): Promise<void> {
  return new Promise((resolve, reject) =>
    socket.write(`${JSON.stringify(value)}\n`, (error) => (error ? reject(error) : resolve())),
  );
}

async function executeLine(admin: AdminServices, line: string, print: Print): Promise<AdminAnswer> {
  try {
    return await runAdminCommand(admin, adminCommand.parse(JSON.parse(line)), print);
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** Sends a command to the server that uses this data folder. Returns undefined if no server does, unless the command is too long anyway. */
export async function sendAdminCommand(
  dataDir: string,
  command: AdminCommand,
  print: Print = async () => undefined,
): Promise<AdminAnswer | undefined> {
  const line = `${JSON.stringify(command)}\n`;
  if (line.length > REQUEST_MAX) return TOO_LARGE;
  const socket = createConnection(socketPath(dataDir));
  socket.setEncoding("utf8");
  socket.write(line);
  let rest = "";
  try {
    for await (const part of socket as AsyncIterable<string>) {
      const lines = (rest + part).split("\n");
      rest = lines.pop() ?? "";
      for (const each of lines) {
        const answer = answerLine.parse(JSON.parse(each));
        if (!("printed" in answer)) return answer;
        await print(answer.printed);
      }
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== undefined && NOT_RUNNING_CODES.includes(code)) return undefined;
    throw error;
  }
  return { error: "The server did not answer." };
}
