import { ChatType } from "@parley/protocol/codes";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../../testing/test-app.ts";
import { makeGroup, registerFriends, registerPerson, request } from "../../testing/test-person.ts";

let server: TestApp;
beforeAll(async () => void (server = await createTestApp()));
afterAll(() => server[Symbol.asyncDispose]());

const body = (targetId: number, unreadMark: number | null, type: ChatType = ChatType.PRIVATE) => ({
  type,
  targetId,
  set: { unreadMark },
});

describe("PUT /chat/prefs", () => {
  test("answers what is set, and /user/changes has it until something else is set", async () => {
    const [a, b] = await registerFriends(server.url);
    const first = await a.ok("setChatPrefs", { body: body(b.id, 5) });
    expect(first).toEqual({ v: expect.any(Number), prefs: { unreadMark: 5 } });
    expect(await a.ok("setChatPrefs", { body: body(b.id, 5) })).toEqual(first);
    const { prefs, next } = await a.ok("loadChanges", { query: {} });
    expect(prefs).toEqual([{ type: "PRIVATE", targetId: b.id, ...first }]);
    const last = await a.ok("setChatPrefs", { body: body(b.id, null) });
    expect(last.v).toBeGreaterThan(first.v);
    const after = await a.ok("loadChanges", { query: { since: next } });
    expect(after.prefs).toEqual([{ type: "PRIVATE", targetId: b.id, ...last }]);
    expect((await a.ok("loadChanges", { query: { since: after.next } })).prefs).toEqual([]);
    expect((await b.ok("loadChanges", { query: {} })).prefs).toEqual([]);
  });

  test("a pref is set beside those that are set already", async () => {
    const [a, b] = await registerFriends(server.url);
    await a.ok("setChatPrefs", { body: body(b.id, 5) });
    const archive = { type: ChatType.PRIVATE, targetId: b.id, set: { archived: 9 } };
    const both = await a.ok("setChatPrefs", { body: archive });
    expect(both.prefs).toEqual({ unreadMark: 5, archived: 9 });
    expect(await a.ok("setChatPrefs", { body: archive })).toEqual(both);
    const { prefs } = await a.ok("setChatPrefs", { body: { ...archive, set: { archived: null } } });
    expect(prefs).toEqual({ unreadMark: 5, archived: null });
  });

  test("push 82 goes to the person's other clients with the capability, once for each change", async () => {
    const [a, b] = await registerFriends(server.url);
    const acting = a.tab("acting");
    const sockets = [
      await acting.connect({ caps: ["changes"] }),
      await a.tab("knows").connect({ caps: ["changes"] }),
      await a.tab("older").connect(),
      await b.connect({ caps: ["changes"] }),
    ];
    for (const mark of [5, 5, null]) await acting.ok("setChatPrefs", { body: body(b.id, mark) });
    for (const socket of sockets) await socket.flush();
    expect(sockets.map((socket) => socket.of(82).length)).toEqual([0, 2, 0, 0]);
    expect(sockets[1]?.of(82)[0]).toEqual({
      cmd: 3,
      data: { type: 82, sendId: a.id, recvId: a.id, content: "" },
    });
    for (const socket of sockets) socket.close();
  });

  test("a person has prefs of chats with friends, also former ones, of their groups and of the system", async () => {
    const [a, b] = await registerFriends(server.url);
    const groupId = await makeGroup(a, [b]);
    const targets = [body(b.id, 1), body(groupId, 1, ChatType.GROUP), body(0, 1, ChatType.SYSTEM)];
    await b.ok("quitGroup", { params: { id: groupId } });
    await a.ok("deleteFriend", { params: { id: b.id } });
    for (const target of targets) await a.ok("setChatPrefs", { body: target });
    await b.ok("setChatPrefs", { body: body(groupId, 1, ChatType.GROUP) });
  });

  test("other chats, an unknown pref, a wrong value and a call without a token are refused", async () => {
    const [a] = await registerFriends(server.url);
    const stranger = await registerPerson(server.url);
    for (const target of [body(stranger.id, 1), body(1, 1, ChatType.GROUP), body(1, 1, ChatType.SYSTEM)])
      expect(await stranger.errorKeyOf("setChatPrefs", { body: target })).toBe("pref.noChat");
    expect((await stranger.ok("loadChanges", { query: {} })).prefs).toEqual([]);
    for (const set of [{ later: 1 }, { unreadMark: -2 }, { unreadMark: "5" }, { archived: -2 }, null]) {
      const { status, envelope } = await a.call("setChatPrefs", {
        body: { ...body(0, 1, ChatType.SYSTEM), set: set as never },
      });
      expect([status, envelope.key]).toEqual([400, "request.malformed"]);
    }
    const { envelope } = await request(server.url, "/chat/prefs", { method: "PUT" });
    expect(envelope.key).toBe("auth.notLoggedIn");
  });
});
