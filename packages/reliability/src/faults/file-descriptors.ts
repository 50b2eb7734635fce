/**
 * Fault K37: the process has no file descriptors left, because somebody opens more connections than it may have. Open connections go on,
 * uploads are refused and not half stored, and everything works again once the connections are gone.
 */
import { readdirSync } from "node:fs";
import { type Socket, connect } from "node:net";
import { befriend, registerPerson } from "@parley/server/testing/test-person";
import { startServer } from "@parley/server/testing/server-process";
import { uploadFile } from "@parley/server/testing/upload";
import { type ClientDevice, startDevice, waitUntilIdle } from "./client-device.ts";
import type { Report } from "./report.ts";
import { waitUntil } from "./wait-until.ts";

/** How many file descriptors. */
export interface FileDescriptorsOptions {
  /** An empty folder. */
  dataDir: string;
  /** How many the process may have open. */
  limit: number;
  /** How many messages are written while descriptors are short. */
  messages: number;
}

/** Runs the battery. */
export async function runFileDescriptors({
  dataDir,
  limit,
  messages,
}: FileDescriptorsOptions): Promise<Report> {
  const violations: string[] = [];
  const server = await startServer(
    { DATA_DIR: dataDir, RATE_LIMITS: "off" },
    { under: ["prlimit", `--nofile=${limit}:${limit}`] },
  );
  const intruders: Socket[] = [];
  const openCount = () => readdirSync(`/proc/${server.pid}/fd`).length;
  let most = 0;
  try {
    const [ann, bob] = [await registerPerson(server.url), await registerPerson(server.url)];
    await befriend(ann, bob);
    const devices = [
      await startDevice(ann, { name: `ann ${ann.userName}`, timerSpeed: 10 }),
      await startDevice(bob, { name: `bob ${bob.userName}`, timerSpeed: 10 }),
    ] as const;
    for (const device of devices) await waitUntilIdle(device);
    const before = openCount();

    for (let count = 0; count < 2 * limit; count++) intruders.push(openConnection(server.url));
    await waitUntil("there is no file descriptor left", () => {
      most = Math.max(most, openCount());
      // Node keeps one for refusing connections.
      return most >= limit - 2 ? undefined : `${most} are open`;
    });
    for (let number = 0; number < messages; number++) {
      const [from, to] = number % 2 === 0 ? devices : ([devices[1], devices[0]] as const);
      from.client.chats.sendText(`PRIVATE:${to.person.id}`, `text ${number}`);
      await waitUntil("the message is at the other person", () =>
        shows(to, from.person.id, `text ${number}`) ? undefined : "it is not there",
      ).catch((error: Error) => void violations.push(error.message));
    }
    for (const { connections, person } of devices) {
      if (connections.length > 1) violations.push(`${person.userName} was disconnected`);
    }

    for (const socket of intruders) socket.destroy();
    await waitUntil("the connections are gone", () => {
      const count = openCount();
      return count <= before + KEPT_ALIVE_MAX ? undefined : `${count} are open, before there were ${before}`;
    });
    const cat = await registerPerson(server.url);
    await cat.connect();
    const url = await uploadFile(ann, Buffer.from("a file"));
    const stored = await fetch(new URL(url, server.url));
    if ((await stored.text()) !== "a file")
      violations.push("a file that is uploaded afterwards is not the same");
    for (const device of devices) device.stop();
  } catch (error) {
    violations.push(error instanceof Error ? error.message : String(error));
  } finally {
    for (const socket of intruders) socket.destroy();
    server.kill("SIGKILL");
    await server.exited;
  }
  return {
    name: "K37 no file descriptors left",
    done: `${most} of ${limit} open, ${intruders.length} connections, ${messages} messages meanwhile`,
    violations,
  };
}

/** Connections that this process opens in this time and keeps for its next request. */
const KEPT_ALIVE_MAX = 20;

/** Opens a connection that says nothing. The server may refuse it. */
function openConnection(url: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  return socket;
}

function shows({ client }: ClientDevice, from: number, text: string): boolean {
  const { window } = client.getState().chats.byKey[`PRIVATE:${from}`] ?? {};
  return window?.messages.some(({ content }) => content === text) ?? false;
}
