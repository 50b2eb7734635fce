import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import { type TestPerson, registerPerson, registerFriends } from "../../testing/test-person.ts";
import type { Frame } from "../../testing/test-socket.ts";

let server: TestApp;
beforeAll(async () => void (server = await createTestApp({ env: { RATE_LIMITS: "off" } })));
afterAll(() => server[Symbol.asyncDispose]());

const registerTwo = async (): Promise<[TestPerson, TestPerson]> => [
  await registerPerson(server.url),
  await registerPerson(server.url),
];
const apply = (from: TestPerson, to: TestPerson, remark = "it is me") =>
  from.ok("applyFriend", { body: { friendId: to.id, source: 1, remark } });
const contentOf = (frame: Frame | undefined) =>
  JSON.parse(frame?.data?.content ?? "null") as Record<string, unknown>;
const isFriend = async (a: TestPerson, b: TestPerson) =>
  (await a.call("findFriend", { params: { id: b.id } })).envelope.code === 200;

describe("POST /friend/request/apply", () => {
  test("answers the pending request; only the receiver gets push 70 and a stored system message 60", async () => {
    const [a, b] = await registerTwo();
    const [aSocket, bSocket] = [await a.connect(), await b.connect()];
    const vo = await apply(a, b);
    expect(vo).toEqual({
      id: expect.any(Number),
      sendId: a.id,
      sendNickName: `N ${a.userName}`,
      sendHeadImage: null,
      recvId: b.id,
      recvNickName: `N ${b.userName}`,
      recvHeadImage: null,
      remark: "it is me",
      source: 1,
      status: 1,
      applyTime: server.clock.now(),
    });
    const pushed = await bSocket.nextOf(70);
    expect(pushed).toMatchObject({ cmd: 3, data: { sendId: a.id, recvId: b.id } });
    expect(contentOf(pushed)).toEqual(vo);
    const stored = await bSocket.nextOf(60);
    expect(stored).toMatchObject({ cmd: 5, data: { seqNo: 1, status: 1, isVerifyMessage: true } });
    expect(contentOf(stored)).toEqual(vo);
    await aSocket.flush();
    expect(aSocket.frames).toHaveLength(1);
    expect(await isFriend(a, b)).toBe(false);
    aSocket.close();
    bSocket.close();
  });

  test("P112 the source of a request is stored and answered again; an unknown source becomes null", async () => {
    for (const [given, stored] of [
      [1, 1],
      [2, 2],
      [3, 3],
      [99, null],
      [null, null],
    ] as const) {
      const [a, b] = await registerTwo();
      const vo = await a.ok("applyFriend", { body: { friendId: b.id, source: given } });
      expect([vo.source, (await b.ok("listFriendRequests"))[0]?.source]).toEqual([stored, stored]);
      const socket = await b.connect();
      await b.ok("pullSystemMessages", { query: { minSeqNo: 0 } });
      expect(contentOf(await socket.nextOf(60))["source"]).toBe(stored);
      socket.close();
    }
  });

  test("P112 both friends are told where they met, in lists and on the page of a friend", async () => {
    const [a, b] = await registerTwo();
    await b.ok("setManualApprove", { query: { enabled: true } });
    const { id } = await a.ok("applyFriend", { body: { friendId: b.id, source: 2 } });
    await b.ok("approveFriendRequest", { query: { id } });
    for (const [who, other] of [
      [a, b],
      [b, a],
    ] as const) {
      expect((await who.ok("listFriends")).map(({ source }) => source)).toEqual([2]);
      expect((await who.ok("findFriend", { params: { id: other.id } })).source).toBe(2);
    }
  });

  test("a request to oneself is refused", async () => {
    const a = await registerPerson(server.url);
    const { envelope } = await a.call("applyFriend", { body: { friendId: a.id } });
    expect(envelope.message).toBe("不允许添加自己为好友");
  });

  test("a request to an unknown person is refused", async () => {
    const a = await registerPerson(server.url);
    expect(await a.errorKeyOf("applyFriend", { body: { friendId: 999_999 } })).toBe("user.notFound");
  });

  test("a request to a friend is refused", async () => {
    const [a, b] = await registerFriends(server.url);
    const { envelope } = await a.call("applyFriend", { body: { friendId: b.id } });
    expect(envelope.message).toBe("对方已是您的好友");
  });

  test("a request to somebody who has blocked the sender is refused", async () => {
    const [a, b] = await registerTwo();
    await b.ok("addToBlacklist", { query: { userId: a.id } });
    const { envelope } = await a.call("applyFriend", { body: { friendId: b.id } });
    expect(envelope.message).toBe("对方已将您拉入黑名单");
  });

  test("a second pending request is rejected, also when both are sent at the same time", async () => {
    const [a, b] = await registerTwo();
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => a.call("applyFriend", { body: { friendId: b.id } })),
    );
    expect(answers.filter((answer) => answer.envelope.code === 200)).toHaveLength(1);
    expect(answers.find((answer) => answer.envelope.code !== 200)?.envelope.message).toBe(
      "您已在对方的好友申请列表中,无需重复申请",
    );
  });

  test("after a rejection a new request is possible", async () => {
    const [a, b] = await registerTwo();
    const { id } = await apply(a, b);
    await b.ok("rejectFriendRequest", { query: { id } });
    expect((await apply(a, b)).status).toBe(1);
  });

  test("20 pending requests are the limit, both for the receiver and for the sender", async () => {
    const [a, b] = await registerTwo();
    for (let i = 0; i < 20; i++) await apply(await registerPerson(server.url), b);
    const full = await a.call("applyFriend", { body: { friendId: b.id } });
    expect(full.envelope.message).toBe("对方的好友申请列表已满");
    for (let i = 0; i < 20; i++) await apply(a, await registerPerson(server.url));
    const own = await a.call("applyFriend", { body: { friendId: (await registerPerson(server.url)).id } });
    expect(own.envelope.message).toBe("您的好友申请列表已满");
  });

  test("if the receiver has turned manual approval off, both are friends at once: status 2 and the pushes of an approval", async () => {
    const [a, b] = await registerTwo();
    await b.ok("setManualApprove", { query: { enabled: false } });
    const [aSocket, bSocket] = [await a.connect(), await b.connect()];
    const vo = await apply(a, b);
    expect(vo.status).toBe(2);
    for (const [socket, friend] of [
      [aSocket, b],
      [bSocket, a],
    ] as const) {
      expect(contentOf(await socket.nextOf(71))).toMatchObject({
        id: friend.id,
        requestId: vo.id,
        status: 2,
      });
      expect(contentOf(await socket.nextOf(80))).toMatchObject({ id: friend.id });
      expect((await socket.nextOf(21)).data?.tip).toEqual({ key: "friend.nowFriends", params: {} });
      socket.close();
    }
    expect([await isFriend(a, b), await isFriend(b, a)]).toEqual([true, true]);
    expect(await b.ok("listFriendRequests")).toEqual([]);
  });

  test("a pending request is approved by a second one after the receiver has turned manual approval off", async () => {
    const [a, b] = await registerTwo();
    const first = await apply(a, b);
    await b.ok("setManualApprove", { query: { enabled: false } });
    const [aSocket, bSocket] = [await a.connect(), await b.connect()];
    expect(await apply(a, b)).toMatchObject({ id: first.id, status: 2 });
    for (const socket of [aSocket, bSocket]) {
      expect(contentOf(await socket.nextOf(71))).toMatchObject({ requestId: first.id, status: 2 });
    }
    expect(contentOf(await bSocket.nextOf(60))).toMatchObject({ id: first.id, status: 2 });
    expect((await bSocket.nextOf(21)).data).toMatchObject({ sendId: b.id, recvId: a.id });
    expect([await isFriend(a, b), await isFriend(b, a)]).toEqual([true, true]);
    expect(await b.ok("listFriendRequests")).toEqual([]);
    for (const socket of [aSocket, bSocket]) socket.close();
  });

  test("two people who apply to each other are friends at once, and the first request is handled", async () => {
    const [a, b] = await registerTwo();
    const first = await apply(a, b);
    const socket = await b.connect();
    const second = await apply(b, a);
    expect(second).toMatchObject({ id: first.id, status: 2 });
    expect(contentOf(await socket.nextOf(60))).toMatchObject({ id: first.id, status: 2 });
    expect([await isFriend(a, b), await isFriend(b, a)]).toEqual([true, true]);
    socket.close();
  });

  test("POST /friend/add is the same with an empty remark", async () => {
    const [a, b] = await registerTwo();
    expect(await a.ok("addFriend", { query: { friendId: b.id } })).toMatchObject({ status: 1, remark: "" });
  });

  test.each([
    ["friendId", "1"],
    ["friendId", undefined],
    ["remark", "r".repeat(21)],
    ["remark", "\0"],
    ["remark", {}],
  ])("%s %j is malformed", async (field, value) => {
    const a = await registerPerson(server.url);
    const answer = await a.send(ENDPOINTS.applyFriend, "/friend/request/apply", {
      friendId: 1,
      [field]: value,
    });
    expect(answer.status).toBe(400);
    expect(answer.envelope.message.startsWith(`${field}: `)).toBe(true);
  });

  test("allows 20 requests a minute", async () => {
    await using own = await createTestApp();
    const a = await registerPerson(own.url);
    const sendRequests = (person: TestPerson, count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, n) =>
          person.call("applyFriend", { body: { friendId: 999_900 + n } }),
        ),
      );
    const limited = (answers: readonly { status: number }[]) =>
      answers.filter(({ status }) => status === 429);
    expect(limited(await sendRequests(a, 20))).toEqual([]);
    const limitedAnswers = limited(await sendRequests(a, 1));
    expect(limitedAnswers).toHaveLength(1);
    // The limit counts for each person.
    expect(limited(await sendRequests(await registerPerson(own.url), 20))).toEqual([]);
  });
});

