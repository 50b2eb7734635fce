import { FIRST_PULL_GROUP_MAX } from "@parley/protocol/limits";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import {
  type TestPerson,
  befriend,
  registerPerson,
  makeGroup,
  request,
  sendText,
} from "../../testing/test-person.ts";
import type { Frame, TestSocket } from "../../testing/test-socket.ts";
import { stored } from "../../testing/contracts/store-fixtures.ts";

let server: TestApp;
beforeAll(async () => void (server = await createTestApp({ env: { RATE_LIMITS: "off" } })));
afterAll(() => server[Symbol.asyncDispose]());

async function registerThree() {
  const [a, b, c] = [
    await registerPerson(server.url),
    await registerPerson(server.url),
    await registerPerson(server.url),
  ];
  return { a, b, c, groupId: await makeGroup(a, [b, c]) };
}
/** Creates another group of two friends. */
const another = async (owner: TestPerson, friend: TestPerson) =>
  (await owner.ok("createGroup", { body: { name: "Another", memberIds: [friend.id] } })).id;
const sendIn = (from: TestPerson, groupId: number, content = "hello", receipt = false) =>
  from.ok("sendGroupMessage", { body: { groupId, type: 0, content, receipt } });
/** Stores a message without an HTTP call. */
const storeMessage = async (groupId: number, sendId: number, n: number, part = {}) =>
  stored(
    await server.app.store.appendGroup({
      tmpId: null,
      type: 0,
      groupId,
      sendId,
      sendNickName: "N",
      sendRole: 3,
      content: `${n}`,
      sendTime: server.clock.now(),
      ...part,
    }),
  );
const idsOf = (rows: readonly { id: number }[]) => rows.map((row) => row.id);
const historyOf = async (reader: TestPerson, groupId: number) =>
  idsOf(await reader.ok("groupHistory", { query: { groupId, minId: 0, size: 100 } }));
const isEnd = (frame: Frame) => frame.data?.type === 30 && frame.data.content === "false";

/** What one pull pushes, LOADING included. */
async function pull(person: TestPerson, socket: TestSocket, minId: number): Promise<Frame[]> {
  const before = socket.frames.length;
  expect(await person.ok("pullGroupMessages", { query: { minId } })).toBe(null);
  await socket.next(isEnd);
  return socket.frames.slice(before);
}
const pulled = (frames: Frame[]) => frames.flatMap(({ data }) => (data?.id === undefined ? [] : [data.id]));

