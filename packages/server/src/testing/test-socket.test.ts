import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocketServer } from "ws";
import type { PrivateMessage } from "@parley/protocol/message";
import { type Frame, TestSocket, requireProtocolFrame } from "./test-socket.ts";

const ROW = {
  id: 1,
  tmpId: null,
  type: 0,
  sendId: 1,
  sendNickName: "Ann",
  recvId: 2,
  content: "hello",
  sendTime: 1,
  status: 1,
  quoteMessage: null,
  isEdited: false,
  editedAt: null,
  tip: null,
  act: null,
} satisfies PrivateMessage;

let server: WebSocketServer;
beforeAll(async () => {
  server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  server.on("connection", (ws) => {
    ws.send(JSON.stringify({ cmd: 3, data: ROW }));
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

const gone = { type: 78, sendId: 1, groupId: 5 };

test.each<[string, object]>([
  ["an unknown cmd", { cmd: 9, data: null }],
  ["a row without a field", { cmd: 3, data: { ...ROW, sendTime: undefined } }],
  ["a field of another type", { cmd: 3, data: { ...ROW, id: "1" } }],
  ["a signal without a field", { cmd: 3, data: { type: 11, sendId: 1, recvId: 2, content: "" } }],
  [
    "a signal in a frame of another chat kind",
    { cmd: 3, data: { ...gone, content: '{"userId":2,"upTo":3}' } },
  ],
  ["a JSON content without a field", { cmd: 4, data: { ...gone, content: '{"userId":2}' } }],
  ["a logout for no known reason", { cmd: 2, data: "", reason: "bored" }],
])("a socket of a test does not take %s", (_, frame) => {
  expect(() => requireProtocolFrame(frame as Frame)).toThrow(/^not a /);
});

test("a socket of a test takes rows and signals", () => {
  requireProtocolFrame({ cmd: 3, data: ROW });
  requireProtocolFrame({ cmd: 4, data: { ...gone, content: '{"userId":2,"upTo":3}' } });
});
