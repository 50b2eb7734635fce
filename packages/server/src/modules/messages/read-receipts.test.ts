import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MessageStatus, MessageType } from "@parley/protocol/codes";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import {
  makeGroup,
  registerFriends,
  registerPerson,
  request,
  sendText,
  type TestPerson,
} from "../../testing/test-person.ts";

const { READED, RECEIPT } = MessageType;
/** What a client of today declares. */
const NEW = { caps: ["changes", "extras", "typing"] };

let server: TestApp;
beforeAll(async () => void (server = await createTestApp({ env: { RATE_LIMITS: "off" } })));
afterAll(() => server[Symbol.asyncDispose]());

const tell = (person: TestPerson, enabled: boolean) => person.ok("setReadReceipts", { query: { enabled } });
const read = (reader: TestPerson, friend: TestPerson, messageId?: number) =>
  reader.ok("readPrivateMessages", {
    query: { friendId: friend.id, ...(messageId !== undefined && { messageId }) },
  });
const maxRead = (person: TestPerson, friend: TestPerson) =>
  person.ok("maxReadedId", { query: { friendId: friend.id } });

/** Everything that a person can load about a chat with a friend. */
async function loaded(person: TestPerson, friend: TestPerson): Promise<string> {
  const answers = [
    await maxRead(person, friend),
    await person.ok("loadChanges", { query: {} }),
    await person.ok("privateHistory", { query: { friendId: friend.id } }),
    await person.ok("loadPrivateMessages", { query: { minId: 0 } }),
    await person.ok("loadFirstChats", { query: { n: 50 } }),
    await person.ok("searchMessages", { query: { q: "words" } }),
    await person.ok("findUser", { params: { id: friend.id } }),
    await person.ok("findFriend", { params: { id: friend.id } }),
    await person.ok("listFriends"),
  ];
  return JSON.stringify(answers);
}

/** What a person gets to know while a friend reads: the frames of all kinds, and whether any answer is another than before. */
async function observed(person: TestPerson, friend: TestPerson, reading: () => Promise<unknown>) {
  const sockets = [await person.connect(NEW), await person.tab("older").connect()];
  const before = await loaded(person, friend);
  for (const socket of sockets) await socket.flush();
  const starts = sockets.map(({ frames }) => frames.length);
  await reading();
  const frames = [];
  for (const [at, socket] of sockets.entries()) frames.push(...(await socket.flush()).slice(starts[at]));
  const isSame = (await loaded(person, friend)) === before;
  for (const socket of sockets) socket.close();
  return { frames, isSame };
}

const NOTHING = { frames: [], isSame: true };

