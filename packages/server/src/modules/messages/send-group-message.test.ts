import { GroupRole } from "@parley/protocol/codes";
import { checkGroupAction } from "@parley/protocol/group-rights";
import { RECEIPT_MEMBERS_MAX } from "@parley/protocol/limits";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newUser } from "../../testing/contracts/store-fixtures.ts";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import {
  type TestPerson,
  befriend,
  registerPerson,
  makeGroup,
  request,
  sendText,
} from "../../testing/test-person.ts";

let server: TestApp;
let people: TestPerson[] = [];
beforeAll(async () => {
  server = await createTestApp({ env: { RATE_LIMITS: "off", EDIT_SECONDS: "120" } });
  people = [
    await registerPerson(server.url),
    await registerPerson(server.url),
    await registerPerson(server.url),
  ];
  await makeGroup(owner(), [member(), third()]);
});
afterAll(() => server[Symbol.asyncDispose]());
const person = (index: number): TestPerson => {
  const found = people[index];
  if (found === undefined) throw new Error("the people are not registered yet");
  return found;
};
const owner = () => person(0);
const member = () => person(1);
const third = () => person(2);

/** A fresh group of the same three. */
const newGroup = async () =>
  (await owner().ok("createGroup", { body: { name: "Climbers", memberIds: [member().id, third().id] } })).id;
type Extra = Partial<Parameters<typeof bodyOf>[2]>;
const bodyOf = (
  groupId: number,
  content: string,
  extra: {
    type?: number;
    tmpId?: string;
    atUserIds?: number[];
    receipt?: boolean;
    quoteMessageId?: number;
  } = {},
) => ({ groupId, type: 0, content, ...extra });
const sendIn = (from: TestPerson, groupId: number, content = "hello", extra: Extra = {}) =>
  from.ok("sendGroupMessage", { body: bodyOf(groupId, content, extra) });
const sendError = (from: TestPerson, groupId: number, extra: Extra = {}, content = "hello") =>
  from.errorKeyOf("sendGroupMessage", { body: bodyOf(groupId, content, extra) });
const historyOf = (reader: TestPerson, groupId: number) =>
  reader.ok("groupHistory", { query: { groupId, minId: 0 } });

