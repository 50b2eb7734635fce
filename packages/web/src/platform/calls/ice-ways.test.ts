import { expect, test } from "vitest";
import { serversOf } from "./ice-ways.ts";

const STUN = { urls: ["stun:a:3478"], username: null, credential: null };
const TURN = {
  urls: [
    "turn:a:3478",
    "turn:a:3478?transport=udp",
    "turn:a:3478?transport=tcp",
    "turns:a:5349?transport=tcp",
  ],
  username: "u",
  credential: "c",
};

test("ST5 each way of the check has the addresses that go it, with their credentials", () => {
  const servers = [STUN, TURN];
  expect(serversOf("stun", servers)).toEqual([STUN]);
  expect(serversOf("turnUdp", servers)).toEqual([
    { ...TURN, urls: ["turn:a:3478", "turn:a:3478?transport=udp"] },
  ]);
  expect(serversOf("turnTcp", servers)).toEqual([{ ...TURN, urls: ["turn:a:3478?transport=tcp"] }]);
  expect(serversOf("turnTls", servers)).toEqual([{ ...TURN, urls: ["turns:a:5349?transport=tcp"] }]);
});

test("ST5 a way without an address has no server", () => {
  expect(serversOf("turnTls", [STUN, { ...TURN, urls: ["turn:a"] }])).toEqual([]);
});
