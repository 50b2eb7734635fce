import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MessageType } from "@parley/protocol/codes";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { EXTRA_PUSH_MS, REACTION_KEYS_MAX, PEOPLE_PAGE } from "@parley/protocol/limits";
import { changeTally, newUser, NOON, required } from "../../testing/contracts/store-fixtures.ts";
import { eventually } from "../../testing/eventually.ts";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import {
  type TestPerson,
  makeGroup,
  registerFriends,
  registerPerson,
  sendText,
} from "../../testing/test-person.ts";
import type { TestSocket } from "../../testing/test-socket.ts";

const { EXTRA } = MessageType;
/** What a client of today declares. */
const NEW = { caps: ["extras"] };
/** Twenty-one keys. */
const KEYS = [..."🍎🍐🍊🍋🍌🍉🍇🍓🍒🍑🍍🥥🥝🍅🍆🥑🥦🥒🌽🥕🥔"];

let server: TestApp;
beforeAll(async () => void (server = await createTestApp({ env: { RATE_LIMITS: "off" } })));
afterAll(() => server[Symbol.asyncDispose]());

const react = (person: TestPerson, id: number, key = "👍", on = true) =>
  person.ok("setReaction", { body: { id, key, on } });
const refusal = async (person: TestPerson, id: number, key = "👍", on = true) => {
  const { envelope } = await person.call("setReaction", { body: { id, key, on } });
  return envelope.code === 200 ? "ok" : [envelope.key, envelope.params];
};
const sendIn = (from: TestPerson, groupId: number, content = "hello") =>
  from.ok("sendGroupMessage", { body: { groupId, type: 0, content } });
const tally = (key: string, ...people: TestPerson[]) => ({
  key,
  count: people.length,
  first: people.map(({ id }) => id).slice(0, 3),
});
const act = (by: TestPerson, key: string, on: boolean) => ({ by: by.id, kind: "reactions", key, on });

/** An owner and two members of a group. */
async function makeThree(): Promise<[TestPerson, TestPerson, TestPerson, number]> {
  const [owner, one, two] = [
    await registerPerson(server.url),
    await registerPerson(server.url),
    await registerPerson(server.url),
  ];
  return [owner, one, two, await makeGroup(owner, [one, two])];
}

/** The extras that a socket was told, the earliest first, once nothing more comes. */
async function toldTo(socket: TestSocket, lastVersion: number) {
  const extras = () => socket.of(EXTRA).map(({ data }) => data as unknown as { extra: { v: number } });
  await eventually(() => expect(extras().some(({ extra }) => extra.v >= lastVersion)).toBe(true));
  await socket.flush();
  return extras();
}

