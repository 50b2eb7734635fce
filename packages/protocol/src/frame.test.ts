import { expect, test } from "vitest";
import { Cmd, MessageType } from "./codes.ts";
import { clientFrame } from "./frame.ts";
import { isStoredRow, parseServerFrame } from "./received-frame.ts";

test.each([Cmd.LOGIN, Cmd.HEARTBEAT, Cmd.FORCED_LOGOUT])("a frame of cmd %d needs no type", (cmd) => {
  expect(parseServerFrame(JSON.stringify({ cmd, data: null }))).toEqual({ cmd, data: null });
});

test.each([Cmd.PRIVATE, Cmd.GROUP, Cmd.SYSTEM])("a frame of cmd %d has data with a type", (cmd) => {
  const frame = { cmd, data: { type: 0 } };
  expect(parseServerFrame(JSON.stringify(frame))).toEqual(frame);
  for (const data of [null, "text", {}, { type: "0" }])
    expect(parseServerFrame(JSON.stringify({ cmd, data }))).toBeNull();
});

test("data with an id is a stored row, except a receipt, whose id is that of another message", () => {
  const signal = { type: MessageType.TEXT };
  expect(isStoredRow({ ...signal, id: 0 })).toBe(true);
  expect(isStoredRow(signal)).toBe(false);
  expect(isStoredRow({ type: MessageType.RECEIPT, id: 7 })).toBe(false);
});

test("type 82 never is a stored row, whatever other fields it has", () => {
  expect(isStoredRow({ type: MessageType.CHANGES, id: 7 })).toBe(false);
});

test("of a reply or an end of the session only the valid fields are read", () => {
  const read = (frame: object) => parseServerFrame(JSON.stringify(frame));
  expect(read({ cmd: Cmd.LOGIN, data: { epoch: "e" } })).toEqual({ cmd: Cmd.LOGIN, data: { epoch: "e" } });
  expect(read({ cmd: Cmd.LOGIN, data: { epoch: 5 } })).toEqual({ cmd: Cmd.LOGIN, data: null });
  expect(read({ cmd: Cmd.HEARTBEAT })).toEqual({ cmd: Cmd.HEARTBEAT, data: null });
  const end = { cmd: Cmd.FORCED_LOGOUT, data: "why", reason: "kicked" };
  expect(read(end)).toEqual(end);
  expect(read({ ...end, data: {}, reason: "newer" })).toEqual({ cmd: Cmd.FORCED_LOGOUT, data: null });
});

test("a login names at most 20 capabilities and a device id of limited length", () => {
  const login = (more: object) =>
    clientFrame.safeParse({ cmd: Cmd.LOGIN, data: { accessToken: "t", ...more } }).success;
  expect(login({ devId: null, clientId: "c".repeat(64), caps: Array(20).fill("x") })).toBe(true);
  expect(login({ caps: Array(21).fill("x") })).toBe(false);
  expect(login({ devId: "d".repeat(65) })).toBe(false);
  expect(login({ clientId: "c".repeat(65) })).toBe(false);
});
