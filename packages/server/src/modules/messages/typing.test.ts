import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GroupRole, MessageType } from "@parley/protocol/codes";
import { TYPING_MEMBERS_MAX } from "@parley/protocol/limits";
import { newUser } from "../../testing/contracts/store-fixtures.ts";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import { makeGroup, registerFriends, registerPerson, type TestPerson } from "../../testing/test-person.ts";
import type { TestSocket } from "../../testing/test-socket.ts";

const { TYPING } = MessageType;
/** What a client of today declares. */
const NEW = { caps: ["typing"] };

let server: TestApp;
beforeAll(async () => void (server = await createTestApp({ env: { RATE_LIMITS: "off" } })));
afterAll(() => server[Symbol.asyncDispose]());

type Chat = { type: "PRIVATE" | "GROUP"; targetId: number };
const withPerson = ({ id }: TestPerson): Chat => ({ type: "PRIVATE", targetId: id });
const inGroup = (groupId: number): Chat => ({ type: "GROUP", targetId: groupId });
const tell = (person: TestPerson, chat: Chat, rest: { what?: "text" | "voice"; on?: boolean } = {}) =>
  person.ok("tellTyping", { body: { ...chat, what: "text", ...rest } });
const refusal = (person: TestPerson, chat: Chat) =>
  person.errorKeyOf("tellTyping", { body: { ...chat, what: "text" } });
/** The frames of typing that a socket has got, once nothing more comes. */
async function toldTo(socket: TestSocket) {
  await socket.flush();
  return socket.of(TYPING);
}

describe("POST /message/typing in a private chat", () => {
  test("tells the friend's clients what one is about to send, and its end, but not one's own clients", async () => {
    const [a, b] = await registerFriends(server.url);
    const [one, two, own] = [
      await b.connect(NEW),
      await b.tab("two").connect(NEW),
      await a.tab("own").connect(NEW),
    ];
    expect(await tell(a, withPerson(b), { what: "voice" })).toBeNull();
    const data = { type: TYPING, sendId: a.id, recvId: b.id, what: "voice", on: true, content: "" };
    for (const socket of [one, two]) expect(await socket.nextOf(TYPING)).toEqual({ cmd: 3, data });
    await tell(a, withPerson(b), { what: "voice", on: false });
    expect(await one.nextOf(TYPING)).toEqual({ cmd: 3, data: { ...data, on: false } });
    expect(await toldTo(own)).toEqual([]);
    for (const socket of [one, two, own]) socket.close();
  });

  test("goes neither to an older client nor to oneself", async () => {
    const [a, b] = await registerFriends(server.url);
    const [older, own] = [await b.connect({ caps: ["changes", "extras"] }), await a.connect(NEW)];
    await tell(a, withPerson(b));
    await tell(a, withPerson(a));
    expect([await toldTo(older), await toldTo(own)]).toEqual([[], []]);
    for (const socket of [older, own]) socket.close();
  });

  test("is refused as a message is: no such person, no friend, blocked", async () => {
    const [a, b] = await registerFriends(server.url);
    const stranger = await registerPerson(server.url);
    const socket = await b.connect(NEW);
    expect(await refusal(stranger, withPerson(b))).toBe("message.notFriend");
    await b.ok("addToBlacklist", { query: { userId: a.id } });
    expect(await refusal(a, withPerson(b))).toBe("message.blockedYou");
    expect(await toldTo(socket)).toEqual([]);
    await b.ok("removeFromBlacklist", { query: { userId: a.id } });
    await tell(a, withPerson(b));
    await socket.nextOf(TYPING);
    socket.close();
  });

  test("tells nothing to somebody whom one has blocked, who may be written to", async () => {
    const [a, b] = await registerFriends(server.url);
    const socket = await b.connect(NEW);
    await a.ok("addToBlacklist", { query: { userId: b.id } });
    await tell(a, withPerson(b));
    expect(await toldTo(socket)).toEqual([]);
    socket.close();
  });
});

