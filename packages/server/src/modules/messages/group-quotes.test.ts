import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import { type TestPerson, befriend, registerPerson, makeGroup } from "../../testing/test-person.ts";
import type { Frame, TestSocket } from "../../testing/test-socket.ts";

/** What a quote shows to somebody who was not a member when the quoted message was written. */
let server: TestApp;
beforeAll(async () => void (server = await createTestApp({ env: { RATE_LIMITS: "off" } })));
afterAll(() => server[Symbol.asyncDispose]());

const send = (
  from: TestPerson,
  groupId: number,
  content: string,
  extra: { type?: number; quoteMessageId?: number } = {},
) => from.ok("sendGroupMessage", { body: { groupId, type: 0, content, ...extra } });

/** Reads the messages of a group in every way that the server offers. */
async function readEverywhere(reader: TestPerson, socket: TestSocket, groupId: number, q: string) {
  const before = socket.frames.length;
  await reader.ok("pullGroupMessages", { query: { minId: 0 } });
  await socket.next((frame: Frame) => frame.data?.type === 30 && frame.data.content === "false");
  const pulled = socket.frames.slice(before).map((frame) => frame.data);
  const found = await reader.ok("searchMessages", { query: { q } });
  return {
    pulled,
    loaded: await reader.ok("loadGroupMessages", { query: { minId: 0 } }),
    history: await reader.ok("groupHistory", { query: { groupId, minId: 0, size: 100 } }),
    found: found.hits.map((hit) => hit.message),
  };
}

/** A group of A and B. `late` is a friend of A, who can be invited later. */
async function makeGroupOfTwo() {
  const [a, b, late] = [
    await registerPerson(server.url),
    await registerPerson(server.url),
    await registerPerson(server.url),
  ];
  await befriend(a, late);
  const groupId = await makeGroup(a, [b]);
  const invite = (who: TestPerson) => a.ok("inviteToGroup", { body: { groupId, friendIds: [who.id] } });
  return { a, b, late, groupId, invite };
}

test("a member who joined later receives a quote without its text by push and by every read; the others receive the whole quote", async () => {
  const { a, b, late, groupId, invite } = await makeGroupOfTwo();
  const secret = await send(a, groupId, "beforeword");
  await invite(late);
  const [aSocket, lateSocket, own] = [
    await a.connect(),
    await late.connect(),
    await b.tab("other").connect(),
  ];
  const sent = await send(b.tab("acting"), groupId, "answerword", { quoteMessageId: secret.id });
  const fullQuote = { id: secret.id, sendId: a.id, content: "beforeword", type: 0, status: 1 };
  const masked = { id: secret.id, sendId: a.id, content: "", type: 21, status: 1 };
  expect(sent.quoteMessage).toEqual(fullQuote);
  for (const socket of [aSocket, own]) expect((await socket.nextOf(0)).data).toEqual(sent);
  expect((await lateSocket.nextOf(0)).data).toEqual({ ...sent, quoteMessage: masked });
  await lateSocket.flush();
  expect(lateSocket.of(0).length).toBe(1);

  const readings = await readEverywhere(late, lateSocket, groupId, "answerword");
  for (const rows of Object.values(readings))
    expect(rows.filter((row) => row?.id === sent.id).map((row) => row?.quoteMessage)).toEqual([masked]);
  expect(JSON.stringify([readings, lateSocket.frames])).not.toContain("beforeword");
  for (const rows of Object.values(await readEverywhere(a, aSocket, groupId, "answerword")))
    expect(rows.find((row) => row?.id === sent.id)).toMatchObject({ quoteMessage: fullQuote });
  for (const socket of [aSocket, lateSocket, own]) socket.close();
});

test("a member who was away when the quoted message was written receives no text either, also after a recall", async () => {
  const { a, b, late, groupId, invite } = await makeGroupOfTwo();
  await invite(late);
  await late.ok("quitGroup", { params: { id: groupId } });
  const secret = await send(a, groupId, "awayword");
  await invite(late);
  const socket = await late.connect();
  const sent = await send(b, groupId, "answer", { quoteMessageId: secret.id });
  const masked = { id: secret.id, sendId: a.id, content: "", type: 21, status: 1 };
  expect((await socket.nextOf(0)).data?.["quoteMessage"]).toEqual(masked);
  await a.ok("recallGroupMessage", { params: { id: secret.id } });
  const history = await late.ok("groupHistory", { query: { groupId, minId: 0 } });
  expect(history.find((row) => row.id === sent.id)?.quoteMessage).toEqual(masked);
  expect(JSON.stringify([history, socket.frames])).not.toContain("awayword");
  socket.close();
});

