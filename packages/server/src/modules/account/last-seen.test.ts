import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MessageType } from "@parley/protocol/codes";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { sendAdminCommand } from "../../runtime/admin-socket.ts";
import { eventually } from "../../testing/eventually.ts";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import {
  befriend,
  makeGroup,
  PASSWORD,
  registerFriends,
  registerPerson,
  request,
  type TestPerson,
} from "../../testing/test-person.ts";

const MINUTE_MS = 60_000;
/** What a client of today declares. */
const NEW = { caps: ["changes", "extras", "typing"] };

let server: TestApp;
beforeAll(async () => void (server = await createTestApp({ env: { RATE_LIMITS: "off" } })));
afterAll(() => server[Symbol.asyncDispose]());

const tell = (person: TestPerson, enabled: boolean) => person.ok("setLastSeenShown", { query: { enabled } });
const seenBy = (person: TestPerson, { id }: { id: number }) =>
  person.ok("findLastSeen", { query: { userId: id } });

describe("LS1 GET /user/lastSeen", () => {
  test("tells a friend to the minute when the person last showed a sign of life, once that is stored", async () => {
    const [a, b] = await registerFriends(server.url);
    const socket = await b.connect(NEW);
    server.clock.advance(MINUTE_MS * 7 + 12_345);
    await socket.flush();
    const seenAt = server.clock.now();
    socket.close();
    await socket.closed;
    server.clock.advance(MINUTE_MS);
    server.app.sweep();
    await eventually(async () => expect(await seenBy(a, b)).toBe(seenAt - (seenAt % MINUTE_MS)));
    // It also costs nobody a sign of life to be asked about.
    server.clock.advance(MINUTE_MS * 3);
    server.app.sweep();
    expect(await seenBy(a, b)).toBe(seenAt - (seenAt % MINUTE_MS));
  });

  test("needs a token and an id", async () => {
    const a = await registerPerson(server.url);
    for (const query of ["", "?userId=", "?userId=me"]) {
      const { status } = await a.send(ENDPOINTS.findLastSeen, `/user/lastSeen${query}`);
      expect(status, query).toBe(400);
    }
    const { envelope } = await request(server.url, `/user/lastSeen?userId=${a.id}`);
    expect([envelope.code, envelope.data]).toEqual([400, null]);
  });
});

describe("LS2 it is told to nobody but friends", () => {
  test("not to strangers, members of a group, former friends and oneself, and of nobody who does not exist", async () => {
    const [a, b] = await registerFriends(server.url);
    const c = await registerPerson(server.url);
    await makeGroup(a, [b]);
    expect(await seenBy(c, a)).toBeNull();
    await befriend(a, c);
    await makeGroup(a, [b, c]);
    expect([await seenBy(c, a), await seenBy(a, c)]).toEqual([expect.any(Number), expect.any(Number)]);
    expect([await seenBy(b, c), await seenBy(a, a), await seenBy(a, { id: 999_999 })]).toEqual([
      null,
      null,
      null,
    ]);
    await c.ok("deleteFriend", { params: { id: a.id } });
    expect([await seenBy(c, a), await seenBy(a, c)]).toEqual([null, null]);
  });

  test("not across a block, in either direction", async () => {
    const [a, b] = await registerFriends(server.url);
    await a.ok("addToBlacklist", { query: { userId: b.id } });
    expect([await seenBy(a, b), await seenBy(b, a)]).toEqual([null, null]);
    await a.ok("removeFromBlacklist", { query: { userId: b.id } });
    expect(await seenBy(b, a)).not.toBeNull();
  });

  test("not of people who are banned or have closed their account", async () => {
    const [a, b] = await registerFriends(server.url);
    const c = await registerPerson(server.url);
    await befriend(a, c);
    await sendAdminCommand(server.dataDir, { name: "ban", userName: b.userName, reason: "spam" });
    await c.ok("unregister", { body: { password: PASSWORD } });
    expect([await seenBy(a, b), await seenBy(a, c)]).toEqual([null, null]);
  });
});

describe("LS3 whoever has switched it off", () => {
  test("is not told of and told of nobody, on all devices; nobody gets a frame, and only the own devices know", async () => {
    const [a, b] = await registerFriends(server.url);
    const c = await registerPerson(server.url);
    await befriend(b, c);
    const [friend, own] = [await a.connect(NEW), await (await b.elsewhere()).connect(NEW)];
    expect((await b.ok("self")).lastSeenShown).toBe(true);
    expect(await tell(b, false)).toBeNull();
    expect((await own.nextOf(MessageType.CHANGES)).data?.content).toBe("people");
    expect([await seenBy(a, b), await seenBy(b, a), await seenBy(b, c)]).toEqual([null, null, null]);
    const others = [
      await a.ok("findUser", { params: { id: b.id } }),
      await a.ok("findFriend", { params: { id: b.id } }),
      await a.ok("listFriends"),
      await a.ok("loadChanges", { query: {} }),
    ];
    expect(JSON.stringify(others)).not.toMatch(/lastSeen(?!Shown":null)/);
    expect(await friend.flush()).toHaveLength(1);
    expect((await b.ok("self")).lastSeenShown).toBe(false);
    await tell(b, true);
    expect([await seenBy(a, b), await seenBy(b, a)]).toEqual([expect.any(Number), expect.any(Number)]);
    for (const socket of [friend, own]) socket.close();
  });

  test("needs a token and a value", async () => {
    const a = await registerPerson(server.url);
    for (const enabled of ["", "no"]) {
      const { status } = await a.send(ENDPOINTS.setLastSeenShown, `/user/lastSeenShown?enabled=${enabled}`);
      expect(status, enabled).toBe(400);
    }
    const { envelope } = await request(server.url, "/user/lastSeenShown?enabled=false", { method: "PUT" });
    expect([envelope.code, envelope.data]).toEqual([400, null]);
    expect((await a.ok("self")).lastSeenShown).toBe(true);
  });
});