describe("PUT /message/reaction", () => {
  test("answers the extra, and tells the other person and one's other devices", async () => {
    const [a, b] = await registerFriends(server.url);
    const { id } = await sendText(a, b, "hello");
    const acting = b.tab("acting");
    const [peer, own, other] = [
      await a.connect(NEW),
      await acting.connect(NEW),
      await b.tab("other").connect(NEW),
    ];
    const extra = await react(acting, id);
    expect(extra).toEqual({ v: extra.v, reactions: [tally("👍", b)], mine: { reactions: ["👍"] } });
    const { mine: _, ...shared } = extra;
    const data = {
      type: EXTRA,
      messageId: id,
      sendId: a.id,
      recvId: b.id,
      extra: shared,
      acts: [act(b, "👍", true)],
      content: "",
    };
    expect(await peer.nextOf(EXTRA)).toEqual({ cmd: 3, data });
    expect(
      await other.next(({ data }) => data?.type === EXTRA && "mine" in (data["extra"] as object)),
    ).toEqual({ cmd: 3, data: { ...data, extra } });
    // One's own device has the answer; what it is told is nothing but that.
    expect((await own.nextOf(EXTRA)).data?.["extra"]).toEqual(shared);

    const gone = await react(acting, id, "👍", false);
    expect(gone).toEqual({ v: gone.v, reactions: [], mine: {} });
    expect(gone.v).toBeGreaterThan(extra.v);
    expect((await peer.nextOf(EXTRA)).data).toMatchObject({
      extra: { v: gone.v, reactions: [] },
      acts: [act(b, "👍", false)],
    });
    for (const socket of [peer, own, other]) socket.close();
  });

  test("works in the chat with oneself, and with an emoticon", async () => {
    const me = await registerPerson(server.url);
    const { id } = await sendText(me, me, "note");
    expect(await react(me, id, "#开心;")).toMatchObject({ reactions: [tally("#开心;", me)] });
  });

  test("tells a group, but no older client, nobody who came later and nobody who left", async () => {
    const [owner, one, two, groupId] = await makeThree();
    const { id } = await sendIn(owner, groupId);
    const late = await registerPerson(server.url);
    await late.ok("applyGroup", { body: { groupId } });
    await two.ok("quitGroup", { params: { id: groupId } });
    const [peer, older, ofLate, ofFormer, stranger] = [
      await owner.connect(NEW),
      await owner.tab("older").connect({ caps: ["changes", "rtc110"] }),
      await late.connect(NEW),
      await two.connect(NEW),
      await (await registerPerson(server.url)).connect(NEW),
    ];
    const { v } = await react(one, id);
    expect(await peer.nextOf(EXTRA)).toEqual({
      cmd: 4,
      data: {
        type: EXTRA,
        messageId: id,
        sendId: owner.id,
        groupId,
        extra: { v, reactions: [tally("👍", one)] },
        acts: [act(one, "👍", true)],
        content: "",
      },
    });
    for (const socket of [older, ofLate, ofFormer, stranger]) {
      await socket.flush();
      expect(socket.of(EXTRA)).toEqual([]);
    }
    const newer = await sendIn(owner, groupId);
    await react(owner, newer.id);
    await ofLate.nextOf(EXTRA);
    for (const socket of [peer, older, ofLate, ofFormer, stranger]) socket.close();
  });

  test("many acts on one message are a few pushes, of which the last has the newest totals and all acts come once", async () => {
    const [owner, one, two, groupId] = await makeThree();
    const { id } = await sendIn(owner, groupId);
    const socket = await owner.connect(NEW);
    const began = performance.now();
    for (let n = 0; n < 20; n++) {
      for (const person of [one, two]) await react(person, id, "👍", n % 2 === 0);
    }
    const last = await react(two, id, "🎉");
    const told = await toldTo(socket, last.v);
    const intervals = Math.ceil((performance.now() - began) / EXTRA_PUSH_MS);
    expect(told.length).toBeLessThanOrEqual(intervals + 1);
    expect(told.at(-1)).toMatchObject({ extra: { v: last.v, reactions: [tally("🎉", two)] } });
    expect(told.flatMap((data) => (data as unknown as { acts: object[] }).acts)).toHaveLength(41);
    socket.close();
  });

  test("the same again, and taking back what was not chosen, change nothing and send nothing", async () => {
    const [a, b] = await registerFriends(server.url);
    const { id } = await sendText(a, b, "hello");
    const socket = await a.connect(NEW);
    expect(await react(b, id, "👍", false)).toEqual({ v: 0, mine: {} });
    const first = await react(b, id);
    expect(await Promise.all([react(b, id), react(b, id), react(b, id, "🎉", false)])).toEqual([
      first,
      first,
      first,
    ]);
    const gone = await react(b, id, "👍", false);
    expect(await react(b, id, "👍", false)).toEqual(gone);
    const told = await toldTo(socket, gone.v);
    expect(told.map(({ extra }) => extra.v)).toEqual([first.v, gone.v]);
    socket.close();
  });

  test("the same from two devices at once counts once", async () => {
    const [a, b] = await registerFriends(server.url);
    const { id } = await sendText(a, b, "hello");
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => react(b.tab(`t${n}`), id)));
    expect(new Set(answers.map(({ v }) => v)).size).toBe(1);
    expect(answers[0]).toMatchObject({ reactions: [tally("👍", b)] });
  });

  test("a person reacts three times to a message", async () => {
    const [a, b] = await registerFriends(server.url);
    const { id } = await sendText(a, b, "hello");
    for (const key of KEYS.slice(0, 3)) await react(b, id, key);
    expect(await refusal(b, id, "👍")).toEqual(["reaction.tooMany", { max: 3 }]);
    // What is already there, and what others chose, is no exception.
    expect(await refusal(b, id, KEYS[0])).toBe("ok");
    await react(a, id, "👍");
    expect(await refusal(b, id, "👍")).toEqual(["reaction.tooMany", { max: 3 }]);
    await react(b, id, KEYS[0], false);
    expect(await refusal(b, id, "👍")).toBe("ok");
  });

  test("a message has twenty different reactions, which everybody can join", async () => {
    const owner = await registerPerson(server.url);
    const members: TestPerson[] = [];
    for (let n = 0; n < 6; n++) members.push(await registerPerson(server.url));
    const groupId = await makeGroup(owner, members);
    const { id } = await sendIn(owner, groupId);
    const last = KEYS[REACTION_KEYS_MAX];
    for (const [n, key] of KEYS.slice(0, REACTION_KEYS_MAX).entries())
      await react(required([owner, ...members][Math.floor(n / 3)]), id, key);
    const person = required(members.at(-1));
    expect(await refusal(person, id, last)).toEqual(["reaction.tooManyKinds", { max: REACTION_KEYS_MAX }]);
    expect(await refusal(person, id, KEYS[0])).toBe("ok");
    await react(owner, id, KEYS[1], false);
    expect(await refusal(owner, id, last)).toBe("ok");
  });

  test("what is neither an emoji nor an emoticon is malformed", async () => {
    const me = await registerPerson(server.url);
    const { id } = await sendText(me, me, "note");
    for (const key of ["", "ok", "❤", "👍👍", "\ud83d", "👍".repeat(5_000)]) {
      const { status, envelope } = await me.send(ENDPOINTS.setReaction, "/message/reaction", {
        id,
        key,
        on: true,
      });
      expect([status, envelope.key, envelope.params?.["field"]]).toEqual([400, "request.malformed", "key"]);
    }
  });

  test("nobody reacts to what is recalled or what nobody wrote", async () => {
    const [owner, one, , groupId] = await makeThree();
    const recalled = await sendIn(owner, groupId);
    await react(one, recalled.id);
    await owner.ok("recallGroupMessage", { params: { id: recalled.id } });
    const rows = await owner.ok("groupHistory", { query: { groupId, minId: 0 } });
    const notWritten = rows.filter(
      ({ type }) => type === MessageType.TIP_TEXT || type === MessageType.RECALL,
    );
    expect(notWritten.map(({ id }) => id)).toContain(recalled.id);
    expect(notWritten.length).toBeGreaterThan(2);
    for (const { id } of notWritten) {
      expect(await refusal(owner, id)).toEqual(["reaction.notPossible", undefined]);
      expect(await refusal(one, id, "👍", false)).toEqual(["reaction.notPossible", undefined]);
    }
  });

  test("a message that one does not see is unknown", async () => {
    const [a, b] = await registerFriends(server.url);
    const stranger = await registerPerson(server.url);
    const [owner, one, two, groupId] = await makeThree();
    const inPrivate = await sendText(a, b, "hello");
    const inGroup = await sendIn(owner, groupId);
    const unknown = ["message.notFound", undefined];
    for (const id of [inPrivate.id, inGroup.id, inGroup.id + 1_000, 0])
      expect(await refusal(stranger, id)).toEqual(unknown);
    await b.ok("deletePrivateMessages", { body: { friendId: a.id, ids: [inPrivate.id] } });
    expect(await refusal(b, inPrivate.id)).toEqual(unknown);
    await two.ok("quitGroup", { params: { id: groupId } });
    expect(await refusal(two, inGroup.id)).toEqual(["group.notMember", undefined]);
    expect(await refusal(two, (await sendIn(owner, groupId)).id)).toEqual(unknown);
    const removed = await sendIn(one, groupId);
    const body = { groupId, userIds: [one.id], deleteMessages: true };
    await owner.ok("removeGroupMembers", { body });
    expect(await refusal(owner, removed.id)).toEqual(unknown);
  });

  test("a muted member may not react, but everybody may while all are muted", async () => {
    const [owner, one, two, groupId] = await makeThree();
    const { id } = await sendIn(owner, groupId);
    await owner.ok("muteGroup", { body: { id: groupId, isMuted: true } });
    await owner.ok("muteGroupMembers", { body: { groupId, userIds: [two.id], isMuted: true } });
    expect(await refusal(one, id)).toBe("ok");
    expect(await refusal(two, id)).toEqual(["message.muted", undefined]);
  });

  test("one reacts only to people to whom one may write", async () => {
    const [a, b] = await registerFriends(server.url);
    const { id } = await sendText(a, b, "hello");
    await react(b, id);
    await a.ok("addToBlacklist", { query: { userId: b.id } });
    expect(await refusal(b, id, "🎉")).toEqual(["message.blockedYou", undefined]);
    await a.ok("removeFromBlacklist", { query: { userId: b.id } });
    await a.ok("deleteFriend", { params: { id: b.id } });
    expect(await refusal(b, id, "👍", false)).toEqual(["message.notFriend", undefined]);
  });

  test("a person does it thirty times at once, and writes as often as before", async () => {
    await using limited = await createTestApp();
    const me = await registerPerson(limited.url);
    const { id } = await sendText(me, me, "note");
    for (let n = 0; n < 30; n++) await react(me, id, "👍", n % 2 === 0);
    const { status, envelope } = await me.call("setReaction", { body: { id, key: "👍", on: true } });
    expect([status, envelope.key]).toEqual([429, "request.tooMany"]);
    await sendText(me, me, "note");
    limited.clock.advance(1_000);
    for (let n = 0; n < 7; n++) await react(me, id, "👍", n % 2 === 0);
  });
});

