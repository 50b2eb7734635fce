import { FIRST_CHATS_MAX, FIRST_CHATS_MAX_BYTES, FIRST_TEXT_MAX } from "@parley/protocol/limits";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import { makeGroup, registerFriends, registerPerson, request, sendText } from "../../testing/test-person.ts";

let server: TestApp;
beforeAll(async () => void (server = await createTestApp({ env: { RATE_LIMITS: "off" } })));
afterAll(() => server[Symbol.asyncDispose]());

describe("GET /chats/first", () => {
  test("answers private chats, groups and the system chat, with names, settings and counts", async () => {
    const [a, b] = await registerFriends(server.url);
    const stranger = await registerPerson(server.url);
    await a.ok("setManualApprove", { query: { enabled: true } });
    await stranger.ok("applyFriend", { body: { friendId: a.id } });
    server.clock.advance(1_000);
    const groupId = await makeGroup(b, [a], "Climbers");
    await b.ok("sendGroupMessage", {
      body: { groupId, type: 0, content: "@a hello", atUserIds: [a.id] },
    });
    server.clock.advance(1_000);
    await sendText(b, a, "first");
    const sent = await sendText(b, a, "x".repeat(FIRST_TEXT_MAX + 50));
    await a.ok("updateFriendRemark", { body: { friendId: b.id, remarkNickName: "Bee" } });
    const { chats } = await a.ok("loadFirstChats", { query: { n: 30 } });
    const [first] = chats.filter((chat) => chat.type === "PRIVATE" && chat.targetId === b.id);
    expect(first).toMatchObject({ name: "Bee", isTop: false, unread: 2, atMe: false, theirs: -1 });
    expect(first?.message).toMatchObject({ id: sent.id, content: "x".repeat(FIRST_TEXT_MAX) });
    expect(chats.find((chat) => chat.type === "GROUP")).toMatchObject({
      targetId: groupId,
      name: "Climbers",
      unread: 1,
      atMe: true,
      atAll: false,
      message: { content: "@a hello" },
    });
    const system = chats.filter((chat) => chat.type === "SYSTEM");
    expect(system).toMatchObject([
      { targetId: 0, name: null, isTop: true, unread: 1, message: { type: 60 } },
    ]);
    // The friends of a friend are nobody's business.
    expect((await stranger.ok("loadFirstChats", { query: { n: 30 } })).chats).not.toContainEqual(
      expect.objectContaining({ targetId: b.id }),
    );
  });

  test("shows a recalled message as its tip, an edited one with its new text, and a file without its urls", async () => {
    const [a, b] = await registerFriends(server.url);
    const text = await sendText(b, a, "secret");
    const newest = async () => {
      const { chats } = await a.ok("loadFirstChats", { query: { n: 30 } });
      return chats.find((chat) => chat.type === "PRIVATE");
    };
    await b.ok("sendPrivateMessage", {
      body: { recvId: a.id, type: 7, content: "edited", quoteMessageId: text.id },
    });
    expect((await newest())?.message).toMatchObject({ id: text.id, content: "edited" });
    await b.ok("recallPrivateMessage", { params: { id: text.id } });
    const recalled = await newest();
    expect(JSON.stringify(recalled)).not.toMatch(/secret|edited"/u);
    expect(recalled).toMatchObject({ message: { tip: { key: "recalled" } } });
    expect(recalled?.unread).toBe(0);
    await a.ok("addToBlacklist", { query: { userId: b.id } });
    expect((await newest())?.targetId).toBe(b.id);
  });

  test("stays below its size with the longest texts", async () => {
    const me = await registerPerson(server.url);
    for (let n = 0; n < 45; n++) await makeGroup(me, [], "群".repeat(20));
    const groups = await me.ok("listGroups");
    for (const { id } of groups)
      await me.ok("sendGroupMessage", { body: { groupId: id, type: 0, content: "😀".repeat(500) } });
    const { chats } = await me.ok("loadFirstChats", { query: { n: FIRST_CHATS_MAX } });
    expect(Buffer.byteLength(JSON.stringify(chats))).toBeLessThan(FIRST_CHATS_MAX_BYTES);
    expect(chats.length).toBeGreaterThanOrEqual(30);
  });

  test("takes a number of chats from 1 to its maximum, and a token", async () => {
    const me = await registerPerson(server.url);
    for (const n of [1, FIRST_CHATS_MAX])
      expect((await me.call("loadFirstChats", { query: { n } })).envelope.code).toBe(200);
    for (const n of [0, FIRST_CHATS_MAX + 1, -1, 1.5])
      expect((await me.call("loadFirstChats", { query: { n } })).envelope.key).toBe("request.malformed");
    expect((await request(server.url, "/chats/first?n=30")).envelope.code).toBe(400);
  });
});
