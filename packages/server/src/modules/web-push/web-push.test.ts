import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { GroupRole, MessageType } from "@parley/protocol/codes";
import { PUSH_SUBSCRIPTIONS_MAX } from "@parley/protocol/limits";
import {
  type PushDevice,
  type TestPushService,
  createPushService,
  vapidClaims,
} from "../../testing/push-service.ts";
import type { Reads, Tx } from "../../ports/store.ts";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import {
  type TestPerson,
  befriend,
  logIn,
  makeGroup,
  registerFriends,
  registerPerson,
  sendText,
} from "../../testing/test-person.ts";

let server: TestApp;
let service: TestPushService;
beforeAll(async () => {
  service = await createPushService();
  server = await createTestApp({
    env: { WEB_PUSH: "private", RATE_LIMITS: "off", VAPID_SUBJECT: "ops@example.org" },
  });
});
beforeEach(() => {
  service.received.length = 0;
  service.answer = () => ({ status: 201 });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

/** Lets the jobs run that are due after this time. */
function pass(ms = 1_000): void {
  server.clock.advance(ms);
  server.app.sweep();
}

async function subscribe(person: TestPerson, { preview = false } = {}): Promise<PushDevice> {
  const device = service.device();
  await person.ok("subscribeWebPush", { body: { ...device.subscription, preview } });
  return device;
}

/** The pushes of one person are sent one after the other, so what came before this was all. */
async function pushedBefore(receiver: TestPerson, device: PushDevice): Promise<string[]> {
  const witness = await registerPerson(server.url);
  await befriend(witness, receiver);
  pass();
  await sendText(witness, receiver, "witness");
  const pushed = await new Promise<string[]>((resolve) => {
    const timer = setInterval(() => {
      pass();
      const chats = device.payloads().map(({ kind, chat }) => `${kind} ${chat}`);
      if (chats.at(-1) !== `messages PRIVATE:${witness.id}`) return;
      clearInterval(timer);
      resolve(chats);
    }, 20);
  });
  return pushed.slice(0, -1).filter((chat) => !chat.endsWith("SYSTEM:0"));
}

describe("the pushes of a device", () => {
  test("WP2 a push names nothing but the chat and a count, and is encrypted and signed for the push service", async () => {
    const [ann, bob] = await registerFriends(server.url);
    const device = await subscribe(bob);
    const { id } = await sendText(ann, bob, "a secret text");
    pass();
    expect(await device.received(1)).toEqual([
      {
        kind: "messages",
        userId: bob.id,
        chat: `PRIVATE:${ann.id}`,
        count: 1,
        isMention: false,
        newest: id,
        language: "zh-CN",
        preview: null,
      },
    ]);
    const [push] = service.received;
    if (push === undefined) throw new Error("no push");
    expect(push.headers).toMatchObject({ ttl: "86400", urgency: "high", "content-encoding": "aes128gcm" });
    expect(push.headers["topic"]).toMatch(/^[\w-]{32}$/);
    const { webPush } = await bob.ok("loadSystemConfig");
    const claims = vapidClaims(push, webPush?.publicKey ?? "");
    expect(claims).toMatchObject({ aud: service.url, sub: "mailto:ops@example.org" });
  });

  test("WP2 with previews a push names sender and text in the reader's language, and is as long as one without", async () => {
    const [ann, bob] = await registerFriends(server.url);
    await bob.ok("updateFriendRemark", { body: { friendId: ann.id, remarkNickName: "Annie" } });
    bob.headers["accept-language"] = "en-US";
    const device = await subscribe(bob, { preview: true });
    const elsewhere = await bob.elsewhere({ terminal: 1 });
    const terse = await subscribe(elsewhere);
    await sendText(ann, bob, "x".repeat(200));
    pass();
    expect(await device.received(1)).toMatchObject([
      {
        language: "en",
        preview: { sender: "Annie", group: null, key: "content", text: `${"x".repeat(120)}…` },
      },
    ]);
    await terse.received(1);
    const lengths = new Set(service.received.map(({ body }) => body.length));
    expect(lengths.size).toBe(1);
  });

  test("WP2 a group is named as its member calls it, and a place is a word of the reader's language", async () => {
    const [ann, bob] = await registerFriends(server.url);
    const groupId = await makeGroup(ann, [bob], "Team");
    const device = await subscribe(bob, { preview: true });
    const content = JSON.stringify({ latitude: 1, longitude: 2, name: "Cafe", address: "" });
    await ann.ok("sendGroupMessage", { body: { groupId, type: MessageType.LOCATION, content } });
    pass();
    expect(await device.received(1)).toMatchObject([
      { chat: `GROUP:${groupId}`, preview: { group: "Team", key: "location", text: "" } },
    ]);
    expect(service.received[0]?.headers["urgency"]).toBe("normal");
  });

  test("WP3 a friend request is pushed, and goes when it is answered", async () => {
    const [ann, bob] = [await registerPerson(server.url), await registerPerson(server.url)];
    await bob.ok("setManualApprove", { query: { enabled: true } });
    const device = await subscribe(bob, { preview: true });
    const { id } = await ann.ok("applyFriend", { body: { friendId: bob.id } });
    pass();
    expect(await device.received(1)).toMatchObject([
      { chat: "SYSTEM:0", preview: { key: "friendApply", text: `N ${ann.userName}`, sender: null } },
    ]);
    await bob.ok("approveFriendRequest", { query: { id } });
    pass();
    expect((await device.received(2))[1]).toEqual({ kind: "read", userId: bob.id, chat: "SYSTEM:0" });
  });
});

describe("WP3 the devices that are alerted", () => {
  test("nobody of muted chats, of one's own messages, or of tips; somebody of a mention through level 1", async () => {
    const [ann, bob] = await registerFriends(server.url);
    const cat = await registerPerson(server.url);
    const groupId = await makeGroup(ann, [bob, cat]);
    const device = await subscribe(bob);
    const inGroup = (from: TestPerson, atUserIds: number[] = []) =>
      from.ok("sendGroupMessage", { body: { groupId, type: 0, content: "text", atUserIds } });

    await bob.ok("setFriendMsgRemind", { body: { friendId: ann.id, msgRemind: 0 } });
    await sendText(ann, bob, "muted");
    await sendText(bob, ann, "my own");
    await bob.ok("setGroupMsgRemind", { body: { groupId, msgRemind: 2 } });
    await inGroup(cat, [bob.id]);
    expect(await pushedBefore(bob, device)).toEqual([]);

    await bob.ok("setGroupMsgRemind", { body: { groupId, msgRemind: 1 } });
    await inGroup(cat);
    expect((await pushedBefore(bob, device)).slice(1)).toEqual([]);
    await inGroup(cat, [bob.id]);
    pass(5_000);
    const mention = (await device.received(3)).at(-1);
    expect(mention).toMatchObject({ chat: `GROUP:${groupId}`, count: 1, isMention: true });
    expect(service.received.at(-1)?.headers["urgency"]).toBe("high");
    await inGroup(ann);
    pass(5_000);
    expect((await device.received(4)).at(-1)).toMatchObject({ count: 1, isMention: false });
  });

  test("nobody of what was read before the push, or in a group that they left", async () => {
    const [ann, bob] = await registerFriends(server.url);
    const groupId = await makeGroup(ann, [bob]);
    const device = await subscribe(bob);
    await sendText(ann, bob, "read at once");
    await bob.ok("readPrivateMessages", { query: { friendId: ann.id } });
    await ann.ok("sendGroupMessage", { body: { groupId, type: 0, content: "text" } });
    await bob.ok("quitGroup", { params: { id: groupId } });
    expect(await pushedBefore(bob, device)).toEqual([]);
  });
});

describe("WP4 pages that notify by themselves", () => {
  test("a page that was heard after the message gets no push; other devices do", async () => {
    const [ann, bob] = await registerFriends(server.url);
    const elsewhere = await bob.elsewhere({ terminal: 1 });
    const [open, closed] = [await subscribe(bob), await subscribe(elsewhere)];
    const socket = await bob.connect();
    await sendText(ann, bob, "one");
    server.clock.advance(1);
    await socket.flush();
    pass();
    await closed.received(1);
    socket.close();
    expect(await pushedBefore(bob, open)).toEqual([]);
  });

  test("a page that was not heard since gets a push when its socket closes", async () => {
    const [ann, bob] = await registerFriends(server.url);
    const device = await subscribe(bob);
    const socket = await bob.connect();
    await sendText(ann, bob, "one");
    for (let n = 0; n < 3; n++) {
      pass();
      await ann.ok("self");
    }
    expect(device.payloads()).toEqual([]);
    socket.close();
    await expect
      .poll(() => {
        pass();
        return device.payloads();
      })
      .toMatchObject([{ chat: `PRIVATE:${ann.id}`, count: 1 }]);
  });

  test("a frozen page, whose browser still answers pings, gets a push after 90 s", async () => {
    const [ann, bob] = await registerFriends(server.url);
    const device = await subscribe(bob);
    const socket = await bob.connect();
    await sendText(ann, bob, "one");
    pass();
    for (let seconds = 0; seconds < 100; seconds += 20) {
      socket.ws.pong();
      await bob.ok("self");
      pass(20_000);
    }
    expect(await device.received(1)).toMatchObject([{ count: 1 }]);
    socket.close();
  });
});

test("WP5 a chat is pushed at most every five seconds, and later messages together", async () => {
  const [ann, bob] = await registerFriends(server.url);
  const device = await subscribe(bob);
  await sendText(ann, bob, "1");
  pass();
  await device.received(1);
  await sendText(ann, bob, "2");
  pass(3_000);
  const { id } = await sendText(ann, bob, "3");
  pass(3_000);
  expect(await device.received(2)).toMatchObject([{ count: 1 }, { count: 2, newest: id }]);
  const topics = new Set(service.received.map(({ headers }) => headers["topic"]));
  expect(topics.size).toBe(1);
});

describe("while the database cannot be read", () => {
  /** Runs the jobs; their next read of this name fails, after something else has happened. */
  async function passWithFailure(name: keyof Reads, meanwhile = async (): Promise<unknown> => undefined) {
    const { store } = server.app;
    const original = store[name];
    const failed = new Promise<void>((resolve) => {
      const read = async () => {
        Object.assign(store, { [name]: original });
        await meanwhile();
        resolve();
        throw new Error("the database is away");
      };
      Object.assign(store, { [name]: read });
    });
    pass();
    await failed;
    await server.app.settle();
  }

  test.each(["listWebPushSubscriptions", "privateReadPositions"] as const)(
    "a message is pushed later, together with those that follow, if %s fails",
    async (name) => {
      const [ann, bob] = await registerFriends(server.url);
      const device = await subscribe(bob);
      await sendText(ann, bob, "1");
      let newest = 0;
      await passWithFailure(name, async () => ({ id: newest } = await sendText(ann, bob, "2")));
      expect(device.payloads()).toEqual([]);
      pass();
      expect(await device.received(1)).toMatchObject([{ count: 2, newest }]);
    },
  );

  test("a chat whose push fails for ten minutes is given up", async () => {
    const [ann, bob] = await registerFriends(server.url);
    const device = await subscribe(bob);
    await sendText(ann, bob, "1");
    await passWithFailure("privateReadPositions");
    server.clock.advance(600_000);
    await passWithFailure("privateReadPositions");
    expect(await pushedBefore(bob, device)).toEqual([]);
  });

  test("a chat that was read is withdrawn later, but not what was pushed after that", async () => {
    const [ann, bob] = await registerFriends(server.url);
    const phone = await bob.elsewhere({ terminal: 1 });
    const device = await subscribe(phone);
    const read = () => bob.ok("readPrivateMessages", { query: { friendId: ann.id } });
    await sendText(ann, bob, "1");
    pass();
    await device.received(1);
    await read();
    await passWithFailure("listWebPushSubscriptions");
    pass();
    expect((await device.received(2))[1]).toMatchObject({ kind: "read" });
    await sendText(ann, bob, "2");
    pass();
    await device.received(3);
    await read();
    await passWithFailure("listWebPushSubscriptions");
    await sendText(ann, bob, "3");
    expect((await pushedBefore(phone, device)).slice(2)).toEqual([
      `messages PRIVATE:${ann.id}`,
      `messages PRIVATE:${ann.id}`,
    ]);
  });

  test("a chat that was read is withdrawn although the push of another one fails", async () => {
    const [ann, bob] = await registerFriends(server.url);
    const device = await subscribe(await bob.elsewhere({ terminal: 1 }));
    const failing = await subscribe(ann);
    await sendText(ann, bob, "1");
    pass();
    await device.received(1);
    await sendText(bob, ann, "2");
    await bob.ok("readPrivateMessages", { query: { friendId: ann.id } });
    await passWithFailure("privateReadPositions");
    expect((await device.received(2))[1]).toMatchObject({ kind: "read" });
    pass();
    await failing.received(1);
  });
});

describe("WP6 what is taken back", () => {
  test("a chat that is read elsewhere, once, and only if it was pushed", async () => {
    const [ann, bob] = await registerFriends(server.url);
    const phone = await bob.elsewhere({ terminal: 1 });
    const device = await subscribe(phone);
    await sendText(ann, bob, "1");
    pass();
    await device.received(1);
    await bob.ok("readPrivateMessages", { query: { friendId: ann.id } });
    pass();
    expect((await device.received(2))[1]).toEqual({
      kind: "read",
      userId: bob.id,
      chat: `PRIVATE:${ann.id}`,
    });
    expect(new Set(service.received.map(({ headers }) => headers["topic"])).size).toBe(1);
    await sendText(ann, bob, "2");
    await bob.ok("readPrivateMessages", { query: { friendId: ann.id } });
    expect(await pushedBefore(phone, device)).toEqual([
      `messages PRIVATE:${ann.id}`,
      `read PRIVATE:${ann.id}`,
    ]);
  });

  test("a recalled message, before and after it was pushed", async () => {
    const [ann, bob] = await registerFriends(server.url);
    const device = await subscribe(bob, { preview: true });
    const pushed = await sendText(ann, bob, "regretted");
    pass();
    await device.received(1);
    await ann.ok("recallPrivateMessage", { params: { id: pushed.id } });
    pass();
    expect((await device.received(2))[1]).toMatchObject({ kind: "read" });
    const unsent = await sendText(ann, bob, "regretted at once");
    await ann.ok("recallPrivateMessage", { params: { id: unsent.id } });
    expect(await pushedBefore(bob, device)).toHaveLength(2);
  });
});

describe("WP1 the life of a subscription", () => {
  const countOf = async (...people: TestPerson[]) => {
    const ids = people.map(({ id }) => id);
    return (await server.app.store.listWebPushSubscriptions(ids, server.clock.now())).length;
  };

  test("it ends when the person turns it off, signs out, or ends the session elsewhere", async () => {
    const bob = await registerPerson(server.url);
    await subscribe(bob);
    expect(await countOf(bob)).toBe(1);
    await bob.ok("unsubscribeWebPush");
    expect(await countOf(bob)).toBe(0);
    const phone = await bob.elsewhere({ terminal: 1 });
    for (const session of [bob, phone]) await subscribe(session);
    expect(await countOf(bob)).toBe(2);
    await bob.ok("endSession", { query: {} });
    expect(await countOf(bob)).toBe(1);
    await bob.ok("logout");
    expect(await countOf(bob)).toBe(0);
  });

  test("it ends with a new password on the other devices, and with the account", async () => {
    const bob = await registerPerson(server.url);
    const phone = await bob.elsewhere({ terminal: 1 });
    for (const session of [bob, phone]) await subscribe(session);
    await bob.ok("modifyPwd", { body: { oldPassword: "password-1", newPassword: "password-2" } });
    expect(await countOf(bob)).toBe(1);
    await bob.ok("unregister", { body: { password: "password-2" } });
    expect(await countOf(bob)).toBe(0);
  });

  test("a person has a limited number of them", async () => {
    const bob = await registerPerson(server.url);
    for (let n = 0; n <= PUSH_SUBSCRIPTIONS_MAX; n++) {
      await subscribe(await bob.elsewhere({ terminal: 1 }));
    }
    expect(await countOf(bob)).toBe(PUSH_SUBSCRIPTIONS_MAX);
  });

  test("it ends when the push service knows it no more", async () => {
    const [ann, bob] = await registerFriends(server.url);
    await subscribe(bob);
    service.answer = () => ({ status: 410 });
    await sendText(ann, bob, "1");
    pass();
    await service.requests(1);
    await expect.poll(() => countOf(bob)).toBe(0);
  });
});

test("WP7 a push that the service does not take now is tried again after the time it names", async () => {
  const [ann, bob] = await registerFriends(server.url);
  const device = await subscribe(bob);
  let isAnswered = false;
  service.answer = () => {
    isAnswered = true;
    return { status: 429, headers: { "retry-after": "20" } };
  };
  await sendText(ann, bob, "1");
  pass();
  await device.received(1);
  await expect.poll(() => isAnswered).toBe(true);
  service.answer = () => ({ status: 201 });
  await expect
    .poll(() => {
      pass(10_000);
      return device.payloads().length;
    })
    .toBe(2);
  expect(device.payloads()[1]).toEqual(device.payloads()[0]);
});

test("WP8 the answer to a message does not wait for the pushes of 500 members", async () => {
  await using own = await createTestApp({ env: { WEB_PUSH: "private" } });
  const { userName } = await registerPerson(own.url);
  const groupId = await makeGroup(await logIn(own.url, userName), []);
  const { subscription } = service.device();
  await own.app.store.write((tx) => addSubscribedMembers(tx, groupId, subscription, own.clock.now()));
  // The new process reads who has subscribed.
  await own.app.stop();
  await own.app.start();
  const owner = await logIn(`http://127.0.0.1:${own.app.port}`, userName);
  let acknowledge = (): void => undefined;
  const acknowledged = new Promise<void>((resolve) => (acknowledge = resolve));
  service.answer = async () => {
    await acknowledged;
    return { status: 201 };
  };
  const send = (content: string) => owner.ok("sendGroupMessage", { body: { groupId, type: 0, content } });
  await send("first");
  own.clock.advance(1_000);
  own.app.sweep();
  await service.requests(1);
  // Every slot for requests is taken or about to be, and no request ends before this message is acknowledged.
  await send("second");
  expect(service.received.length).toBeLessThan(MEMBERS);
  acknowledge();
  await service.requests(MEMBERS);
});

const MEMBERS = 500;

async function addSubscribedMembers(
  tx: Tx,
  groupId: number,
  subscription: PushDevice["subscription"],
  now: number,
): Promise<void> {
  for (let n = 0; n < MEMBERS; n++) {
    const user = await tx.insertUser({
      userName: `member${n}`,
      nickName: `member ${n}`,
      passwordHash: "none",
      headImage: null,
      headImageThumb: null,
      registeredAt: now,
      registerDevice: null,
    });
    if (user === undefined) throw new Error("the name is taken");
    const sessionId = `session of ${user.id}`;
    await tx.upsertGroupMember(groupId, user.id, GroupRole.MEMBER, now);
    await tx.insertSession({
      id: sessionId,
      userId: user.id,
      terminal: 0,
      deviceNo: null,
      device: null,
      os: null,
      browser: null,
      refreshSerial: 0,
      refreshedAt: now,
      createdAt: now,
      lastSeenAt: now,
      address: null,
      expiresAt: now + 3_600_000,
      endedAt: null,
      endReason: null,
    });
    // Each has a secret of its own, as devices do.
    const auth = randomBytes(16).toString("base64url");
    const rest = { sessionId, userId: user.id, hasPreview: false, language: "en", createdAt: now };
    await tx.putWebPushSubscription({ ...subscription, auth, ...rest }, PUSH_SUBSCRIPTIONS_MAX);
  }
}