describe("the extra of a message", () => {
  test("is in history, pulls, searches and the change feed, until the message is recalled", async () => {
    const [a, b] = await registerFriends(server.url);
    const groupId = await makeGroup(a, [b]);
    const sent = [await sendText(a, b, "wordhere"), await sendIn(a, groupId, "wordhere")] as const;
    const other = [await sendText(a, b, "plain"), await sendIn(a, groupId, "plain")] as const;
    const before = (await b.ok("loadChanges", { query: { extrasSince: 0 } })).extrasNext ?? 0;
    for (const { id } of sent) {
      await react(a, id, "🎉");
      await react(b, id);
    }
    const socket = await b.tab("puller").connect(NEW);
    const pulled = async (cmd: 3 | 4, id: number) =>
      (await socket.next(({ data, cmd: of }) => of === cmd && data?.id === id)).data;
    await b.tab("puller").ok("pullPrivateMessages", { query: { minId: 0 } });
    const inPrivatePull = await pulled(3, sent[0].id);
    await b.tab("puller").ok("pullGroupMessages", { query: { minId: 0 } });
    const readings = [
      [
        ...(await b.ok("privateHistory", { query: { friendId: a.id } })),
        ...(await b.ok("groupHistory", { query: { groupId, minId: 0 } })),
      ],
      [
        ...(await b.ok("loadPrivateMessages", { query: { minId: 0 } })),
        ...(await b.ok("loadGroupMessages", { query: { minId: 0 } })),
      ],
      (await b.ok("searchMessages", { query: { q: "wordhere" } })).hits.map(({ message }) => message),
      [inPrivatePull, await pulled(4, sent[1].id)],
    ];
    const extra = {
      v: expect.any(Number),
      reactions: [tally("🎉", a), tally("👍", b)],
      mine: { reactions: ["👍"] },
    };
    for (const rows of readings) {
      for (const { id } of sent) expect(rows.find((row) => row?.id === id)).toMatchObject({ extra });
      for (const { id } of other)
        expect(rows.find((row) => row?.id === id) ?? {}).not.toHaveProperty("extra");
    }
    const changes = await b.ok("loadChanges", { query: { extrasSince: before } });
    expect(changes.extras).toEqual([
      { type: "PRIVATE", targetId: a.id, id: sent[0].id, extra },
      { type: "GROUP", targetId: groupId, id: sent[1].id, extra },
    ]);
    expect((await b.ok("loadChanges", { query: { extrasSince: changes.extrasNext ?? 0 } })).extras).toEqual(
      [],
    );
    // A new device: its rows have their extras, and the pull says from where the feed goes on.
    expect(await b.ok("loadChanges", { query: {} })).toMatchObject({ extras: [], extrasNext: null });

    await a.ok("recallPrivateMessage", { params: { id: sent[0].id } });
    await a.ok("recallGroupMessage", { params: { id: sent[1].id } });
    const rows = [
      ...(await b.ok("privateHistory", { query: { friendId: a.id } })),
      ...(await b.ok("groupHistory", { query: { groupId, minId: 0 } })),
    ];
    for (const { id } of sent) expect(rows.find((row) => row.id === id)).not.toHaveProperty("extra");
    const later = await b.ok("loadChanges", { query: { extrasSince: before } });
    expect(JSON.stringify(later.extras)).not.toContain("👍");
    socket.close();
  });

  test("stays when the message is edited", async () => {
    const [a, b] = await registerFriends(server.url);
    const { id } = await sendText(a, b, "hello");
    const extra = await react(b, id);
    await a.ok("sendPrivateMessage", {
      body: { recvId: b.id, type: 7, content: "changed", quoteMessageId: id },
    });
    const rows = await b.ok("privateHistory", { query: { friendId: a.id } });
    expect(rows.find((row) => row.id === id)).toMatchObject({ content: "changed", extra });
    expect(rows.filter((row) => "extra" in row)).toHaveLength(1);
  });
});

