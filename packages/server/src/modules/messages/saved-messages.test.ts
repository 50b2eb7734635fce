import { join } from "node:path";
import { MessageType } from "@parley/protocol/codes";
import { SAVED_MAX } from "@parley/protocol/limits";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../../testing/test-app.ts";
import { makeGroup, registerFriends, registerPerson, request, sendText } from "../../testing/test-person.ts";

let server: TestApp;
beforeAll(async () => void (server = await createTestApp({ env: { RATE_LIMITS: "off" } })));
afterAll(() => server[Symbol.asyncDispose]());

const words = { note: "", tags: [] };
const ASK = (userId: number) => ({
  cmd: 3,
  data: { type: 82, sendId: userId, recvId: userId, content: "" },
});

describe("PUT /message/saved", () => {
  test("SV1 answers the saved message, and the feed and the list have it until it is removed", async () => {
    const [a, b] = await registerFriends(server.url);
    const { id } = await sendText(b, a, "the address of the office");
    const body = { id, note: "for Monday", tags: ["work", "trip"] };
    const first = await a.ok("setSaved", { body });
    const saved = {
      type: "PRIVATE",
      targetId: b.id,
      at: expect.any(Number),
      note: "for Monday",
      tags: body.tags,
    };
    expect(first).toMatchObject({ id, saved, message: { id, content: "the address of the office" } });
    expect(await a.ok("setSaved", { body })).toEqual(first);
    const { v } = first;
    expect((await a.ok("loadChanges", { query: {} })).saved).toEqual([{ id, v, saved }]);
    expect(await a.ok("listSaved", { query: {} })).toEqual({ entries: [first], next: null });
    expect((await b.ok("listSaved", { query: {} })).entries).toEqual([]);
    const removed = await a.ok("removeSaved", { params: { id } });
    expect(removed).toEqual({ id, v: v + 1, saved: null });
    expect(await a.ok("removeSaved", { params: { id } })).toEqual(removed);
    expect((await a.ok("loadChanges", { query: { since: String(v) } })).saved).toEqual([removed]);
    expect(await b.ok("removeSaved", { params: { id } })).toEqual({ id, v: 0, saved: null });
  });

  test("SV2 other devices of the person are told by push 82, once for each change", async () => {
    const [a, b] = await registerFriends(server.url);
    const { id } = await sendText(b, a, "text");
    const [other, friend] = [await (await a.elsewhere()).connect({ caps: ["changes"] }), await b.connect()];
    for (const note of ["", "", "x"]) await a.ok("setSaved", { body: { id, note, tags: [] } });
    for (let n = 0; n < 2; n++) await a.ok("removeSaved", { params: { id } });
    for (const socket of [other, friend]) await socket.flush();
    expect(other.of(82)).toEqual([ASK(a.id), ASK(a.id), ASK(a.id)]);
    expect(friend.of(82)).toEqual([]);
    for (const socket of [other, friend]) socket.close();
  });

  test("SV5 recalled, deleted and cleared messages are gone from everybody's saved ones, who are told", async () => {
    const [a, b] = await registerFriends(server.url);
    const [recalled, hidden, cleared] = [
      await sendText(b, a, "a mistake"),
      await sendText(b, a, "hidden"),
      await sendText(b, a, "cleared"),
    ];
    for (const { id } of [recalled, hidden, cleared]) await a.ok("setSaved", { body: { id, ...words } });
    const socket = await a.connect({ caps: ["changes"] });
    const ids = async () => (await a.ok("listSaved", { query: {} })).entries.map(({ id }) => id);
    await b.ok("recallPrivateMessage", { params: { id: recalled.id } });
    await socket.flush();
    expect(socket.of(82)).toEqual([ASK(a.id)]);
    expect(await ids()).toEqual([cleared.id, hidden.id]);
    expect(JSON.stringify(await a.ok("loadChanges", { query: {} }))).not.toContain("a mistake");
    await a.ok("deletePrivateMessages", { body: { friendId: b.id, ids: [hidden.id] } });
    expect(await ids()).toEqual([cleared.id]);
    await a.ok("flushAllMessages");
    expect(await ids()).toEqual([]);
    for (const { id } of [recalled, hidden, cleared]) {
      const key =
        id === recalled.id
          ? expect.stringMatching(/^(message.notFound|saved.notPossible)$/)
          : "message.notFound";
      expect(await a.errorKeyOf("setSaved", { body: { id, ...words } })).toEqual(key);
    }
    socket.close();
  });

  test("SV5 an edit is told to who has saved the message, and the list has the new words", async () => {
    const [a, b] = await registerFriends(server.url);
    const { id } = await sendText(b, a, "befor");
    await a.ok("setSaved", { body: { id, note: "n", tags: [] } });
    const socket = await a.connect({ caps: ["changes"] });
    await b.ok("sendPrivateMessage", {
      body: { recvId: a.id, type: MessageType.EDIT, content: "before", quoteMessageId: id },
    });
    await socket.flush();
    expect(socket.of(82)).toEqual([ASK(a.id)]);
    expect((await a.ok("listSaved", { query: {} })).entries).toMatchObject([
      { id, saved: { note: "n" }, message: { content: "before" } },
    ]);
    socket.close();
  });

  test("SV5 in a group, who leaves keeps what they saw, and loses what a moderator removes", async () => {
    const [owner, member] = await registerFriends(server.url);
    const spammer = await registerPerson(server.url);
    const groupId = await makeGroup(owner, [member, spammer]);
    const send = async (by: typeof owner, content: string) =>
      (await by.ok("sendGroupMessage", { body: { groupId, type: MessageType.TEXT, content } })).id;
    const [spam, kept] = [await send(spammer, "spam"), await send(owner, "kept")];
    for (const id of [spam, kept]) await member.ok("setSaved", { body: { id, ...words } });
    await member.ok("quitGroup", { params: { id: groupId } });
    const later = await send(owner, "later");
    expect(await member.errorKeyOf("setSaved", { body: { id: later, ...words } })).toBe("message.notFound");
    const socket = await member.connect({ caps: ["changes"] });
    await owner.ok("removeGroupMembers", { body: { groupId, userIds: [spammer.id], deleteMessages: true } });
    await socket.flush();
    expect(socket.of(82)).toEqual([ASK(member.id)]);
    const { entries } = await member.ok("listSaved", { query: {} });
    expect(entries).toMatchObject([
      { id: kept, saved: { type: "GROUP", targetId: groupId }, message: { content: "kept" } },
    ]);
    socket.close();
  });

  test("SV1 strangers' messages, tips, wrong notes and tags, and a call without a token are refused", async () => {
    const [a, b] = await registerFriends(server.url);
    const [stranger] = await registerFriends(server.url);
    const { id } = await sendText(a, b, "text");
    expect(await stranger.errorKeyOf("setSaved", { body: { id, ...words } })).toBe("message.notFound");
    const [tip] = await a.ok("privateHistory", { query: { friendId: b.id, minId: 0 } });
    expect(await a.errorKeyOf("setSaved", { body: { id: tip?.id ?? 0, ...words } })).toBe(
      "saved.notPossible",
    );
    const wrong = [
      { note: "n".repeat(201) },
      { tags: ["1", "2", "3", "4", "5", "6"] },
      { tags: ["t".repeat(21)] },
      { tags: [""] },
      { tags: [" a"] },
      { tags: ["a", "a"] },
      { tags: "a" as never },
    ];
    for (const part of wrong) {
      const { status, envelope } = await a.call("setSaved", { body: { id, ...words, ...part } });
      expect([status, envelope.key], JSON.stringify(part)).toEqual([400, "request.malformed"]);
    }
    const longest = { note: "字".repeat(200), tags: ["1", "2", "3", "4", "👩‍🚀".repeat(4)] };
    expect((await a.ok("setSaved", { body: { id, ...longest } })).saved).toMatchObject(longest);
    const { envelope } = await request(server.url, "/message/saved", { method: "PUT" });
    expect(envelope.key).toBe("auth.notLoggedIn");
  });

  test.skipIf(process.env["TEST_STORE"] === "postgres")(
    "SV3 the 5,001st is refused with the number, and what is saved can still be changed",
    async () => {
      const [a, b] = await registerFriends(server.url);
      const { id } = await sendText(b, a, "first");
      await a.ok("setSaved", { body: { id, ...words } });
      const db = new Database(join(server.dataDir, "parley.sqlite"));
      const insert = db.prepare(
        "insert into savedMessage (userId, messageId, chatId, changed, at, note, tags) values (?, ?, -1, 1, 1, '', '[]')",
      );
      db.transaction(() => {
        for (let n = 1; n < SAVED_MAX; n++) insert.run(a.id, 1_000_000 + n);
      })();
      db.close();
      const last = await sendText(b, a, "one too many");
      const { envelope } = await a.call("setSaved", { body: { id: last.id, ...words } });
      expect([envelope.key, envelope.message]).toEqual([
        "saved.tooMany",
        expect.stringContaining(String(SAVED_MAX)),
      ]);
      await a.ok("setSaved", { body: { id, note: "changed", tags: [] } });
      await a.ok("removeSaved", { params: { id } });
      await a.ok("setSaved", { body: { id: last.id, ...words } });
    },
  );
});
