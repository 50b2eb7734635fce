/** Administration of a running server: one JSON line each way over a local socket that only its account may open. */
import { chmodSync, rmSync } from "node:fs";
import { type Server, createConnection, createServer } from "node:net";
import { createHash } from "node:crypto";
import { join } from "node:path";
import * as z from "zod/mini";
import type { AccountAdmin } from "./modules/account/admin.ts";

const command = z.discriminatedUnion("name", [
  z.object({ name: z.literal("users") }),
  z.object({ name: z.literal("createInviteCode"), uses: z.number(), days: z.nullable(z.number()) }),
  z.object({ name: z.literal("resetPassword"), userName: z.string() }),
]);
export type AdminCommand = z.output<typeof command>;

/** What the command prints, or why it failed in one sentence. */
const answer = z.union([z.object({ text: z.string() }), z.object({ error: z.string() })]);
export type AdminAnswer = z.output<typeof answer>;

const LINE_MAX = 10_000;

function socketPath(dataDir: string): string {
  if (process.platform !== "win32") return join(dataDir, "admin.sock");
  return `\\\\.\\pipe\\parley-${createHash("sha256").update(dataDir).digest("hex").slice(0, 16)}`;
}

export async function runAdminCommand(admin: AccountAdmin, asked: AdminCommand): Promise<AdminAnswer> {
  switch (asked.name) {
    case "users": {
      const lines = await admin.listUsers();
      return { text: [...lines, `${lines.length} users`].join("\n") };
    }
    case "createInviteCode":
      return { text: await admin.createInviteCode(asked.uses, asked.days) };
    case "resetPassword": {
      const password = await admin.resetPassword(asked.userName);
      return password === undefined
        ? { error: `Nobody has the user name ${asked.userName}.` }
        : { text: `New password of ${asked.userName}: ${password}` };
    }
  }
}

/** Serves commands until closed. Called by who holds the lock of the data folder, so a socket left there is a dead one. */
export async function serveAdmin(dataDir: string, admin: AccountAdmin): Promise<Server> {
  const path = socketPath(dataDir);
  if (process.platform !== "win32") rmSync(path, { force: true });
  const server = createServer((socket) => {
    let text = "";
    socket.setEncoding("utf8");
    socket.on("error", () => socket.destroy());
    socket.on("data", (part: string) => {
      text += part;
      if (text.length > LINE_MAX) socket.destroy();
      if (!text.endsWith("\n")) return;
      socket.pause();
      void execute(admin, text).then((done) => socket.end(`${JSON.stringify(done)}\n`));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
  if (process.platform !== "win32") chmodSync(path, 0o600);
  return server;
}

async function execute(admin: AccountAdmin, line: string): Promise<AdminAnswer> {
  try {
    return await runAdminCommand(admin, command.parse(JSON.parse(line)));
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** Asks the server that works on this folder; undefined: none does. */
export async function askServer(dataDir: string, asked: AdminCommand): Promise<AdminAnswer | undefined> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(socketPath(dataDir));
    let text = "";
    socket.setEncoding("utf8");
    socket.on("connect", () => socket.write(`${JSON.stringify(asked)}\n`));
    socket.on("data", (part: string) => (text += part));
    socket.on("error", (error: NodeJS.ErrnoException) => {
      // EINVAL: the path is too long for a socket, so no server listens there.
      if (error.code === "ENOENT" || error.code === "ECONNREFUSED" || error.code === "EINVAL")
        resolve(undefined);
      else reject(error);
    });
    socket.on("end", () => {
      const parsed = answer.safeParse(text === "" ? {} : JSON.parse(text));
      resolve(parsed.success ? parsed.data : { error: "The server did not answer." });
    });
  });
}