describe("pull, load and history of groups", () => {
  test("a pull sends the rows of all groups in ascending order, own ones included, between two LOADING frames of cmd 4", async () => {
    const { a, b, groupId } = await registerThree();
    const other = await another(b, a);
    const sent = [await sendIn(a, groupId), await sendIn(b, other), await sendIn(b, groupId)];
    const socket = await b.connect();
    const frames = await pull(b, socket, 0);
    expect(frames[0]).toEqual({
      cmd: 4,
      data: { type: 30, sendId: b.id, recvId: b.id, content: "true", extras: expect.any(Number) },
    });
    expect(frames.at(-1)).toEqual({
      cmd: 4,
      data: { type: 30, sendId: b.id, recvId: b.id, content: "false" },
    });
    expect(frames.slice(-4, -1).map((frame) => frame.data)).toEqual(sent);
    const rows = await b.ok("loadGroupMessages", { query: { minId: 0 } });
    expect(idsOf(rows)).toEqual(pulled(frames));
    const last = sent.at(-1)?.id ?? 0;
    expect(pulled(await pull(b, socket, last)).at(-1)).toBe(last);
    socket.close();
  });

  test("with no group there is only LOADING false", async () => {
    const person = await registerPerson(server.url);
    const socket = await person.connect();
    expect(await pull(person, socket, 0)).toEqual([
      { cmd: 4, data: { type: 30, sendId: person.id, recvId: person.id, content: "false" } },
    ]);
    socket.close();
  });

  test("a member sees the messages of their stays, and none from before or between", async () => {
    const { a, b, groupId } = await registerThree();
    const before = await sendIn(a, groupId, "before");
    const late = await registerPerson(server.url);
    await befriend(a, late);
    await a.ok("inviteToGroup", { body: { groupId, friendIds: [late.id] } });
    const during = await sendIn(a, groupId, "during");
    await late.ok("quitGroup", { params: { id: groupId } });
    const away = await sendIn(b, groupId, "away");
    await a.ok("inviteToGroup", { body: { groupId, friendIds: [late.id] } });
    const again = await sendIn(b, groupId, "again");
    const seen = [
      await historyOf(late, groupId),
      idsOf(await late.ok("loadGroupMessages", { query: { minId: 0 } })),
    ];
    for (const ids of seen) {
      expect(ids).toEqual(expect.arrayContaining([during.id, again.id]));
      expect(ids).not.toContain(before.id);
      expect(ids).not.toContain(away.id);
    }
    const find = async (q: string) =>
      (await late.ok("searchMessages", { query: { q } })).hits.map((hit) => hit.message.id);
    expect([await find("before"), await find("during"), await find("away")]).toEqual([[], [during.id], []]);
  });

  test("messages of a member who was removed with deletion are in no answer any more", async () => {
    const { a, b, c, groupId } = await registerThree();
    const removed = await sendIn(b, groupId, "gonewords");
    const quoting = await c.ok("sendGroupMessage", {
      body: { groupId, type: 0, content: "what?", quoteMessageId: removed.id },
    });
    const { next } = await c.ok("loadChanges", { query: {} });
    await a.ok("removeGroupMembers", { body: { groupId, userIds: [b.id], deleteMessages: true } });
    const rows = await c.ok("groupHistory", { query: { groupId, minId: 0 } });
    expect(idsOf(rows)).not.toContain(removed.id);
    expect(rows.find((row) => row.id === quoting.id)?.quoteMessage).toEqual({
      id: removed.id,
      sendId: b.id,
      content: "",
      type: 21,
      status: 1,
    });
    const everything = [
      rows,
      await c.ok("loadGroupMessages", { query: { minId: 0 } }),
      await c.ok("searchMessages", { query: { q: "gonewords" } }),
    ];
    expect(JSON.stringify(everything)).not.toContain("gonewords");
    expect((await c.ok("loadChanges", { query: { since: next } })).purged).toEqual([
      { groupId, userId: b.id, upTo: expect.any(Number) },
    ]);
  });

  test("a first pull sends the newest messages of a busy group, and says where they start", async () => {
    const { a, b, groupId } = await registerThree();
    const rows = Array.from({ length: FIRST_PULL_GROUP_MAX + 5 }, (_, n) => storeMessage(groupId, a.id, n));
    const ids = (await Promise.all(rows)).map(({ row }) => row.id).slice(5);
    const socket = await b.connect();
    const frames = await pull(b, socket, 0);
    expect(frames[0]?.data).toEqual({
      type: 30,
      sendId: b.id,
      recvId: b.id,
      content: "true",
      fromId: ids[0],
      extras: expect.any(Number),
    });
    expect(pulled(frames)).toEqual(ids);
    socket.close();
  });

  test("only current and former members can read the history", async () => {
    const { a, b, groupId } = await registerThree();
    const sent = await sendIn(a, groupId);
    const stranger = await registerPerson(server.url);
    const historyError = (id: number) => stranger.errorKeyOf("groupHistory", { query: { groupId: id } });
    expect([await historyError(groupId), await historyError(999_999)]).toEqual([
      "group.notFound",
      "group.notFound",
    ]);
    await b.ok("quitGroup", { params: { id: groupId } });
    await sendIn(a, groupId, "later");
    expect((await historyOf(b, groupId)).at(-1)).toBe(sent.id);
    expect((await b.call("groupHistory", { query: { groupId, minId: 1, maxId: 2 } })).status).toBe(400);
    const { envelope } = await request(server.url, `/message/group/history?groupId=${groupId}`);
    expect(envelope.code).toBe(400);
  });
});

