import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestApp, createTestApp } from "../testing/test-app.ts";
import { type TestPerson, makeGroup, registerFriends } from "../testing/test-person.ts";
import type { Frame } from "../testing/test-socket.ts";

let server: TestApp;
beforeAll(async () => void (server = await createTestApp({ env: { RATE_LIMITS: "off" } })));
afterAll(() => server[Symbol.asyncDispose]());

/** So short that no socket misses a heartbeat meanwhile. */
const MUTED_MS = 5_000;

const contentOf = (frame: Frame | undefined) =>
  JSON.parse(frame?.data?.content ?? "null") as Record<string, unknown>;

/** A chat of either kind, as the test sets and reads it. */
interface MutableChat {
  cmd: number;
  mutedLevel: 0 | 2;
  loudLevel: 0 | 1;
  set(as: TestPerson, msgRemind: number, until?: number): Promise<string | undefined>;
  read(as: TestPerson): Promise<unknown>;
  end(): Promise<unknown>;
}

/** The chat of two friends, as the first sees it. */
async function chatOf(kind: "friend" | "group", url: string): Promise<[TestPerson, MutableChat]> {
  const [a, b] = await registerFriends(url);
  if (kind === "friend")
    return [
      a,
      {
        cmd: 80,
        mutedLevel: 0,
        loudLevel: 1,
        async set(as, msgRemind, until) {
          const body = { friendId: b.id, msgRemind: msgRemind as 0 | 1, until };
          return (await as.call("setFriendMsgRemind", { body })).envelope.key;
        },
        read: (as) => as.ok("findFriend", { params: { id: b.id } }),
        end: () => b.ok("deleteFriend", { params: { id: a.id } }),
      },
    ];
  const groupId = await makeGroup(b, [a]);
  return [
    a,
    {
      cmd: 90,
      mutedLevel: 2,
      loudLevel: 0,
      async set(as, msgRemind, until) {
        const body = { groupId, msgRemind: msgRemind as 0 | 1 | 2, until };
        return (await as.call("setGroupMsgRemind", { body })).envelope.key;
      },
      read: (as) => as.ok("findGroup", { params: { id: groupId } }),
      end: () => b.ok("removeGroupMembers", { body: { groupId, userIds: [a.id] } }),
    },
  ];
}

test.each(["friend", "group"] as const)(
  "MU1 MU2 MU3 the chat of a %s is muted for a time on all devices, and is loud again after it",
  async (kind) => {
    await using own = await createTestApp({ env: { RATE_LIMITS: "off" } });
    const [a, chat] = await chatOf(kind, own.url);
    const acting = a.tab("acting");
    const [socket, other] = [await acting.connect(), await a.tab("other").connect()];
    const until = own.clock.now() + MUTED_MS;
    expect(await chat.set(acting, chat.mutedLevel, until)).toBeUndefined();
    const muted = { msgRemind: chat.mutedLevel, msgRemindUntil: until, isDnd: true };
    expect(contentOf(await other.nextOf(chat.cmd))).toMatchObject(muted);
    expect(await chat.read(a)).toMatchObject(muted);
    own.clock.advance(MUTED_MS - 1);
    expect(await chat.read(a)).toMatchObject(muted);
    own.clock.advance(1);
    const loud = { msgRemind: chat.loudLevel, msgRemindUntil: null, isDnd: false };
    // Nobody acted, so that all devices of the person are told.
    for (const device of [socket, other])
      expect(contentOf(await device.nextOf(chat.cmd))).toMatchObject(loud);
    expect(await chat.read(a)).toMatchObject(loud);
    for (const device of [socket, other]) device.close();
  },
);

test.each(["friend", "group"] as const)(
  "MU4 a level of a %s that was set later counts: without an end it stays, as from an older client",
  async (kind) => {
    await using own = await createTestApp({ env: { RATE_LIMITS: "off" } });
    const [a, chat] = await chatOf(kind, own.url);
    await chat.set(a, chat.mutedLevel, own.clock.now() + MUTED_MS);
    await chat.set(a, chat.mutedLevel);
    const socket = await a.connect();
    own.clock.advance(2 * MUTED_MS);
    const next = own.clock.now() + MUTED_MS;
    await chat.set(a.tab("acting"), chat.mutedLevel, next);
    expect(contentOf(await socket.nextOf(chat.cmd))).toMatchObject({ msgRemindUntil: next });
    own.clock.advance(MUTED_MS);
    // It was muted for good before, so that its usual level follows.
    expect(contentOf(await socket.nextOf(chat.cmd))).toMatchObject({ msgRemind: chat.loudLevel });
    expect(socket.of(chat.cmd)).toHaveLength(2);
    socket.close();
  },
);

test.each(["friend", "group"] as const)("MU5 a time that has passed is refused for a %s", async (kind) => {
  const [a, chat] = await chatOf(kind, server.url);
  const now = server.clock.now();
  for (const until of [now, now - 1, 0])
    expect(await chat.set(a, chat.mutedLevel, until)).toBe("request.malformed");
  for (const until of [1.5, -1, Number.MAX_VALUE, "soon" as unknown as number])
    expect(await chat.set(a, chat.mutedLevel, until)).toBe("request.malformed");
  expect(await chat.read(a)).toMatchObject({ msgRemind: chat.loudLevel });
});

test.each(["friend", "group"] as const)(
  "MU2 nobody is told when the %s has ended meanwhile",
  async (kind) => {
    await using own = await createTestApp({ env: { RATE_LIMITS: "off" } });
    const [a, chat] = await chatOf(kind, own.url);
    const [loud, loudChat] = await chatOf(kind, own.url);
    const socket = await a.connect();
    const until = own.clock.now() + MUTED_MS;
    await chat.set(a, chat.mutedLevel, until);
    await loudChat.set(loud, loudChat.mutedLevel, until + 1);
    await chat.end();
    await socket.flush();
    const before = socket.of(chat.cmd).length;
    const other = await loud.connect();
    own.clock.advance(MUTED_MS + 1);
    // The levels end in the order of their times.
    await other.nextOf(chat.cmd);
    await socket.flush();
    expect(socket.of(chat.cmd)).toHaveLength(before);
    for (const one of [socket, other]) one.close();
  },
);
