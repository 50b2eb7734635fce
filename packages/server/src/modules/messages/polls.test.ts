import { afterAll, beforeAll, expect, test } from "vitest";
import { MessageType } from "@parley/protocol/codes";
import type { NewPoll } from "@parley/protocol/poll";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import {
  type TestPerson,
  makeGroup,
  registerFriends,
  registerPerson,
  sendText,
} from "../../testing/test-person.ts";

let server: TestApp;
beforeAll(async () => void (server = await createTestApp({ env: { RATE_LIMITS: "off" } })));
afterAll(() => server[Symbol.asyncDispose]());

const LUNCH: NewPoll = { options: ["Noodles", "Rice", "Soup"], max: 1, secret: false, hidden: false };

const sendPoll = (from: TestPerson, to: TestPerson, poll: Partial<NewPoll> = {}, tmpId?: string) =>
  from.ok("sendPrivateMessage", {
    body: { recvId: to.id, type: 0, content: "Lunch?", poll: { ...LUNCH, ...poll }, tmpId },
  });
const pollIn = async (from: TestPerson, groupId: number, poll: Partial<NewPoll> = {}) => {
  const body = { groupId, type: 0, content: "Lunch?", poll: { ...LUNCH, ...poll } };
  return (await from.ok("sendGroupMessage", { body })).id;
};
const vote = (person: TestPerson, id: number, ...options: number[]) =>
  person.ok("setVotes", { body: { id, options } });
const HIDDEN = { addable: true, hidden: true };
const add = (person: TestPerson, id: number, text: string) =>
  person.ok("addPollOption", { body: { id, text } });
const LIST: NewPoll = { kind: "signUp", options: [], max: 1, secret: false, hidden: false };
const listIn = async (from: TestPerson, groupId: number, poll: Partial<NewPoll> = {}) => {
  const body = { groupId, type: 0, content: "Cake?", poll: { ...LIST, ...poll } };
  return (await from.ok("sendGroupMessage", { body })).id;
};
const setLine = (person: TestPerson, id: number, text: string) =>
  person.ok("setSignUpLine", { body: { id, text } });
const refusedLine = (person: TestPerson, id: number, text: string) =>
  refusal(person.call("setSignUpLine", { body: { id, text } }));
const close = (person: TestPerson, id: number) => person.ok("closePoll", { body: { id } });
const refusal = async (call: ReturnType<TestPerson["call"]>) => {
  const { envelope } = await call;
  return envelope.code === 200 ? "ok" : [envelope.key, envelope.params];
};
const refusedVote = (person: TestPerson, id: number, ...options: number[]) =>
  refusal(person.call("setVotes", { body: { id, options } }));
const refusedAdd = (person: TestPerson, id: number, text: string) =>
  refusal(person.call("addPollOption", { body: { id, text } }));
const extraOf = async (person: TestPerson, groupId: number, id: number) => {
  const rows = await person.ok("groupHistory", { query: { groupId } });
  return rows.find((row) => row.id === id)?.extra;
};
const people = async (count: number) => {
  const all: TestPerson[] = [];
  for (let n = 0; n < count; n++) all.push(await registerPerson(server.url));
  return all as [TestPerson, TestPerson, ...TestPerson[]];
};