test("the new text of an edit does not reach a member who came after the message, by push or by any read", async () => {
  const { a, b, late, groupId, invite } = await makeGroupOfTwo();
  const early = await send(a, groupId, "first");
  await invite(late);
  const [peer, lateSocket] = [await b.connect(), await late.connect()];
  const event = await send(a, groupId, "editedword", { type: 7, quoteMessageId: early.id });
  expect((await peer.nextOf(7)).data).toEqual(event);
  await lateSocket.flush();
  const readings = await readEverywhere(late, lateSocket, groupId, "editedword");
  expect(JSON.stringify([readings, lateSocket.frames])).not.toContain("editedword");
  expect(readings.found).toEqual([]);
  // Edits of messages from the member's own stay do reach them.
  const later = await send(a, groupId, "second");
  await send(a, groupId, "secondword", { type: 7, quoteMessageId: later.id });
  expect((await lateSocket.nextOf(7)).data?.content).toBe("secondword");
  for (const socket of [peer, lateSocket]) socket.close();
});

test("a message that only the reader has hidden or cleared stays readable in quotes", async () => {
  const { a, b, groupId } = await makeGroupOfTwo();
  const quoted = await send(a, groupId, "keptword");
  const sent = await send(a, groupId, "answer", { quoteMessageId: quoted.id });
  await b.ok("deleteGroupMessages", { body: { groupId, ids: [quoted.id] } });
  const quoteOf = async () =>
    (await b.ok("groupHistory", { query: { groupId, minId: 0 } })).find((row) => row.id === sent.id)
      ?.quoteMessage;
  expect(await quoteOf()).toMatchObject({ content: "keptword", type: 0 });
  await b.ok("flushAllMessages");
  const socket = await b.connect();
  await send(a, groupId, "once more", { quoteMessageId: quoted.id });
  expect((await socket.nextOf(0)).data?.["quoteMessage"]).toMatchObject({ content: "keptword", type: 0 });
  socket.close();
});

test("an edit of a message that a reader has hidden is pushed if they see it quoted", async () => {
  const { a, b, groupId } = await makeGroupOfTwo();
  const quoted = await send(a, groupId, "first");
  const sent = await send(a, groupId, "answer", { quoteMessageId: quoted.id });
  await b.ok("deleteGroupMessages", { body: { groupId, ids: [quoted.id] } });
  const socket = await b.connect();
  const event = await send(a, groupId, "second", { type: 7, quoteMessageId: quoted.id });
  expect((await socket.nextOf(7)).data).toEqual(event);
  const history = await b.ok("groupHistory", { query: { groupId, minId: 0 } });
  expect(history.map(({ id }) => id).slice(-2)).toEqual([sent.id, event.id]);
  socket.close();
});

test("an edit of a message that a reader hides later stays visible as long as they see it quoted", async () => {
  const { a, b, groupId } = await makeGroupOfTwo();
  const quoted = await send(a, groupId, "first");
  const sent = await send(a, groupId, "answer", { quoteMessageId: quoted.id });
  const event = await send(a, groupId, "second", { type: 7, quoteMessageId: quoted.id });
  const hide = (ids: number[]) => b.ok("deleteGroupMessages", { body: { groupId, ids } });
  const visibleIds = async () =>
    (await b.ok("loadGroupMessages", { query: { minId: 0 } }))
      .map(({ id }) => id)
      .filter((id) => id >= quoted.id);
  await hide([quoted.id]);
  expect(await visibleIds()).toEqual([sent.id, event.id]);
  await hide([sent.id]);
  expect(await visibleIds()).toEqual([]);
  const again = await send(a, groupId, "third");
  const answer = await send(a, groupId, "answer", { quoteMessageId: again.id });
  await send(a, groupId, "fourth", { type: 7, quoteMessageId: again.id });
  await hide([again.id, answer.id]);
  expect(await visibleIds()).toEqual([]);
});