describe("GET /message/reactions", () => {
  test("lists who reacted with a key in pages, the earliest first", async () => {
    const [owner, one, , groupId] = await makeThree();
    const { id } = await sendIn(owner, groupId);
    const crowd = await server.app.store.write(async (tx) => {
      const people: { userId: number; nickName: string; at: number }[] = [];
      for (let n = 0; n < PEOPLE_PAGE; n++) {
        const user = required(await tx.insertUser(newUser(`reacts${n}`)));
        const choice = { kind: "reactions", messageId: id, userId: user.id, key: "👍", on: true } as const;
        await changeTally(tx, { ...choice, at: NOON + n });
        people.push({ userId: user.id, nickName: user.nickName, at: NOON + n });
      }
      return people;
    });
    await react(one, id);
    await react(owner, id, "🎉");
    const first = await owner.ok("listReactions", { query: { id, key: "👍" } });
    expect(first.people).toEqual(crowd);
    const second = await owner.ok("listReactions", { query: { id, key: "👍", after: first.next ?? 0 } });
    const at = server.clock.now();
    expect(second).toEqual({
      people: [{ userId: one.id, nickName: `N ${one.userName}`, at }],
      next: null,
    });
    expect(await owner.ok("listReactions", { query: { id, key: "🎉" } })).toMatchObject({
      people: [{ userId: owner.id }],
      next: null,
    });
    expect(await owner.ok("listReactions", { query: { id, key: "none" } })).toEqual({
      people: [],
      next: null,
    });
  });

  test("is answered to those who see the message, and says nothing about a recalled one", async () => {
    const [owner, one, two, groupId] = await makeThree();
    const { id } = await sendIn(owner, groupId);
    await react(one, id);
    const stranger = await registerPerson(server.url);
    const list = { query: { id, key: "👍" } };
    expect(await stranger.errorKeyOf("listReactions", list)).toBe("message.notFound");
    expect((await two.ok("listReactions", list)).people).toHaveLength(1);
    await owner.ok("recallGroupMessage", { params: { id } });
    expect((await two.ok("listReactions", list)).people).toEqual([]);
  });
});

