/**
 * A process that floods a server with frames on sockets, as fast as it can write them. It stops by itself after a time, and connects only so
 * often, and only to this machine. Its arguments: origin, number of sockets, milliseconds, and the access token of half of the sockets.
 */
import { type Socket, connect } from "node:net";
import { setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { closeFrame, clientFrame, HANDSHAKE, Opcode } from "@parley/reliability/raw-frames";

const [origin = "", sockets = "0", ms = "0", token = ""] = process.argv.slice(2);
const { hostname, port } = new URL(origin);
if (hostname !== "127.0.0.1") throw new Error("only this machine is flooded");
/** The flooder gets no more of this machine than the server. */
setPriority(10);

const FRAMES_PER_WRITE = 2_000;
const CONNECTS_MAX = 5_000;
const RECONNECT_MS = 100;
const SOCKETS_MAX = 40;

const frame = (text: string) => clientFrame(Buffer.from(text), { opcode: Opcode.TEXT });
const heartbeat = frame('{"cmd":1,"data":{}}');
const flood = Buffer.concat(Array.from({ length: FRAMES_PER_WRITE }, () => heartbeat));
const login = frame(JSON.stringify({ cmd: 0, data: { accessToken: token } }));
const end = Date.now() + Math.min(Number(ms), 30_000);
let connects = 0;
let written = 0;

function floodOnce(isLoggedIn: boolean): Promise<void> {
  connects++;
  return new Promise((resolve) => {
    const socket: Socket = connect(Number(port), hostname);
    const timer = setTimeout(() => socket.destroy(), Math.max(0, end - Date.now()));
    const write = () => {
      while (!socket.destroyed && Date.now() < end) {
        written += FRAMES_PER_WRITE;
        if (!socket.write(flood)) return;
      }
      if (!socket.destroyed) socket.end(closeFrame(3_000));
    };
    socket.on("drain", write);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      clearTimeout(timer);
      resolve();
    });
    socket.on("end", () => socket.destroy());
    socket.once("data", () => {
      socket.resume();
      if (isLoggedIn) socket.write(login);
      write();
    });
    socket.write(HANDSHAKE);
  });
}

async function keepFlooding(index: number): Promise<void> {
  while (Date.now() < end && connects < CONNECTS_MAX) {
    await floodOnce(index % 2 === 1);
    await sleep(RECONNECT_MS);
  }
}

await Promise.all(
  Array.from({ length: Math.min(Number(sockets), SOCKETS_MAX) }, (_, index) => keepFlooding(index)),
);
process.stdout.write(JSON.stringify({ connects, written }));