describe("POST /message/typing in a group", () => {
  test("tells the members, with the name in the group, but no older client and nobody who left", async () => {
    const [owner, one, two, former] = [
      await registerPerson(server.url),
      await registerPerson(server.url),
      await registerPerson(server.url),
      await registerPerson(server.url),
    ];
    const groupId = await makeGroup(owner, [one, two, former]);
    await one.ok("modifyGroup", { body: { id: groupId, remarkNickName: "小王" } });
    await former.ok("quitGroup", { params: { id: groupId } });
    const [ofOwner, ofTwo, own, older, ofFormer] = [
      await owner.connect(NEW),
      await two.connect(NEW),
      await one.connect(NEW),
      await two.tab("older").connect({ caps: ["changes", "extras"] }),
      await former.connect(NEW),
    ];
    await tell(one, inGroup(groupId));
    const data = {
      type: TYPING,
      sendId: one.id,
      groupId,
      sendNickName: "小王",
      what: "text",
      on: true,
      content: "",
    };
    for (const socket of [ofOwner, ofTwo]) expect(await socket.nextOf(TYPING)).toEqual({ cmd: 4, data });
    for (const socket of [own, older, ofFormer]) expect(await toldTo(socket)).toEqual([]);
    for (const socket of [ofOwner, ofTwo, own, older, ofFormer]) socket.close();
  });

  test("is refused as a message is: muted, all muted, left, never a member, dissolved", async () => {
    const [owner, one, former, stranger] = [
      await registerPerson(server.url),
      await registerPerson(server.url),
      await registerPerson(server.url),
      await registerPerson(server.url),
    ];
    const groupId = await makeGroup(owner, [one, former]);
    const socket = await owner.connect(NEW);
    await former.ok("quitGroup", { params: { id: groupId } });
    for (const person of [former, stranger]) {
      const body = { groupId, type: 0, content: "x" };
      expect(await refusal(person, inGroup(groupId))).toBe(
        await person.errorKeyOf("sendGroupMessage", { body }),
      );
    }
    await owner.ok("muteGroupMembers", { body: { groupId, userIds: [one.id], isMuted: true } });
    expect(await refusal(one, inGroup(groupId))).toBe("message.muted");
    await owner.ok("muteGroupMembers", { body: { groupId, userIds: [one.id], isMuted: false } });
    await owner.ok("muteGroup", { body: { id: groupId, isMuted: true } });
    expect(await refusal(one, inGroup(groupId))).toBe("message.allMuted");
    await owner.ok("dissolveGroup", { params: { id: groupId } });
    expect(await refusal(one, inGroup(groupId))).toBe("group.dissolved");
    expect(await toldTo(socket)).toEqual([]);
    socket.close();
  });

  test("tells nobody in a group of more than 100", async () => {
    const [owner, one] = [await registerPerson(server.url), await registerPerson(server.url)];
    const groupId = await makeGroup(owner, [one]);
    await server.app.store.write(async (tx) => {
      for (let n = 0; n < TYPING_MEMBERS_MAX - 2; n++) {
        const user = await tx.insertUser(newUser(`typist${n}`));
        if (user !== undefined) await tx.upsertGroupMember(groupId, user.id, GroupRole.MEMBER, 0);
      }
    });
    const last = await registerPerson(server.url);
    const socket = await one.connect(NEW);
    await tell(owner, inGroup(groupId));
    await socket.nextOf(TYPING);
    await last.ok("applyGroup", { body: { groupId } });
    await tell(owner, inGroup(groupId));
    expect(await toldTo(socket)).toHaveLength(1);
    socket.close();
  });
});

test("who says it again and again is refused for a while, and may write nevertheless", async () => {
  await using limited = await createTestApp();
  const [a, b] = await registerFriends(limited.url);
  const body = { ...withPerson(b), what: "text" } as const;
  const answers = await Promise.all(Array.from({ length: 40 }, () => a.call("tellTyping", { body })));
  const keys = new Set(answers.map(({ envelope }) => envelope.key));
  expect(keys).toEqual(new Set([undefined, "request.tooMany"]));
  await a.ok("sendPrivateMessage", { body: { recvId: b.id, type: 0, content: "x" } });
});
