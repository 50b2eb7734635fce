import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { createTestApp } from "../../testing/test-app.ts";
import { registerPerson } from "../../testing/test-person.ts";

const TURN = ["turn:turn.example.org:3478?transport=udp", "turns:turn.example.org:5349?transport=tcp"];
const STUN = "stun:stun.example.org:3478";

test("clients get the STUN servers, and the TURN servers with a credential of an hour that the shared secret signs", async () => {
  const TURN_SECRET = "shared with coturn";
  const server = await createTestApp({ env: { ICE_URLS: [...TURN, STUN].join(", "), TURN_SECRET } });
  const person = await registerPerson(server.url);
  const { webrtc } = await person.ok("loadSystemConfig");
  const username = `${Math.floor(server.clock.now() / 1_000) + 3_600}:${person.id}`;
  const credential = createHmac("sha1", TURN_SECRET).update(username).digest("base64");
  expect(webrtc).toEqual({
    maxChannel: 9,
    heldOffer: true,
    iceServers: [
      { urls: [STUN], username: null, credential: null },
      { urls: TURN, username, credential },
    ],
  });
  await server[Symbol.asyncDispose]();
});

test("without addresses there are no ICE servers", async () => {
  const server = await createTestApp();
  const person = await registerPerson(server.url);
  expect((await person.ok("loadSystemConfig")).webrtc.iceServers).toEqual([]);
  await server[Symbol.asyncDispose]();
});

test.each([
  ["no address of an ICE server", { ICE_URLS: "https://turn.example.org" }, "ICE_URLS"],
  ["a TURN server without a secret", { ICE_URLS: TURN[0] ?? "" }, "TURN_SECRET"],
])("the server does not start with %s", async (_, env, named) => {
  await expect(createTestApp({ env })).rejects.toThrow(named);
});