test("PL2 PL5 a poll is a text for older clients, and what people vote on for the others", async () => {
  const [a, b] = await registerFriends(server.url);
  const socket = await b.connect({ caps: ["extras"] });
  const older = await b.tab("older").connect();
  const row = await sendPoll(a, b, {}, "same");
  const poll = { ...LUNCH, question: "Lunch?", voters: 0 };
  expect(row.content.split("\n").slice(0, -1)).toEqual(["📊 Lunch?", "1. Noodles", "2. Rice", "3. Soup"]);
  expect(row).toMatchObject({ type: 0, extra: { poll } });
  // Again is the same row.
  expect(await sendPoll(a, b, {}, "same")).toMatchObject({ id: row.id, extra: { poll } });
  const isRow = ({ data }: { data?: Record<string, unknown> | null }) => data?.["id"] === row.id;
  expect(await socket.next(isRow)).toMatchObject({ data: { extra: { poll } } });
  expect(await older.next(isRow)).toMatchObject({ data: { type: 0 } });

  const extra = await vote(b, row.id, 1);
  const votes = [{ key: "1", count: 1, first: [b.id] }];
  expect(extra).toEqual({ v: extra.v, poll: { ...poll, voters: 1 }, votes, mine: { votes: ["1"] } });
  expect(await vote(b, row.id, 1)).toEqual(extra);
  expect(await vote(a, row.id, 0)).toMatchObject({
    votes: [...votes, { key: "0", count: 1, first: [a.id] }],
  });
  // Another option takes the place of the first one; none takes the vote back.
  expect(await vote(b, row.id, 0)).toMatchObject({
    poll: { voters: 2 },
    votes: [{ key: "0", count: 2, first: [a.id, b.id] }],
    mine: { votes: ["0"] },
  });
  const without = await vote(a, row.id);
  expect(without).toMatchObject({ poll: { voters: 1 }, mine: {} });
  const { chats } = await b.ok("loadFirstChats", { query: { n: 30 } });
  const chat = chats.find(({ type }) => type === "PRIVATE");
  expect(chat?.message).toMatchObject({ id: row.id, content: "📊 Lunch?" });
  const [found] = await b.ok("privateHistory", { query: { friendId: a.id } });
  expect(found?.extra).toEqual({ ...without, mine: { votes: ["0"] } });
  await older.flush();
  expect(older.of(MessageType.EXTRA)).toEqual([]);
  expect(older.of(MessageType.TEXT)).toHaveLength(1);
  socket.close();
  older.close();
});

test("PL10 what cannot be a poll, or a vote, is refused", async () => {
  const [a, b] = await registerFriends(server.url);
  const refusedPoll = (poll: Partial<NewPoll>, body: object = {}) =>
    refusal(
      a.call("sendPrivateMessage", {
        body: { recvId: b.id, type: 0, content: "Lunch?", poll: { ...LUNCH, ...poll }, ...body },
      }),
    );
  for (const wrong of [
    { options: ["one"] },
    { options: ["same", "same"] },
    { options: ["a", " "] },
    { options: Array.from({ length: 21 }, (_, n) => `${n}`) },
    { options: ["a", "b".repeat(101)] },
    { max: 0 },
    { max: 4 },
  ])
    expect([wrong, (await refusedPoll(wrong))[0]]).toEqual([wrong, "request.malformed"]);
  for (const body of [{ content: "" }, { content: "x".repeat(201) }, { type: 92, content: "" }])
    expect([body, (await refusedPoll({}, body))[0]]).toEqual([body, "request.malformed"]);
  expect(await refusedPoll({ closesAt: server.clock.now() - 1 })).toEqual(["poll.closesTooSoon", undefined]);

  const { id } = await sendPoll(a, b, { max: 2 });
  expect(await refusedVote(b, id, 0, 1, 2)).toEqual(["poll.tooManyOptions", { max: 2 }]);
  expect((await refusedVote(b, id, 3))[0]).toBe("request.malformed");
  const text = await sendText(a, b, "hello");
  expect(await refusedVote(b, text.id, 0)).toEqual(["poll.notPossible", undefined]);
  expect(await refusal(a.call("closePoll", { body: { id: text.id } }))).toEqual([
    "poll.notPossible",
    undefined,
  ]);
  const stranger = await registerPerson(server.url);
  expect(await refusedVote(stranger, id, 0)).toEqual(["message.notFound", undefined]);
  // What people vote on stays as it was.
  const edit = { recvId: b.id, type: MessageType.EDIT, content: "Supper?", quoteMessageId: id };
  expect(await refusal(a.call("sendPrivateMessage", { body: edit }))).toEqual([
    "message.notEditable",
    undefined,
  ]);
  await vote(b, id, 0);
  await a.ok("recallPrivateMessage", { params: { id } });
  expect(await refusedVote(b, id, 1)).toEqual(["poll.notPossible", undefined]);
  expect(await refusal(b.call("listVoters", { query: { id, option: 0 } }))).toEqual([
    "poll.notPossible",
    undefined,
  ]);
});