describe("PUT /message/group/readed and receipts", () => {
  test("M112 push 11 goes to the reader's other clients, push 12 to the sender of each message with receipt; status and counts follow", async () => {
    const { a, b, c, groupId } = await registerThree();
    const [requested, plain] = [await sendIn(a, groupId, "read me", true), await sendIn(a, groupId)];
    const acting = b.tab("acting");
    const sockets = [await acting.connect(), await b.tab("x").connect(), await a.connect()] as const;
    const [own, other, sender] = sockets;
    expect(await acting.ok("readGroupMessages", { query: { groupId } })).toBe(null);
    expect((await other.nextOf(11)).data).toEqual({
      type: 11,
      sendId: b.id,
      groupId,
      maxId: plain.id,
      content: "",
    });
    const receipt = (readedCount: number, receiptOk: boolean) => ({
      id: requested.id,
      groupId,
      readedCount,
      receiptOk,
    });
    const nextReceipt = async () => {
      const { cmd, data } = await sender.nextOf(12);
      const { type, sendId, content, ...fields } = data ?? {};
      expect([cmd, type]).toEqual([4, 12]);
      // Older clients read the frame, others its content.
      expect(fields).toEqual(JSON.parse(content ?? ""));
      return { ...fields, by: sendId };
    };
    expect(await nextReceipt()).toEqual({ ...receipt(1, false), by: b.id });
    await c.ok("readGroupMessages", { query: { groupId, messageId: requested.id } });
    expect(await nextReceipt()).toEqual({ ...receipt(2, true), by: c.id });
    await c.ok("readGroupMessages", { query: { groupId } });
    for (const socket of sockets) await socket.flush();
    expect(own.of(11)).toEqual([]);
    expect(sender.of(12)).toHaveLength(2);
    const statuses = async (reader: TestPerson) =>
      (await reader.ok("groupHistory", { query: { groupId, minId: requested.id - 1 } })).map((row) => [
        row.status,
        row.readedCount,
        row.receiptOk,
      ]);
    expect(await statuses(b)).toEqual([
      [3, 2, true],
      [3, 0, false],
    ]);
    expect(await statuses(a)).toEqual([
      [1, 2, true],
      [1, 0, false],
    ]);
    for (const socket of sockets) socket.close();
  });

  test("the receipts of all messages of one read are pushed, and listed for a device that was away", async () => {
    const { a, b, groupId } = await registerThree();
    const { next } = await a.ok("loadChanges", { query: {} });
    const sent = await Promise.all(
      Array.from({ length: 450 }, (_, n) => storeMessage(groupId, a.id, n, { receipt: true })),
    );
    const ids = sent.map(({ row }) => row.id);
    const sender = await a.connect();
    await b.ok("readGroupMessages", { query: { groupId } });
    await sender.flush();
    const pushedReceipts = sender
      .of(12)
      .map((frame) => JSON.parse(frame.data?.content ?? "") as { id: number });
    expect(idsOf(pushedReceipts)).toEqual(ids);
    const { receipts } = await a.ok("loadChanges", { query: { since: next } });
    expect(receipts).toEqual(pushedReceipts);
    sender.close();
  });

  test("a reader who has hidden or cleared the message is counted and reported to the sender", async () => {
    const { a, b, c, groupId } = await registerThree();
    const requested = await sendIn(a, groupId, "read me", true);
    const sender = await a.connect();
    const nextReceipt = async () => JSON.parse((await sender.nextOf(12)).data?.content ?? "") as unknown;
    const counted = async () => {
      const rows = await a.ok("groupHistory", { query: { groupId, minId: requested.id - 1 } });
      const { readedCount, receiptOk } = rows[0] ?? {};
      return { id: requested.id, groupId, readedCount, receiptOk };
    };
    const { next } = await a.ok("loadChanges", { query: {} });
    await b.ok("deleteGroupMessages", { body: { groupId, ids: [requested.id] } });
    await b.ok("readGroupMessages", { query: { groupId, messageId: requested.id } });
    expect(await nextReceipt()).toEqual({ id: requested.id, groupId, readedCount: 1, receiptOk: false });
    await c.ok("flushAllMessages");
    await c.ok("readGroupMessages", { query: { groupId, messageId: requested.id } });
    const both = { id: requested.id, groupId, readedCount: 2, receiptOk: true };
    expect(await nextReceipt()).toEqual(both);
    expect(await counted()).toEqual(both);
    expect((await a.ok("loadChanges", { query: { since: next } })).receipts).toEqual([both]);
    sender.close();
  });

  test("a read position never moves down or beyond what the reader sees, and a stranger has none", async () => {
    const { a, b, groupId } = await registerThree();
    const other = await another(b, a);
    const sent = await sendIn(a, groupId);
    const elsewhere = await sendIn(a, other);
    const position = async () =>
      (await b.ok("loadChanges", { query: {} })).read.find((one) => one.targetId === groupId);
    await b.ok("readGroupMessages", { query: { groupId, messageId: elsewhere.id } });
    expect(await position()).toEqual({ type: "GROUP", targetId: groupId, mine: sent.id, theirs: -1 });
    await b.ok("readGroupMessages", { query: { groupId, messageId: 1 } });
    expect((await position())?.mine).toBe(sent.id);
    const hidden = await sendIn(a, groupId);
    await b.ok("deleteGroupMessages", { body: { groupId, ids: [hidden.id] } });
    await b.ok("readGroupMessages", { query: { groupId, messageId: hidden.id } });
    expect((await position())?.mine).toBe(hidden.id);
    const stranger = await registerPerson(server.url);
    expect(await stranger.errorKeyOf("readGroupMessages", { query: { groupId } })).toBe("group.notFound");
  });

  test("the sender, the owner and admins can list who has read a message", async () => {
    const { a, b, c, groupId } = await registerThree();
    const [requested, plain] = [await sendIn(b, groupId, "read me", true), await sendIn(b, groupId)];
    await c.ok("readGroupMessages", { query: { groupId } });
    const readers = (person: TestPerson, messageId: number) =>
      person.call("findReadedUsers", { query: { groupId, messageId } });
    const unread = (messageId: number) =>
      b.ok("findReadedUsers", { query: { groupId, messageId, who: "unread" } });
    expect(await unread(requested.id)).toEqual([a.id]);
    expect(await unread(plain.id)).toEqual([]);
    // A later member does not see the message, and a former member is not expected to read it.
    const late = await registerPerson(server.url);
    await befriend(a, late);
    await a.ok("inviteToGroup", { body: { groupId, friendIds: [late.id] } });
    const second = await sendIn(b, groupId, "read me too", true);
    expect(await unread(requested.id)).toEqual([a.id]);
    expect(await unread(second.id)).toEqual([a.id, c.id, late.id]);
    await c.ok("quitGroup", { params: { id: groupId } });
    expect(await unread(second.id)).toEqual([a.id, late.id]);
    await a.ok("inviteToGroup", { body: { groupId, friendIds: [c.id] } });
    expect((await readers(b, requested.id)).envelope.data).toEqual([c.id]);
    expect((await readers(a, requested.id)).envelope.data).toEqual([c.id]);
    expect((await readers(a, plain.id)).envelope.data).toEqual([]);
    expect((await readers(c, requested.id)).envelope.key).toBe("group.noRight");
    expect((await readers(a, 999_999)).envelope.key).toBe("message.notFound");
    await b.ok("quitGroup", { params: { id: groupId } });
    expect((await readers(b, requested.id)).envelope.key).toBe("group.notMember");
  });
});

