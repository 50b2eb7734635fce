import { afterAll, beforeAll, expect, test } from "vitest";
import { MessageType } from "@parley/protocol/codes";
import { PINS_MAX } from "@parley/protocol/limits";
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

const pin = (person: TestPerson, id: number, on = true) => person.ok("setPin", { body: { id, on } });
const refusal = async (person: TestPerson, id: number, on = true) => {
  const { envelope } = await person.call("setPin", { body: { id, on } });
  return envelope.code === 200 ? "ok" : [envelope.key, envelope.params];
};
const sendIn = (from: TestPerson, groupId: number) =>
  from.ok("sendGroupMessage", { body: { groupId, type: 0, content: "hello" } });
const pinsWith = async (person: TestPerson, friend: TestPerson) =>
  person.ok("privatePins", { query: { friendId: friend.id } });
const groupPins = async (person: TestPerson, groupId: number) => {
  const { messages, unseen } = await person.ok("groupPins", { query: { groupId } });
  return [messages.map(({ id }) => id), unseen];
};

test("both people see who pinned a message, and an older client is told nothing", async () => {
  const [a, b] = await registerFriends(server.url);
  const [first, second] = [await sendText(a, b, "first"), await sendText(b, a, "second")];
  const socket = await a.connect({ caps: ["extras"] });
  const older = await a.tab("older").connect();
  await pin(b, first.id);
  const extra = await pin(b, second.id);
  expect(extra).toEqual({ v: extra.v, pin: { by: b.id, at: expect.any(Number) }, mine: {} });
  expect(await pin(a, second.id)).toEqual(extra);
  const acts = [{ by: b.id, kind: "pin", key: "", on: true }];
  expect(await socket.next(({ data }) => data?.["messageId"] === second.id)).toMatchObject({
    cmd: 3,
    data: { type: MessageType.EXTRA, extra: { pin: extra.pin }, acts },
  });
  for (const [person, other] of [
    [a, b],
    [b, a],
  ] as const) {
    const { messages, unseen } = await pinsWith(person, other);
    expect(messages.map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(messages[0]).toMatchObject({ content: "second", extra: { pin: extra.pin } });
    expect(unseen).toBe(0);
  }
  await pin(a, first.id, false);
  await a.ok("recallPrivateMessage", { params: { id: first.id } });
  await b.ok("recallPrivateMessage", { params: { id: second.id } });
  expect(await pinsWith(a, b)).toEqual({ messages: [], unseen: 0 });
  await older.flush();
  expect(older.of(MessageType.EXTRA)).toEqual([]);
  socket.close();
  older.close();
});

test("PN8 at most 50 messages are pinned in a chat, and none is replaced", async () => {
  const [a, b] = await registerFriends(server.url);
  const ids: number[] = [];
  for (let n = 0; n <= PINS_MAX; n++) ids.push((await sendText(a, b, `${n}`)).id);
  const last = ids.pop() ?? 0;
  for (const id of ids) await pin(a, id);
  expect(await refusal(b, last)).toEqual(["pin.tooMany", { max: PINS_MAX }]);
  expect((await pinsWith(b, a)).messages.map(({ id }) => id)).toEqual(ids.toReversed());
  // Again is no further one, and other chats have their own.
  expect(await refusal(b, ids[0] ?? 0)).toBe("ok");
  const note = await sendText(a, a, "note");
  expect(await refusal(a, note.id)).toBe("ok");
  await pin(b, ids[0] ?? 0, false);
  expect(await refusal(b, last)).toBe("ok");
});

test("two people who pin the 50th message at once do not make 51", async () => {
  const [a, b] = await registerFriends(server.url);
  const ids: number[] = [];
  for (let n = 0; n < PINS_MAX + 5; n++) ids.push((await sendText(a, b, `${n}`)).id);
  await Promise.all(ids.map((id, n) => refusal(n % 2 === 0 ? a : b, id)));
  expect((await pinsWith(a, b)).messages).toHaveLength(PINS_MAX);
});

test("in a group those pin who may edit its information, and nobody who is muted", async () => {
  const [owner, one, two] = [
    await registerPerson(server.url),
    await registerPerson(server.url),
    await registerPerson(server.url),
  ];
  const groupId = await makeGroup(owner, [one, two]);
  const { id } = await sendIn(one, groupId);
  await owner.ok("setGroupSettings", { body: { groupId, editRole: 1 } });
  expect(await refusal(one, id)).toBe("ok");
  await owner.ok("setGroupSettings", { body: { groupId, editRole: 2 } });
  expect(await refusal(one, id, false)).toEqual(["group.noRight", undefined]);
  expect(await refusal(owner, id, false)).toBe("ok");
  await owner.ok("setGroupSettings", { body: { groupId, editRole: 1 } });
  await owner.ok("muteGroupMembers", { body: { groupId, userIds: [two.id], isMuted: true } });
  expect(await refusal(two, id)).toEqual(["message.muted", undefined]);
  await owner.ok("muteGroup", { body: { id: groupId, isMuted: true } });
  expect(await refusal(one, id)).toBe("ok");
  expect(await groupPins(two, groupId)).toEqual([[id], 0]);
});

test("who came later learns that there are pins which they do not see", async () => {
  const [owner, one, late] = [
    await registerPerson(server.url),
    await registerPerson(server.url),
    await registerPerson(server.url),
  ];
  const groupId = await makeGroup(owner, [one]);
  const { id: before } = await sendIn(owner, groupId);
  await pin(owner, before);
  await late.ok("applyGroup", { body: { groupId } });
  const { id: after } = await sendIn(owner, groupId);
  await pin(owner, after);
  expect(await groupPins(late, groupId)).toEqual([[after], 1]);
  expect(await refusal(late, before, false)).toEqual(["message.notFound", undefined]);
  const stranger = await registerPerson(server.url);
  const { envelope } = await stranger.call("groupPins", { query: { groupId } });
  expect(envelope.key).toBe("group.notFound");
});

test("messages that a moderator removes with their sender are no longer pinned", async () => {
  const [owner, one] = [await registerPerson(server.url), await registerPerson(server.url)];
  const groupId = await makeGroup(owner, [one]);
  const [mine, theirs] = [await sendIn(owner, groupId), await sendIn(one, groupId)];
  for (const { id } of [mine, theirs]) await pin(owner, id);
  await owner.ok("removeGroupMembers", { body: { groupId, userIds: [one.id], deleteMessages: true } });
  expect(await groupPins(owner, groupId)).toEqual([[mine.id], 0]);
});

test("what is recalled, what nobody wrote and what one may not write to cannot be pinned", async () => {
  const [a, b] = await registerFriends(server.url);
  const recalled = await sendText(a, b, "hello");
  await a.ok("recallPrivateMessage", { params: { id: recalled.id } });
  expect(await refusal(a, recalled.id)).toEqual(["pin.notPossible", undefined]);
  const rows = await a.ok("privateHistory", { query: { friendId: b.id } });
  const tip = rows.find(({ type, id }) => type === MessageType.TIP_TEXT && id !== recalled.id);
  expect(await refusal(a, tip?.id ?? 0)).toEqual(["pin.notPossible", undefined]);
  const { id } = await sendText(a, b, "hello");
  await a.ok("addToBlacklist", { query: { userId: b.id } });
  expect(await refusal(b, id)).toEqual(["message.blockedYou", undefined]);
});