describe("POST /message/group/send", () => {
  test("answers the whole message, and pushes it to the other members and the sender's other clients", async () => {
    const groupId = await newGroup();
    const acting = owner().tab("acting");
    const sockets = [
      await acting.connect(),
      await owner().tab("other").connect(),
      await member().connect(),
      await third().connect(),
    ] as const;
    const [own, ...others] = sockets;
    const extra = { tmpId: `t-${groupId}`, atUserIds: [member().id, -1, member().id], receipt: true };
    const sent = await sendIn(acting, groupId, "hello all", extra);
    expect(sent).toEqual({
      id: sent.id,
      tmpId: extra.tmpId,
      type: 0,
      groupId,
      sendId: owner().id,
      sendNickName: `N ${owner().userName}`,
      sendRole: GroupRole.OWNER,
      content: "hello all",
      sendTime: server.clock.now(),
      status: 1,
      quoteMessage: null,
      atUserIds: [member().id, -1],
      receipt: true,
      receiptOk: false,
      readedCount: 0,
      isEdited: false,
      editedAt: null,
      tip: null,
      act: null,
    });
    for (const socket of others) expect(await socket.nextOf(0)).toEqual({ cmd: 4, data: sent });
    await own.flush();
    expect(own.of(0)).toEqual([]);
    for (const socket of sockets) socket.close();
  });

  test("a repeated tmpId always answers the stored row in its current state and pushes nothing; private messages have tmpIds of their own", async () => {
    const groupId = await newGroup();
    const tmpId = `twice-${groupId}`;
    const first = await sendIn(member(), groupId, "one", { tmpId });
    const peer = await third().connect();
    expect(await sendIn(member(), groupId, "two", { tmpId })).toEqual(first);
    expect((await sendText(member(), owner(), "private", tmpId)).content).toBe("private");
    await owner().ok("removeGroupMembers", { body: { groupId, userIds: [member().id] } });
    expect(await sendIn(member(), groupId, "three", { tmpId })).toEqual(first);
    await owner().ok("recallGroupMessage", { params: { id: first.id } });
    expect(await sendIn(member(), groupId, "four", { tmpId })).toMatchObject({ id: first.id, status: 2 });
    await peer.flush();
    expect(peer.of(0)).toEqual([]);
    peer.close();
  });

  test("a message has the sender's current role and name in the group", async () => {
    const groupId = await newGroup();
    await member().ok("modifyGroup", { body: { id: groupId, remarkNickName: "Bee" } });
    expect(await sendIn(member(), groupId)).toMatchObject({
      sendNickName: "Bee",
      sendRole: GroupRole.MEMBER,
    });
    await owner().ok("addGroupManagers", { body: { groupId, userIds: [member().id] } });
    expect(await sendIn(member(), groupId)).toMatchObject({ sendNickName: "Bee", sendRole: GroupRole.ADMIN });
    await third().ok("updateUser", { body: { id: third().id, nickName: "Renamed" } });
    expect(await sendIn(third(), groupId)).toMatchObject({ sendNickName: "Renamed" });
  });

  test("people who are not members cannot send: a stranger, a removed member, the owner of a dissolved group", async () => {
    const groupId = await newGroup();
    const stranger = await registerPerson(server.url);
    expect(await sendError(stranger, groupId)).toBe("group.notFound");
    expect(await sendError(stranger, 999_999)).toBe("group.notFound");
    await sendIn(member(), groupId);
    const socket = await member().connect();
    await owner().ok("removeGroupMembers", { body: { groupId, userIds: [member().id] } });
    expect(await sendError(member(), groupId)).toBe("message.notInGroup");
    await sendIn(owner(), groupId, "without you");
    await socket.flush();
    expect(socket.of(0)).toEqual([]);
    await owner().ok("dissolveGroup", { params: { id: groupId } });
    expect(await sendError(owner(), groupId)).toBe("group.dissolved");
    socket.close();
    const { envelope } = await request(server.url, "/message/group/send", { method: "POST" });
    expect(envelope.code).toBe(400);
  });

  test("a member whose removal is stored but not yet published can neither quote nor edit", async () => {
    const groupId = await newGroup();
    const { id } = await sendIn(member(), groupId, "mine");
    await server.app.store.write((tx) => tx.endGroupStay(groupId, member().id));
    for (const type of [0, 7]) {
      expect(await sendError(member(), groupId, { type, quoteMessageId: id })).toBe("message.notInGroup");
    }
    expect((await historyOf(owner(), groupId)).at(-1)).toMatchObject({ id, content: "mine" });
  });

  test("each role may speak under each mute as the table of rights says", async () => {
    const groupId = await newGroup();
    await owner().ok("addGroupManagers", { body: { groupId, userIds: [member().id] } });
    const roles = [
      [owner(), GroupRole.OWNER],
      [member(), GroupRole.ADMIN],
      [third(), GroupRole.MEMBER],
    ] as const;
    const keys = { ok: undefined, allMuted: "message.allMuted", muted: "message.muted" } as const;
    for (const isAllMuted of [false, true]) {
      await owner().ok("muteGroup", { body: { id: groupId, isMuted: isAllMuted } });
      for (const isMuted of [false, true]) {
        await owner().ok("muteGroupMembers", {
          body: { groupId, userIds: [member().id, third().id], isMuted },
        });
        for (const [who, role] of roles) {
          const result = checkGroupAction(
            "speak",
            { role, isMuted: isMuted && role !== GroupRole.OWNER, quit: false },
            { isAllMuted, inviteRole: 1, editRole: 1, attrRole: 1, isBanned: false, dissolve: false },
          );
          const { envelope } = await who.call("sendGroupMessage", { body: bodyOf(groupId, "x") });
          expect([isAllMuted, isMuted, role, envelope.key]).toEqual([
            isAllMuted,
            isMuted,
            role,
            keys[result as keyof typeof keys],
          ]);
        }
      }
    }
  });

  test("only members can be mentioned, and everyone only by owner and admins", async () => {
    const groupId = await newGroup();
    const stranger = await registerPerson(server.url);
    expect(await sendError(member(), groupId, { atUserIds: [-1] })).toBe("group.noRight");
    expect(await sendError(member(), groupId, { atUserIds: [stranger.id] })).toBe("message.mentionUnknown");
    expect((await sendIn(member(), groupId, "x", { atUserIds: [third().id] })).atUserIds).toEqual([
      third().id,
    ]);
    await owner().ok("addGroupManagers", { body: { groupId, userIds: [member().id] } });
    expect((await sendIn(member(), groupId, "x", { atUserIds: [-1] })).atUserIds).toEqual([-1]);
    await owner().ok("removeGroupMembers", { body: { groupId, userIds: [third().id] } });
    expect(await sendError(member(), groupId, { atUserIds: [third().id] })).toBe("message.mentionUnknown");
    for (const atUserIds of [[1.5], [-2], Array.from({ length: 21 }, () => -1)]) {
      const { status } = await owner().call("sendGroupMessage", {
        body: bodyOf(groupId, "x", { atUserIds }),
      });
      expect(status).toBe(400);
    }
  });

  test("a receipt can be requested in groups up to a size", async () => {
    const groupId = await newGroup();
    const { store } = server.app;
    const grow = (count: number) =>
      store.write(async (tx) => {
        for (let n = 0; n < count; n++) {
          const user = await tx.insertUser(newUser(`many${groupId}x${await tx.newestUserId()}`));
          if (user !== undefined) await tx.upsertGroupMember(groupId, user.id, GroupRole.MEMBER, 0);
        }
      });
    // The group is not cached yet.
    await grow(RECEIPT_MEMBERS_MAX - 3);
    expect(await sendIn(owner(), groupId, "x", { receipt: true })).toMatchObject({ receipt: true });
    await grow(1);
    await owner().ok("modifyGroup", { body: { id: groupId, remarkGroupName: "Large" } });
    expect(await sendError(owner(), groupId, { receipt: true })).toBe("message.receiptTooMany");
    expect(await sendIn(owner(), groupId)).toMatchObject({ receipt: false });
  });

  test("contents follow the rules of private messages; one nudge in ten seconds for each group", async () => {
    const [one, two] = [await newGroup(), await newGroup()];
    for (const blank of [" ", "\u200b", "\u2800"])
      expect(await sendError(owner(), one, {}, blank)).toBe("message.empty");
    expect(await sendError(owner(), one, {}, "x".repeat(4_001))).toBe("message.tooLong");
    expect(await sendError(owner(), one, { type: 21 })).toBe("message.typeNotAllowed");
    await sendIn(owner(), one, "", { type: 92 });
    expect(await sendError(owner(), one, { type: 92 }, "")).toBe("message.shakeTooOften");
    await sendIn(owner(), two, "", { type: 92 });
    await sendIn(member(), one, "", { type: 92, tmpId: "s" });
    server.clock.advance(11_000);
    await sendIn(member(), one, "", { type: 92, tmpId: "s" });
    await sendIn(member(), one, "", { type: 92 });
    const card = await sendIn(owner(), one, JSON.stringify({ userId: member().id }), { type: 93 });
    expect(JSON.parse(card.content)).toMatchObject({
      userId: member().id,
      nickName: `N ${member().userName}`,
    });
  });
});