describe("messages deleted for one person only", () => {
  test("hidden and cleared messages disappear on all devices of the person, by push 82 and /user/changes", async () => {
    const { a, b, groupId } = await registerThree();
    const [one, two] = [await sendIn(a, groupId, "oneword"), await sendIn(a, groupId, "twoword")];
    const { next } = await b.ok("loadChanges", { query: {} });
    const acting = b.tab("acting");
    const other = await b.tab("other").connect({ caps: ["changes"] });
    await acting.ok("deleteGroupMessages", { body: { groupId, ids: [one.id] } });
    await other.nextOf(82);
    expect(await historyOf(b, groupId)).not.toContain(one.id);
    expect(await historyOf(a, groupId)).toContain(one.id);
    const { hidden } = await b.ok("loadChanges", { query: { since: next } });
    expect(hidden).toEqual([{ type: "GROUP", targetId: groupId, ids: [one.id] }]);
    const stranger = await registerPerson(server.url);
    await stranger.ok("deleteGroupMessages", { body: { groupId, ids: [two.id] } });
    expect((await stranger.ok("loadChanges", { query: {} })).hidden).toEqual([]);
    await acting.ok("flushAllMessages");
    await other.nextOf(82);
    expect(await historyOf(b, groupId)).toEqual([]);
    expect(await b.ok("loadGroupMessages", { query: { minId: 0 } })).toEqual([]);
    expect((await b.ok("searchMessages", { query: { q: "twoword" } })).hits).toEqual([]);
    const { cleared } = await b.ok("loadChanges", { query: { since: next } });
    expect(cleared.find((mark) => mark.type === "GROUP")?.upTo).toBeGreaterThanOrEqual(two.id);
    other.close();
  });

  test("a sender that was away gets the receipts from /user/changes", async () => {
    const { a, b, groupId } = await registerThree();
    const requested = await sendIn(a, groupId, "read me", true);
    const { next } = await a.ok("loadChanges", { query: {} });
    await b.ok("readGroupMessages", { query: { groupId } });
    const { receipts } = await a.ok("loadChanges", { query: { since: next } });
    expect(receipts).toEqual([{ id: requested.id, groupId, readedCount: 1, receiptOk: false }]);
    expect((await b.ok("loadChanges", { query: {} })).receipts).toEqual([]);
  });
});