describe("an edit made while somebody is out of the group", () => {
  /** B and `late` have the message. Both leave the group, and then it is edited. */
  async function editedMeanwhile() {
    const { a, b, late, groupId, invite } = await makeGroupOfTwo();
    await invite(late);
    const row = await send(a, groupId, "needle of before");
    const quoting = await send(a, groupId, "needle that answers", { quoteMessageId: row.id });
    await b.ok("quitGroup", { params: { id: groupId } });
    await late.ok("quitGroup", { params: { id: groupId } });
    const [bSocket, lateSocket] = [await b.connect(), await late.connect()];
    await send(a, groupId, "needle canarymeanwhile", { type: 7, quoteMessageId: row.id });
    return { a, b, late, groupId, invite, row, quoting, bSocket, lateSocket };
  }

  test("reaches no former member, by push or by any read", async () => {
    const { a, b, groupId, row, quoting, bSocket, lateSocket } = await editedMeanwhile();
    const readings = await readEverywhere(b, bSocket, groupId, "needle");
    for (const rows of Object.values(readings)) {
      expect(rows.find((one) => one?.id === row.id)).toMatchObject({
        content: "needle of before",
        isEdited: false,
        editedAt: null,
      });
      expect(rows.find((one) => one?.id === quoting.id)?.quoteMessage).toMatchObject({
        content: "needle of before",
      });
    }
    const search = await b.ok("searchMessages", { query: { q: "canarymeanwhile" } });
    expect(search).toMatchObject({ hits: [], total: 0 });
    expect(JSON.stringify([readings, bSocket.frames])).not.toContain("canarymeanwhile");
    const own = await a.connect();
    for (const rows of Object.values(await readEverywhere(a, own, groupId, "needle")))
      expect(rows.find((one) => one?.id === row.id)).toMatchObject({ content: "needle canarymeanwhile" });
    // A recalled message disappears for everybody.
    await a.ok("recallGroupMessage", { params: { id: row.id } });
    expect(JSON.stringify(await readEverywhere(b, bSocket, groupId, "needle"))).not.toContain(
      "needle of before",
    );
    for (const socket of [bSocket, lateSocket, own]) socket.close();
  });

  test("does not reach a member who comes back, whose quotes keep the old text; the next edit does", async () => {
    const { a, late, groupId, invite, row, bSocket, lateSocket } = await editedMeanwhile();
    await invite(late);
    const other = await a.connect();
    const formerQuote = { id: row.id, content: "needle of before", type: 0 };
    const pushed = await send(a, groupId, "look", { quoteMessageId: row.id });
    expect(pushed.quoteMessage).toMatchObject({ content: "needle canarymeanwhile" });
    const isText = (id: number) => (frame: Frame) => frame.data?.id === id;
    expect((await lateSocket.next(isText(pushed.id))).data?.["quoteMessage"]).toMatchObject(formerQuote);
    const acting = late.tab("acting");
    const tmpId = "quoted-once";
    const body = { groupId, type: 0, content: "mine", quoteMessageId: row.id, tmpId };
    const own = await acting.ok("sendGroupMessage", { body });
    expect(own.quoteMessage).toMatchObject(formerQuote);
    expect((await acting.ok("sendGroupMessage", { body })).quoteMessage).toMatchObject(formerQuote);
    expect((await lateSocket.next(isText(own.id))).data?.["quoteMessage"]).toMatchObject(formerQuote);
    expect((await other.next(isText(own.id))).data?.["quoteMessage"]).toMatchObject({
      content: "needle canarymeanwhile",
    });
    const readings = await readEverywhere(late, lateSocket, groupId, "needle");
    for (const rows of Object.values(readings))
      expect(rows.find((one) => one?.id === row.id)).toMatchObject({ content: "needle of before" });
    expect(JSON.stringify([readings, lateSocket.frames])).not.toContain("canarymeanwhile");
    const event = await send(a, groupId, "needle now", { type: 7, quoteMessageId: row.id });
    expect((await lateSocket.next(isText(event.id))).data).toMatchObject({ content: "needle now" });
    const history = await late.ok("groupHistory", { query: { groupId, minId: 0 } });
    expect(history.find((one) => one.id === own.id)?.quoteMessage).toMatchObject({ content: "needle now" });
    for (const socket of [bSocket, lateSocket, other]) socket.close();
  });
});
