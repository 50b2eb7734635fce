import { MessageType } from "@parley/protocol/codes";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import {
  type TestPerson,
  befriend,
  registerPerson,
  sendText,
  registerFriends,
} from "../../testing/test-person.ts";
import { authorizeEdit } from "./edit-message.ts";

let server: TestApp;
beforeAll(
  async () => void (server = await createTestApp({ env: { RATE_LIMITS: "off", EDIT_SECONDS: "600" } })),
);
afterAll(() => server[Symbol.asyncDispose]());

const editBody = (to: TestPerson, id: number | undefined, content: string, tmpId?: string) => ({
  body: {
    recvId: to.id,
    type: 7,
    content,
    ...(id !== undefined && { quoteMessageId: id }),
    ...(tmpId !== undefined && { tmpId }),
  },
});

const history = (reader: TestPerson, friend: TestPerson) =>
  reader.ok("privateHistory", { query: { friendId: friend.id, minId: 0 } });

describe("send with type 7", () => {
  test("changes the row, and a stored event goes to both sides", async () => {
    const [a, b] = await registerFriends(server.url);
    const sent = await sendText(a, b, "frist");
    server.clock.advance(5_000);
    const acting = a.tab("acting");
    const [own, other, peer] = [await acting.connect(), await a.tab("other").connect(), await b.connect()];
    const event = await acting.ok("sendPrivateMessage", editBody(b, sent.id, "first", "e-1"));
    expect(event).toMatchObject({
      type: 7,
      tmpId: "e-1",
      content: "first",
      isEdited: false,
      quoteMessage: { id: sent.id, sendId: a.id, content: "first", type: 0, status: 1 },
    });
    expect((await other.nextOf(7)).data).toEqual(event);
    expect((await peer.nextOf(7)).data).toEqual(event);
    await own.flush();
    expect(own.of(7)).toEqual([]);
    const edited = { ...sent, content: "first", isEdited: true, editedAt: event.sendTime };
    for (const [reader, friend] of [
      [a, b],
      [b, a],
    ] as const) {
      expect((await history(reader, friend)).slice(-2)).toEqual([edited, event]);
      expect((await reader.ok("loadPrivateMessages", { query: { minId: 0 } })).slice(-2)).toEqual([
        edited,
        event,
      ]);
    }
    for (const socket of [own, other, peer]) socket.close();
  });

  test("quotes show the new text", async () => {
    const [a, b] = await registerFriends(server.url);
    const sent = await sendText(a, b, "old");
    await b.ok("sendPrivateMessage", {
      body: { recvId: a.id, type: 0, content: "about it", quoteMessageId: sent.id },
    });
    await a.ok("sendPrivateMessage", editBody(b, sent.id, "new"));
    expect((await history(b, a)).at(-2)?.quoteMessage?.content).toBe("new");
  });

  test("a repeated tmpId answers the stored event and changes nothing, also after the end of the edit window", async () => {
    const [a, b] = await registerFriends(server.url);
    const sent = await sendText(a, b, "0");
    const first = await a.ok("sendPrivateMessage", editBody(b, sent.id, "1", "e-1"));
    const second = await a.ok("sendPrivateMessage", editBody(b, sent.id, "2", "e-2"));
    expect(second.sendTime).toBeGreaterThan(first.sendTime);
    const rows = (await history(a, b)).length;
    for (const wait of [0, 3_600_000]) {
      server.clock.advance(wait);
      const again = await (await a.elsewhere()).ok("sendPrivateMessage", editBody(b, sent.id, "1", "e-1"));
      expect(again).toMatchObject({ id: first.id, sendTime: first.sendTime });
    }
    const after = await history(await a.elsewhere(), b);
    expect(after).toHaveLength(rows);
    expect(after.find((row) => row.id === sent.id)?.content).toBe("2");
  });

  test("an edit is possible up to the configured time, which the error gives in minutes", async () => {
    const [a, b] = await registerFriends(server.url);
    const sent = await sendText(a, b, "x");
    server.clock.advance(600_000);
    await a.ok("sendPrivateMessage", editBody(b, sent.id, "just in time"));
    server.clock.advance(1);
    const { envelope } = await a.call("sendPrivateMessage", editBody(b, sent.id, "late"));
    expect(envelope).toMatchObject({ key: "message.editTooLate", params: { minutes: 10 } });
    expect((await a.ok("loadSystemConfig")).message.editSeconds).toBe(600);
  });

  test("only the sender's own texts that are not recalled can be edited", async () => {
    const [a, b] = await registerFriends(server.url);
    const ofFriend = await sendText(b, a, "theirs");
    const nudge = await a.ok("sendPrivateMessage", { body: { recvId: b.id, type: 92, content: "" } });
    const recalled = await sendText(a, b, "gone");
    await a.ok("recallPrivateMessage", { params: { id: recalled.id } });
    for (const id of [ofFriend.id, nudge.id, recalled.id]) {
      expect(await a.errorKeyOf("sendPrivateMessage", editBody(b, id, "x"))).toBe("message.notEditable");
    }
  });

  test("a message of another chat or a hidden one cannot be edited", async () => {
    const [a, b] = await registerFriends(server.url);
    const c = await registerPerson(server.url);
    await befriend(a, c);
    const elsewhere = await sendText(a, c, "to c");
    const hidden = await sendText(a, b, "hidden");
    await a.ok("deletePrivateMessages", { body: { friendId: b.id, ids: [hidden.id] } });
    for (const id of [elsewhere.id, hidden.id, 999_999_999]) {
      expect(await a.errorKeyOf("sendPrivateMessage", editBody(b, id, "x"))).toBe("message.notFound");
    }
  });

  test("the rules for sending apply to edits", async () => {
    const [a, b] = await registerFriends(server.url);
    const { id } = await sendText(a, b, "x");
    for (const blank of [" ", "\u200b", "\u3164\ufe0f"])
      expect(await a.errorKeyOf("sendPrivateMessage", editBody(b, id, blank))).toBe("message.empty");
    expect(await a.errorKeyOf("sendPrivateMessage", editBody(b, id, "x".repeat(4_001)))).toBe(
      "message.tooLong",
    );
    const without = await a.call("sendPrivateMessage", editBody(b, undefined, "x"));
    expect(without.envelope.message).toBe("quoteMessageId: is missing");
    await b.ok("deleteFriend", { params: { id: a.id } });
    expect(await a.errorKeyOf("sendPrivateMessage", editBody(b, id, "y"))).toBe("message.notFriend");
  });
});

test("the error of a late edit gives the limit in whole minutes, rounded up", () => {
  const own = { sendId: 1, type: MessageType.TEXT, noticeId: null };
  const edit = (ageMs: number) => authorizeEdit(own, 1, 121, ageMs);
  expect(() => edit(121_000)).not.toThrow();
  expect(() => edit(121_001)).toThrow(
    expect.objectContaining({ key: "message.editTooLate", params: { minutes: 3 } }),
  );
});