describe("handling a request", () => {
  test("approve: push 80 and the tip to both, push 71 to the applicant and the receiver's other clients", async () => {
    const [a, b] = await registerTwo();
    const { id, applyTime } = await apply(a, b, "hello");
    const acting = b.tab("acting");
    const [sender, own, other] = [await a.connect(), await acting.connect(), await b.tab("other").connect()];
    expect(await acting.ok("approveFriendRequest", { query: { id } })).toBe(null);
    const request = { requestId: id, status: 2, remark: "hello", applyTime };
    for (const [socket, person, friend] of [
      [sender, a, b],
      [other, b, a],
    ] as const) {
      const friendVO = await person.ok("findFriend", { params: { id: friend.id } });
      expect(contentOf(await socket.nextOf(71))).toEqual({ ...friendVO, ...request });
      const gained = await socket.nextOf(80);
      expect(gained.data).toMatchObject({ sendId: friend.id, recvId: person.id });
      expect(contentOf(gained)).toEqual(friendVO);
    }
    const tips = [await sender.nextOf(21), await own.nextOf(21), await other.nextOf(21)];
    expect(tips[0]).toEqual(tips[1]);
    expect(tips[0]).toEqual(tips[2]);
    expect(tips[0]).toMatchObject({
      cmd: 3,
      data: { content: "你们已成为好友，现在可以开始聊天了", tip: { key: "friend.nowFriends" }, status: 1 },
    });
    expect(own.of(71)).toEqual([]);
    expect(own.of(80)).toHaveLength(1);
    // Each client gets the same system message with its new state, so that the prompt closes everywhere.
    for (const socket of [own, other]) {
      await socket.flush();
      expect(socket.of(60).map((frame) => [frame.data?.seqNo, contentOf(frame)["status"]])).toEqual([[1, 2]]);
      socket.close();
    }
    sender.close();
  });

  test("N111 the message of an answered request is pushed as read, the one before it is not", async () => {
    const [a, b] = await registerTwo();
    const c = await registerPerson(server.url);
    await apply(c, b);
    const { id } = await apply(a, b);
    const socket = await b.connect();
    await b.ok("rejectFriendRequest", { query: { id } });
    expect((await socket.nextOf(60)).data).toMatchObject({ seqNo: 2, status: 3 });
    await b.ok("pullSystemMessages", { query: { minSeqNo: 0 } });
    await socket.next((frame) => frame.data?.content === "false");
    expect(socket.of(60).map(({ data }) => [data?.seqNo, data?.status])).toEqual([
      [2, 3],
      [1, 1],
      [2, 3],
    ]);
    const { system } = await b.ok("loadChanges", { query: {} });
    expect(system.map(({ seqNo, status }) => [seqNo, status])).toEqual([[2, 3]]);
    socket.close();
  });

  test("the stored tip is in the language DEFAULT_LANGUAGE", async () => {
    await using own = await createTestApp({ env: { DEFAULT_LANGUAGE: "en" } });
    const [a, b] = await registerFriends(own.url);
    const [tip] = await a.ok("loadPrivateMessages", { query: { minId: 0 } });
    expect(tip).toMatchObject({
      type: 21,
      content: "You are friends now and can start to chat",
      recvId: a.id,
    });
    expect(tip?.sendId).toBe(b.id);
  });

  test("reject: push 72 to the applicant and the receiver's other clients", async () => {
    const [a, b] = await registerTwo();
    const { id } = await apply(a, b);
    const acting = b.tab("acting");
    const [sender, own, other] = [await a.connect(), await acting.connect(), await b.tab("other").connect()];
    await acting.ok("rejectFriendRequest", { query: { id } });
    expect(contentOf(await sender.nextOf(72))).toMatchObject({ id, status: 3 });
    expect(contentOf(await other.nextOf(72))).toMatchObject({ id, status: 3 });
    expect(contentOf(await other.nextOf(60))).toMatchObject({ id, status: 3 });
    await own.flush();
    expect(own.of(72)).toEqual([]);
    expect(await isFriend(a, b)).toBe(false);
    for (const socket of [sender, own, other]) socket.close();
  });

  test("recall: push 73 to the receiver and the applicant's other clients", async () => {
    const [a, b] = await registerTwo();
    const { id } = await apply(a, b);
    const acting = a.tab("acting");
    const [own, other, receiver] = [
      await acting.connect(),
      await a.tab("other").connect(),
      await b.connect(),
    ];
    await acting.ok("recallFriendRequest", { query: { id } });
    expect(contentOf(await receiver.nextOf(73))).toMatchObject({ id, status: 4 });
    expect(contentOf(await receiver.nextOf(60))).toMatchObject({ id, status: 4 });
    expect(contentOf(await other.nextOf(73))).toMatchObject({ id, status: 4 });
    await own.flush();
    expect(own.of(73)).toEqual([]);
    for (const socket of [own, other, receiver]) socket.close();
  });

  test.each(["approveFriendRequest", "rejectFriendRequest"] as const)(
    "%s: only for the receiver, and only while the request is pending",
    async (name) => {
      const [a, b] = await registerTwo();
      const c = await registerPerson(server.url);
      const { id } = await apply(a, b);
      for (const person of [a, c]) {
        const { envelope } = await person.call(name, { query: { id } });
        expect(envelope.message).toBe("您无法处理该请求");
      }
      expect(await b.errorKeyOf(name, { query: { id: 999_999 } })).toBe("friend.requestNotYours");
      await b.ok(name, { query: { id } });
      const { envelope } = await b.call(name, { query: { id } });
      expect(envelope.message).toBe("该请求已处理");
    },
  );

  test("recall: only for the applicant, and only while the request is pending", async () => {
    const [a, b] = await registerTwo();
    const { id } = await apply(a, b);
    expect(await b.errorKeyOf("recallFriendRequest", { query: { id } })).toBe("friend.requestNotYours");
    await a.ok("recallFriendRequest", { query: { id } });
    expect(await a.errorKeyOf("recallFriendRequest", { query: { id } })).toBe("friend.requestHandled");
    expect(await b.errorKeyOf("approveFriendRequest", { query: { id } })).toBe("friend.requestHandled");
  });

  test("approve: refused while the applicant blocks the receiver, who can still reject it", async () => {
    const [a, b] = await registerTwo();
    const { id } = await apply(a, b);
    await a.ok("addToBlacklist", { query: { userId: b.id } });
    expect(await b.errorKeyOf("approveFriendRequest", { query: { id } })).toBe("friend.blockedYou");
    expect(await isFriend(a, b)).toBe(false);
    await a.ok("removeFromBlacklist", { query: { userId: b.id } });
    await b.ok("approveFriendRequest", { query: { id } });
    expect(await isFriend(a, b)).toBe(true);
    const again = await registerPerson(server.url);
    const other = await apply(again, b);
    await again.ok("addToBlacklist", { query: { userId: b.id } });
    await b.ok("rejectFriendRequest", { query: { id: other.id } });
  });

  test("of approve, reject and recall at the same time exactly one succeeds", async () => {
    const [a, b] = await registerTwo();
    const { id } = await apply(a, b);
    const answers = await Promise.all([
      b.call("approveFriendRequest", { query: { id } }),
      b.call("rejectFriendRequest", { query: { id } }),
      a.call("recallFriendRequest", { query: { id } }),
    ]);
    expect(answers.filter((answer) => answer.envelope.code === 200)).toHaveLength(1);
  });

  test("the list has the pending requests, received ones first", async () => {
    const [a, b] = await registerTwo();
    const c = await registerPerson(server.url);
    const sent = await apply(a, b);
    const received = await apply(c, a);
    expect(await a.ok("listFriendRequests")).toEqual([received, sent]);
    await a.ok("approveFriendRequest", { query: { id: received.id } });
    expect(await a.ok("listFriendRequests")).toEqual([sent]);
  });

  test("/user/changes gives the handled request to a device that was away", async () => {
    const [a, b] = await registerTwo();
    const { id } = await apply(a, b);
    const { next } = await b.ok("loadChanges", { query: {} });
    await a.ok("recallFriendRequest", { query: { id } });
    const { system } = await b.ok("loadChanges", { query: { since: next } });
    expect(system.map((message) => (JSON.parse(message.content) as { status: number }).status)).toEqual([4]);
  });
});