test("PL11 whoever may vote adds options to a poll that allows it, live for everybody and never twice", async () => {
  const [owner, one, two] = await people(3);
  const groupId = await makeGroup(owner, [one, two as TestPerson]);
  const id = await pollIn(owner, groupId, { addable: true, secret: true });
  const socket = await owner.connect({ caps: ["extras"] });
  const voted = await vote(one, id, 2);
  const added = await add(one, id, "Salad");
  const options = [...LUNCH.options, "Salad"];
  expect(added).toEqual({ ...voted, v: added.v, poll: { ...voted.poll, options } });
  const told = await socket.next(({ data }) => JSON.stringify(data ?? {}).includes("Salad"));
  expect(told).toMatchObject({ data: { acts: [], extra: { poll: { options } } } });
  expect(JSON.stringify(told)).not.toContain(String(one.id));
  // The same text again, of anybody, is the same option, and nothing new.
  expect(await add(one, id, "Salad")).toEqual(added);
  expect(await add(two as TestPerson, id, "Rice")).toEqual({ ...added, mine: {} });
  expect(await vote(two as TestPerson, id, 3)).toMatchObject({ poll: { options, voters: 2 } });
  expect(await extraOf(owner, groupId, id)).toMatchObject({
    poll: { options },
    votes: [{ key: "2" }, { key: "3" }],
  });
  socket.close();
});

test("PL11 options that many people add at once are each there once, and no more than 20", async () => {
  const [owner, ...others] = await people(6);
  const groupId = await makeGroup(owner, others);
  const id = await pollIn(owner, groupId, { addable: true });
  const answers = await Promise.all(
    others.flatMap((person) =>
      Array.from({ length: 20 }, (_, n) =>
        refusal(person.call("addPollOption", { body: { id, text: `dish ${n}` } })),
      ),
    ),
  );
  const { options = [] } = (await extraOf(owner, groupId, id))?.poll ?? {};
  expect([options.length, new Set(options).size]).toEqual([20, 20]);
  // 17 of the 20 found room.
  expect(answers.filter((answer) => answer !== "ok")).toEqual(
    Array.from({ length: 3 * others.length }, () => ["poll.full", { max: 20 }]),
  );
  expect(await refusedAdd(owner, id, options[19] as string)).toBe("ok");
});

test("PL11 an option is refused where one cannot vote, and where its author does not allow it", async () => {
  const [owner, one] = await people(2);
  const groupId = await makeGroup(owner, [one]);
  const id = await pollIn(owner, groupId, { addable: true });
  for (const text of ["", " ", "b".repeat(101), "a\0b"])
    expect((await refusedAdd(one, id, text))[0]).toBe("request.malformed");
  expect(await refusedAdd(one, await pollIn(owner, groupId), "Salad")).toEqual([
    "poll.notAddable",
    undefined,
  ]);
  expect(await refusedAdd(await registerPerson(server.url), id, "Salad")).toEqual([
    "message.notFound",
    undefined,
  ]);
  const text = await owner.ok("sendGroupMessage", { body: { groupId, type: 0, content: "hello" } });
  expect(await refusedAdd(one, text.id, "Salad")).toEqual(["poll.notPossible", undefined]);
  await owner.ok("muteGroupMembers", { body: { groupId, userIds: [one.id], isMuted: true } });
  expect(await refusedAdd(one, id, "Salad")).toEqual(["message.muted", undefined]);
  await close(owner, id);
  expect(await refusedAdd(owner, id, "Salad")).toEqual(["poll.closed", undefined]);
  await owner.ok("recallGroupMessage", { params: { id } });
  expect(await refusedAdd(owner, id, "Salad")).toEqual(["poll.notPossible", undefined]);
});