test("an older client gets no frame, no row and no unread message from 1,000 reactions and from people who type", async () => {
  const [me, one, two, groupId] = await makeThree();
  const sent: number[] = [];
  for (let n = 0; n < 10; n++) {
    sent.push((await sendIn(me, groupId)).id, (await sendText(one, me, "hello")).id);
  }
  const socket = await me.connect({ caps: ["changes", "rtc110"] });
  const none = await me.tab("none").connect();
  /** All that an older client reads. Of a row it ignores the extra. */
  const readings = async () => {
    const { chats } = await me.ok("loadFirstChats", { query: { n: 50 } });
    const { extras: _, extrasNext: _n, ...changes } = await me.ok("loadChanges", { query: { since: "0" } });
    const rows = [
      ...(await me.ok("privateHistory", { query: { friendId: one.id } })),
      ...(await me.ok("groupHistory", { query: { groupId, minId: 0 } })),
      ...(await me.ok("loadPrivateMessages", { query: { minId: 0 } })),
      ...(await me.ok("loadGroupMessages", { query: { minId: 0 } })),
    ].map(({ extra: _extra, ...row }) => row);
    return { chats, changes, rows };
  };
  const before = await readings();
  const framesBefore = [[...(await socket.flush())], [...(await none.flush())]];
  let reactions = 0;
  for (let round = 0; reactions < 1_000; round++) {
    const on = round % 2 === 0;
    const acts = sent.flatMap((id, n) =>
      (n % 2 === 0 ? [one, two] : [one]).map((person) => react(person, id, "👍", on)),
    );
    await Promise.all(acts);
    await one.ok("tellTyping", { body: { type: "PRIVATE", targetId: me.id, what: "text", on } });
    await two.ok("tellTyping", { body: { type: "GROUP", targetId: groupId, what: "voice", on } });
    reactions += acts.length;
  }
  expect(await readings()).toEqual(before);
  expect([await socket.flush(), await none.flush()]).toEqual(framesBefore);
  for (const one of [socket, none]) one.close();
});
