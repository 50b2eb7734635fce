import { once } from "node:events";
import { type Socket, connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../../testing/eventually.ts";
import { createTestApp } from "../../testing/test-app.ts";
import { registerFriends } from "../../testing/test-person.ts";

test("six lists of a person may be on their way at once; others may follow when they are made and read", async () => {
  await using server = await createTestApp({ env: { RATE_LIMITS: "off" } });
  const [a, b] = await registerFriends(server.url);
  const { store } = server.app;
  const original = store.startPrivatePull;
  const gate = Promise.withResolvers<undefined>();
  let begun = 0;
  store.startPrivatePull = async (...args) => {
    begun++;
    await gate.promise;
    return original.apply(store, args);
  };
  const call = {
    input: { query: { minId: 0 } },
    text:
      "GET /api/message/private/loadOfflineMessage?minId=0 HTTP/1.1\r\nHost: x\r\n" +
      `accessToken: ${b.tokens.accessToken}\r\n\r\n`,
  };
  const sockets = Array.from({ length: 2 }, () => connect(server.app.port, "127.0.0.1"));
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  for (const socket of sockets) socket.write(call.text.repeat(3));
  await eventually(() => expect(begun).toBe(6));
  expect(await b.errorKeyOf("loadPrivateMessages", call.input)).toBe("request.tooMany");
  const ofAnother = a.ok("loadPrivateMessages", call.input);
  await eventually(() => expect(begun).toBe(7));
  sockets[0]?.destroy();
  // The server still makes the lists of the connection that has ended.
  await once(sockets[0] as Socket, "close");
  expect(await b.errorKeyOf("loadPrivateMessages", call.input)).toBe("request.tooMany");
  gate.resolve(undefined);
  expect(await ofAnother).toHaveLength(1);
  await eventually(async () => expect((await b.call("loadPrivateMessages", call.input)).status).toBe(200));
});