describe("whoever has switched read receipts off", () => {
  test("RC2 moves their own devices, and their friend gets no frame and no other answer than before", async () => {
    const [a, b] = await registerFriends(server.url);
    const first = await sendText(a, b, "words");
    await sendText(b, a, "words of mine");
    const last = await sendText(a, b, "more words");
    await tell(b, false);
    const own = await (await b.elsewhere()).connect(NEW);
    const reading = async () => {
      await read(b, a, first.id);
      await read(b, a);
    };
    expect(await observed(a, b, reading)).toEqual(NOTHING);
    expect((await own.nextOf(READED)).data).toMatchObject({ recvId: a.id, maxId: first.id });
    expect((await own.nextOf(READED)).data).toMatchObject({ recvId: a.id, maxId: last.id });
    const ofReader = await b.ok("loadChanges", { query: {} });
    expect(ofReader.read).toEqual([{ type: "PRIVATE", targetId: a.id, mine: last.id, theirs: -1 }]);
    own.close();
  });

  test("RC3 learns nothing of what others read, in no way either", async () => {
    const [a, b] = await registerFriends(server.url);
    await sendText(a, b, "words");
    const { id } = await sendText(b, a, "words of mine");
    await tell(b, false);
    const own = await (await a.elsewhere()).connect(NEW);
    expect(await observed(b, a, () => read(a, b))).toEqual(NOTHING);
    expect((await own.nextOf(READED)).data).toMatchObject({ recvId: b.id, maxId: id });
    own.close();
  });

  test("RC4 what was told before is not told while it is off, and what is read meanwhile not afterwards either, until something newer is read", async () => {
    const [a, b] = await registerFriends(server.url);
    const told = await sendText(a, b, "words");
    await read(b, a);
    expect([await maxRead(a, b), await maxRead(b, a)]).toEqual([told.id, -1]);
    for (const person of [a, b]) {
      await tell(person, false);
      expect(await maxRead(a, b)).toBe(-1);
      expect((await a.ok("privateHistory", { query: { friendId: b.id } }))[0]?.status).toBe(
        MessageStatus.SENDED,
      );
      await sendText(a, b, "words that are read in secret");
      expect(await observed(a, b, () => read(b, a))).toEqual(NOTHING);
      expect(await observed(a, b, () => read(b, a, 1))).toEqual(NOTHING);
      await tell(person, true);
      expect(await maxRead(a, b)).toBe(told.id);
    }
    const newer = await sendText(a, b, "newer words");
    const { frames, isSame } = await observed(a, b, () => read(b, a));
    expect(frames.map(({ data }) => [data?.type, data?.maxId])).toEqual([
      [RECEIPT, newer.id],
      [RECEIPT, newer.id],
    ]);
    expect([isSame, await maxRead(a, b)]).toEqual([false, newer.id]);
  });

  test("RC5 still tells groups, where it is the sender who asks, and others do not notice the switch", async () => {
    const [a, b] = await registerFriends(server.url);
    const stranger = await registerPerson(server.url);
    const groupId = await makeGroup(a, [b, stranger]);
    const sockets = [await a.connect(NEW), await stranger.connect(NEW)];
    const before = await loaded(a, b);
    await tell(b, false);
    expect(await loaded(a, b)).toBe(before);
    for (const socket of sockets) expect(await socket.flush()).toHaveLength(1);
    const asked = { groupId, type: 0, content: "words", receipt: true };
    const { id } = await a.ok("sendGroupMessage", { body: asked });
    await b.ok("readGroupMessages", { query: { groupId } });
    expect((await sockets[0]?.nextOf(RECEIPT))?.data).toMatchObject({ id, readedCount: 1 });
    for (const socket of sockets) socket.close();
  });

  test("RC2 keeps notes to oneself read", async () => {
    const a = await registerPerson(server.url);
    await tell(a, false);
    const note = await sendText(a, a, "words");
    await read(a, a);
    expect(await maxRead(a, a)).toBe(note.id);
    expect((await a.ok("privateHistory", { query: { friendId: a.id } }))[0]?.status).toBe(
      MessageStatus.READED,
    );
  });
});

describe("RC1 PUT /user/readReceipts", () => {
  test("is on at first, holds on all devices, and is nobody else's business", async () => {
    const [a, b] = await registerFriends(server.url);
    const elsewhere = await b.elsewhere();
    const socket = await elsewhere.connect(NEW);
    expect((await b.ok("self")).readReceipts).toBe(true);
    expect(await tell(b, false)).toBeNull();
    expect((await socket.nextOf(MessageType.CHANGES)).data?.content).toBe("people");
    expect((await elsewhere.ok("self")).readReceipts).toBe(false);
    expect((await a.ok("findUser", { params: { id: b.id } })).readReceipts).toBeNull();
    await tell(elsewhere, true);
    expect((await b.ok("self")).readReceipts).toBe(true);
    socket.close();
  });

  test("needs a token and a value", async () => {
    const a = await registerPerson(server.url);
    for (const enabled of ["", "no", "2"]) {
      const { status } = await a.send(ENDPOINTS.setReadReceipts, `/user/readReceipts?enabled=${enabled}`);
      expect(status, enabled).toBe(400);
    }
    const { envelope } = await request(server.url, "/user/readReceipts?enabled=false", { method: "PUT" });
    expect([envelope.code, envelope.data]).toEqual([400, null]);
    expect((await a.ok("self")).readReceipts).toBe(true);
  });
});
