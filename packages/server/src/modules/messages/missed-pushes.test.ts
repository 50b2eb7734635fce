import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MessageType } from "@parley/protocol/codes";
import { StoreUnavailableError } from "../../ports/store-unavailable-error.ts";
import { changeTally, newMessage } from "../../testing/contracts/store-fixtures.ts";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import { registerFriends, registerPerson, sendText } from "../../testing/test-person.ts";
import {
  type TestDatabase,
  POSTGRES,
  createTestDatabase,
  isPostgresMissing,
} from "../../testing/test-postgres.ts";

describe.skipIf(isPostgresMissing)(`a server that is alone on ${POSTGRES}`, () => {
  let database: TestDatabase;
  let server: TestApp;
  beforeAll(async () => {
    database = await createTestDatabase();
    server = await createTestApp({ env: { DATABASE_URL: database.url, RATE_LIMITS: "off" } });
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await database.drop();
  });

  /** Two looks for what was not pushed: the first finds what is new, the second what is old enough. */
  const sweepTwice = async () => {
    for (let n = 0; n < 2; n++) {
      server.clock.advance(2_000);
      server.app.sweep();
      await server.app.settle();
    }
  };

  test("pushes a message that was stored although its sender was not told so, and answers it to the sender who repeats it", async () => {
    const [ann, bob] = await registerFriends(server.url);
    const socket = await bob.connect();
    // What a commit leaves that gets no answer.
    const { row } = await server.app.store.appendPrivate(
      newMessage(ann.id, bob.id, { tmpId: "t", content: "hello" }),
    );
    const repeated = { recvId: bob.id, type: MessageType.TEXT, content: "hello", tmpId: "t" };
    expect((await ann.ok("sendPrivateMessage", { body: repeated })).id).toBe(row.id);
    await sweepTwice();
    expect((await socket.nextOf(MessageType.TEXT)).data?.id).toBe(row.id);
    socket.close();
  });

  test("lets those who see a message load its extra that was stored and not pushed, and only that", async () => {
    const [ann, bob] = await registerFriends(server.url);
    const { id } = await sendText(ann, bob, "hello");
    const socket = await bob.connect({ caps: ["changes", "extras"] });
    await sweepTwice();
    await ann.ok("setReaction", { body: { id, key: "👍", on: true } });
    await socket.nextOf(MessageType.EXTRA);
    await sweepTwice();
    expect(socket.of(MessageType.CHANGES)).toEqual([]);
    // What a commit leaves whose node dies before it pushes.
    const choice = { kind: "reactions", messageId: id, userId: ann.id, key: "❤️", on: true, at: 1 } as const;
    await server.app.store.write((tx) => changeTally(tx, choice));
    await sweepTwice();
    await socket.nextOf(MessageType.CHANGES);
    await sweepTwice();
    await socket.flush();
    expect(socket.of(MessageType.CHANGES)).toHaveLength(1);
    socket.close();
  });

  test("pushes a friend request that was stored before a read for its push failed", async () => {
    const [ann, bob] = [await registerPerson(server.url), await registerPerson(server.url)];
    const socket = await bob.connect();
    const { store } = server.app;
    const read = store.systemReadPosition;
    Object.assign(store, {
      systemReadPosition: () => Promise.reject(new StoreUnavailableError("unreachable", undefined)),
    });
    expect(await ann.errorKeyOf("applyFriend", { body: { friendId: bob.id } })).toBe("server.unavailable");
    Object.assign(store, { systemReadPosition: read });
    await sweepTwice();
    await socket.nextOf(MessageType.FRIEND_APPLY);
    expect((await socket.flush()).filter(({ cmd }) => cmd === 5)).toHaveLength(1);
    socket.close();
  });
});