describe("quotes", () => {
  test("must be of the same group and visible to the sender, and show the current text", async () => {
    const [groupId, other] = [await newGroup(), await newGroup()];
    const quoted = await sendIn(member(), groupId, "first");
    const elsewhere = await sendIn(member(), other, "elsewhere");
    const sent = await sendIn(third(), groupId, "second", { quoteMessageId: quoted.id });
    const quote = { id: quoted.id, sendId: member().id, content: "first", type: 0, status: 1 };
    expect(sent.quoteMessage).toEqual(quote);
    expect(await sendError(third(), groupId, { quoteMessageId: elsewhere.id })).toBe("message.quoteUnknown");
    const late = await registerPerson(server.url);
    await befriend(owner(), late);
    await owner().ok("inviteToGroup", { body: { groupId, friendIds: [late.id] } });
    expect(await sendError(late, groupId, { quoteMessageId: quoted.id })).toBe("message.quoteUnknown");
    await sendIn(member(), groupId, "changed", { type: 7, quoteMessageId: quoted.id });
    const quotes = async () =>
      (await historyOf(owner(), groupId)).find((row) => row.id === sent.id)?.quoteMessage;
    expect(await quotes()).toEqual({ ...quote, content: "changed" });
    await member().ok("recallGroupMessage", { params: { id: quoted.id } });
    expect(await quotes()).toEqual({ ...quote, content: "引用内容已撤回", type: 21, status: 2 });
  });
});