test("PL7 PL11 an option that is added to a hidden poll tells no counts", async () => {
  const [a, b] = await registerFriends(server.url);
  const { id } = await sendPoll(a, b, HIDDEN);
  await vote(a, id, 0);
  const added = await add(b, id, "Salad");
  expect(added).toEqual({
    v: added.v,
    poll: { ...LUNCH, options: [...LUNCH.options, "Salad"], ...HIDDEN, question: "Lunch?", voters: 1 },
    mine: {},
  });
});

test("PL12 PL13 in a sign-up list each person has one line, which they change in its place and take back", async () => {
  const [owner, one, two] = await people(3);
  const groupId = await makeGroup(owner, [one, two as TestPerson]);
  const id = await listIn(owner, groupId, { options: ["1 portion"] });
  const socket = await owner.connect({ caps: ["extras"] });
  const list = { ...LIST, question: "Cake?", options: ["1 portion"], addedBy: [owner.id], voters: 1 };
  const rows = await one.ok("groupHistory", { query: { groupId } });
  const row = rows.find((found) => found.id === id);
  expect(row?.content.split("\n").slice(0, -1)).toEqual(["📝 Cake?", "1. 1 portion"]);
  expect(row).toMatchObject({ type: 0, extra: { poll: list } });

  // Two may write the same.
  const signed = await setLine(one, id, "1 portion");
  const addedBy = [owner.id, one.id];
  expect(signed.poll).toEqual({ ...list, options: ["1 portion", "1 portion"], addedBy, voters: 2 });
  expect(await setLine(one, id, "1 portion")).toEqual(signed);
  const told = await socket.next(({ data }) => JSON.stringify(data ?? {}).includes(`${one.id}]`));
  expect(told).toMatchObject({ data: { acts: [], extra: { poll: { addedBy } } } });
  await setLine(two as TestPerson, id, "3 portions");
  const changed = await setLine(one, id, "2 portions");
  expect(changed.poll?.options).toEqual(["1 portion", "2 portions", "3 portions"]);
  const left = await setLine(one, id, " ");
  expect(left.poll).toMatchObject({
    options: ["1 portion", "3 portions"],
    addedBy: [owner.id, two?.id],
    voters: 2,
  });
  expect(await setLine(one, id, "")).toEqual(left);
  expect((await setLine(one, id, "4 portions")).poll?.options).toEqual([
    "1 portion",
    "3 portions",
    "4 portions",
  ]);
  expect((await listIn(owner, groupId)) > id).toBe(true);
  socket.close();
});

test("PL12 PL13 what cannot be a sign-up list, or a line, is refused", async () => {
  const [owner, one] = await people(2);
  const groupId = await makeGroup(owner, [one]);
  const refusedList = (poll: object) =>
    refusal(
      owner.call("sendGroupMessage", {
        body: { groupId, type: 0, content: "Cake?", poll: { ...LIST, ...poll } },
      }),
    );
  for (const wrong of [
    { options: ["a", "b"] },
    { options: [" "] },
    { max: 2 },
    { secret: true },
    { hidden: true },
    { addable: true },
    { kind: "other" },
  ])
    expect([wrong, (await refusedList(wrong))[0]]).toEqual([wrong, "request.malformed"]);
  const id = await listIn(owner, groupId);
  expect((await refusedLine(one, id, "b".repeat(101)))[0]).toBe("request.malformed");
  expect(await refusedLine(await registerPerson(server.url), id, "1")).toEqual([
    "message.notFound",
    undefined,
  ]);
  // Nobody votes in a list or adds options to it, and polls have no lines.
  await setLine(one, id, "1 portion");
  expect(await refusedVote(one, id, 0)).toEqual(["poll.notPossible", undefined]);
  expect(await refusedAdd(one, id, "Salad")).toEqual(["poll.notAddable", undefined]);
  expect(await refusedLine(one, await pollIn(owner, groupId), "1")).toEqual(["poll.notPossible", undefined]);
  await owner.ok("muteGroupMembers", { body: { groupId, userIds: [one.id], isMuted: true } });
  expect(await refusedLine(one, id, "2 portions")).toEqual(["message.muted", undefined]);
  await close(owner, id);
  expect(await refusedLine(owner, id, "1")).toEqual(["signUp.closed", undefined]);
});