describe("search", () => {
  test("finds private and group messages together, the newest first, page by page", async () => {
    const { a, b, groupId } = await registerThree();
    const expected: [string, number][] = [];
    for (let n = 0; n < 60; n++) {
      server.clock.advance(1_000);
      const isGroup = n % 3 === 0;
      const { id } = isGroup ? await sendIn(a, groupId, "needle") : await sendText(a, b, "needle");
      expected.unshift([isGroup ? "GROUP" : "PRIVATE", id]);
    }
    const page = async (next?: string) => {
      const query = { q: "needle", ...(next !== undefined && { next }) };
      const { hits, ...rest } = await b.ok("searchMessages", { query });
      return { ...rest, found: hits.map((hit) => [hit.chatType, hit.message.id]) };
    };
    const first = await page();
    expect(first.found).toEqual(expected.slice(0, 50));
    expect(first.total).toBe(60);
    const second = await page(first.next ?? "");
    expect(second).toEqual({ found: expected.slice(50), total: 60, next: null });
    const ofKind = async (chatType: "GROUP" | "PRIVATE", targetId?: number) =>
      (
        await b.ok("searchMessages", {
          query: { q: "needle", chatType, ...(targetId !== undefined && { targetId }) },
        })
      ).hits.map((hit) => hit.message.id);
    const only = (kind: string) => expected.flatMap(([type, id]) => (type === kind ? [id] : []));
    expect(await ofKind("GROUP", groupId)).toEqual(only("GROUP"));
    expect(await ofKind("PRIVATE", a.id)).toEqual(only("PRIVATE"));
    expect(await ofKind("GROUP", 999_999)).toEqual([]);
    const stranger = await registerPerson(server.url);
    expect((await stranger.ok("searchMessages", { query: { q: "needle" } })).hits).toEqual([]);
  });
});
