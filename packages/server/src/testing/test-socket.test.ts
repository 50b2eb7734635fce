import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocketServer } from "ws";
import { TestSocket } from "./test-socket.ts";

let server: WebSocketServer;
beforeAll(async () => {
  server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  server.on("connection", (ws) => {
    ws.send(JSON.stringify({ cmd: 3, data: { type: 0, content: "hello" } }));
    ws.on("message", () => ws.close(1000));
  });
  await once(server, "listening");
});
afterAll(() => {
  server.close();
});

/** The error of a test that waits for a frame that never comes. */
async function errorOf(wait: (socket: TestSocket) => Promise<unknown>): Promise<unknown> {
  const socket = await TestSocket.open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await socket.nextOf(0);
  const failed = wait(socket).catch((error: unknown) => (error as Error).message);
  socket.send("end");
  return failed;
}

test("a failing test names the push that it awaited", async () => {
  expect(await errorOf((socket) => socket.nextOf(21))).toBe(
    "the socket closed before a TIP_TEXT (type 21) came; there were 1 frames before, since then none",
  );
  expect(await errorOf((socket) => socket.nextOf(777))).toContain("before a push (type 777) came");
});

test("a failing test names the expected frame", async () => {
  expect(await errorOf((socket) => socket.next((frame) => frame.cmd === 2))).toContain("frame.cmd === 2");
  expect(await errorOf((socket) => socket.next(() => false, "the end"))).toContain("before the end came");
});