test("PL13 people who sign up at once are each in the list once", async () => {
  const [owner, ...others] = await people(8);
  const groupId = await makeGroup(owner, others);
  const id = await listIn(owner, groupId);
  await Promise.all(
    others.flatMap((person) => [1, 2, 3].map((count) => setLine(person, id, `${count} portions`))),
  );
  const { poll } = (await extraOf(owner, groupId, id)) ?? {};
  expect(poll?.addedBy?.toSorted((a, b) => a - b)).toEqual(others.map((person) => person.id));
  expect(poll?.voters).toBe(others.length);
});

test("PL13 a sign-up list has no more than 100 lines", async () => {
  const [owner, one, two] = await people(3);
  const groupId = await makeGroup(owner, [one, two as TestPerson]);
  const id = await listIn(owner, groupId);
  // As if 99 others had signed up.
  const others = Array.from({ length: 99 }, (_, n) => n + 1_000_000);
  await server.app.store.write(async (tx) => {
    const before = (await tx.listExtras(owner.id, [id])).get(id);
    if (before?.poll === undefined) throw new Error("the list is not stored");
    const poll = { ...before.poll, options: others.map(String), addedBy: others };
    return tx.changePoll(id, poll, before);
  });
  await setLine(one, id, "1 portion");
  expect(await refusedLine(two as TestPerson, id, "1 portion")).toEqual(["signUp.full", { max: 100 }]);
  expect((await setLine(one, id, "2 portions")).poll?.options).toHaveLength(100);
  await setLine(one, id, "");
  expect(await refusedLine(two as TestPerson, id, "1 portion")).toBe("ok");
});

test("PL8 the author ends a poll, in a group also its leaders, and nobody votes any more", async () => {
  const [owner, one, two] = await people(3);
  const groupId = await makeGroup(owner, [one, two as TestPerson]);
  const id = await pollIn(one, groupId);
  await vote(two as TestPerson, id, 2);
  const refusedClose = (person: TestPerson) => refusal(person.call("closePoll", { body: { id } }));
  expect(await refusedClose(two as TestPerson)).toEqual(["group.noRight", undefined]);
  const closed = await close(one, id);
  expect(closed.poll).toMatchObject({ voters: 1, closedAt: expect.any(Number) });
  expect(await close(owner, id)).toMatchObject({ poll: closed.poll });
  expect(await refusedVote(owner, id, 0)).toEqual(["poll.closed", undefined]);
  expect(await extraOf(two as TestPerson, groupId, id)).toEqual({ ...closed, mine: { votes: ["2"] } });
  await close(owner, await pollIn(one, groupId));
  const [a, b] = await registerFriends(server.url);
  const { id: theirs } = await sendPoll(a, b);
  expect(await refusal(b.call("closePoll", { body: { id: theirs } }))).toEqual([
    "message.notYours",
    undefined,
  ]);
});

test("those who are muted do not vote, in a group that is muted everybody does", async () => {
  const [owner, one, two] = await people(3);
  const groupId = await makeGroup(owner, [one, two as TestPerson]);
  const id = await pollIn(owner, groupId);
  await owner.ok("muteGroupMembers", { body: { groupId, userIds: [one.id], isMuted: true } });
  await owner.ok("muteGroup", { body: { id: groupId, isMuted: true } });
  expect(await refusedVote(one, id, 0)).toEqual(["message.muted", undefined]);
  expect(await refusedVote(two as TestPerson, id, 0)).toBe("ok");
});