describe("edits", () => {
  const edit = (who: TestPerson, groupId: number, id: number, content = "new", tmpId?: string) =>
    who.call("sendGroupMessage", {
      body: bodyOf(groupId, content, { type: 7, quoteMessageId: id, ...(tmpId !== undefined && { tmpId }) }),
    });

  test("change the row, and a stored event goes to everybody except those who have hidden the message", async () => {
    const groupId = await newGroup();
    const sent = await sendIn(member(), groupId, "old");
    await third().ok("deleteGroupMessages", { body: { groupId, ids: [sent.id] } });
    const [peer, hider] = [await owner().connect(), await third().connect()];
    const { envelope } = await edit(member(), groupId, sent.id, "new", `e-${groupId}`);
    expect(envelope.data).toMatchObject({
      type: 7,
      content: "new",
      quoteMessage: { id: sent.id, content: "new" },
    });
    expect((await peer.nextOf(7)).data).toEqual(envelope.data);
    await hider.flush();
    expect(hider.of(7)).toEqual([]);
    const history = await historyOf(owner(), groupId);
    expect(history.slice(-2)).toEqual([
      { ...sent, content: "new", isEdited: true, editedAt: envelope.data.sendTime },
      envelope.data,
    ]);
    expect(JSON.stringify(await historyOf(third(), groupId))).not.toContain('"new"');
    expect((await edit(member(), groupId, sent.id, "newer", `e-${groupId}`)).envelope.data).toMatchObject({
      id: envelope.data.id,
      content: "new",
    });
    peer.close();
    hider.close();
  });

  test("are possible only for one's own texts, in time, in the same group, for a member who may speak", async () => {
    const [groupId, other] = [await newGroup(), await newGroup()];
    const sent = await sendIn(member(), groupId, "old");
    const key = async (who: TestPerson, inGroup: number, id: number) =>
      (await edit(who, inGroup, id)).envelope.key;
    expect(await key(owner(), groupId, sent.id)).toBe("message.notEditable");
    expect(await key(member(), other, sent.id)).toBe("message.notFound");
    const nudge = await sendIn(member(), groupId, "", { type: 92 });
    expect(await key(member(), groupId, nudge.id)).toBe("message.notEditable");
    await owner().ok("muteGroupMembers", { body: { groupId, userIds: [member().id], isMuted: true } });
    expect(await key(member(), groupId, sent.id)).toBe("message.muted");
    await owner().ok("muteGroupMembers", { body: { groupId, userIds: [member().id], isMuted: false } });
    server.clock.advance(121_000);
    expect(await key(member(), groupId, sent.id)).toBe("message.editTooLate");
  });
});