test("PL6 PL7 of a secret poll nobody learns who voted, of a hidden one nobody how, until it ends", async () => {
  const [owner, one, two] = await people(3);
  const groupId = await makeGroup(owner, [one, two as TestPerson]);
  const secret = await pollIn(owner, groupId, { secret: true });
  const hidden = await pollIn(owner, groupId, { hidden: true, max: 3 });
  const socket = await owner.connect({ caps: ["extras"] });
  const other = await one.tab("other").connect({ caps: ["extras"] });
  const acting = one.tab("acting");
  await vote(acting, secret, 1);
  await vote(acting, hidden, 1, 2);
  await vote(two as TestPerson, hidden, 2);
  const voters = (person: TestPerson, id: number, option: number) =>
    refusal(person.call("listVoters", { query: { id, option } }));
  for (const id of [secret, hidden])
    expect(await voters(owner, id, 1)).toEqual(["poll.namesNotShown", undefined]);
  expect(await extraOf(owner, groupId, secret)).toMatchObject({ votes: [{ key: "1", count: 1, first: [] }] });
  const seen = await extraOf(owner, groupId, hidden);
  expect(seen).toEqual({
    v: seen?.v,
    poll: { ...LUNCH, hidden: true, max: 3, question: "Lunch?", voters: 2 },
    mine: {},
  });
  // The other device of who has voted knows it.
  const isOwn = ({ data }: { data?: Record<string, unknown> | null }) =>
    data?.["messageId"] === hidden && "mine" in (data["extra"] as object);
  expect(await other.next(isOwn)).toMatchObject({
    data: { acts: [], extra: { mine: { votes: ["1", "2"] } } },
  });
  await socket.next(({ data }) => {
    const { extra } = (data ?? {}) as { extra?: { poll?: { voters: number; hidden: boolean } } };
    return extra?.poll?.hidden === true && extra.poll.voters === 2;
  });
  for (const { data } of socket.of(MessageType.EXTRA)) {
    expect(data).toMatchObject({ acts: [] });
    expect(JSON.stringify(data)).not.toContain(String(one.id));
  }
  const closed = await close(owner, hidden);
  expect(closed.votes).toEqual([
    { key: "1", count: 1, first: [one.id] },
    { key: "2", count: 2, first: [one.id, two?.id] },
  ]);
  const page = await two?.ok("listVoters", { query: { id: hidden, option: 2 } });
  expect(page?.people.map(({ userId }) => userId)).toEqual([one.id, two?.id]);
  await close(owner, secret);
  expect(await voters(owner, secret, 1)).toEqual(["poll.namesNotShown", undefined]);
  socket.close();
  other.close();
});

test("many people who vote at once are all counted, once each", async () => {
  const [owner, ...voters] = await people(12);
  const groupId = await makeGroup(owner, voters);
  const id = await pollIn(owner, groupId, { max: 2 });
  await Promise.all(
    voters.flatMap((person, n) => [vote(person, id, n % 3), vote(person, id, n % 3, (n + 1) % 3)]),
  );
  for (const person of voters) await vote(person, id, 0);
  expect(await extraOf(owner, groupId, id)).toMatchObject({
    poll: { voters: voters.length },
    votes: [{ key: "0", count: voters.length }],
  });
});

test("a poll ends at its time: nobody votes later, and the result of a hidden one is told", async () => {
  await using own = await createTestApp({ env: { RATE_LIMITS: "off" } });
  const [a, b] = await registerFriends(own.url);
  const socket = await a.connect({ caps: ["extras"] });
  const closesAt = own.clock.now() + 5_000;
  const { id } = await sendPoll(a, b, { hidden: true, closesAt });
  const { id: recalled } = await sendPoll(a, b, { closesAt });
  await a.ok("recallPrivateMessage", { params: { id: recalled } });
  await vote(b, id, 1);
  own.clock.advance(5_000);
  expect(await refusedVote(a, id, 0)).toEqual(["poll.closed", undefined]);
  const isClosed = ({ data }: { data?: Record<string, unknown> | null }) =>
    JSON.stringify(data ?? {}).includes("closedAt");
  expect(await socket.next(isClosed)).toMatchObject({
    data: {
      messageId: id,
      acts: [],
      extra: { poll: { closedAt: closesAt, voters: 1 }, votes: [{ key: "1", count: 1, first: [b.id] }] },
    },
  });
  socket.close();
});
