import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { MessageType } from "@parley/protocol/codes";
import { sendAdminCommand } from "./admin-socket.ts";
import { StoreUnavailableError } from "../ports/store-unavailable-error.ts";
import { createPushService } from "../testing/push-service.ts";
import { eventually } from "../testing/eventually.ts";
import { type TestCluster, createTestCluster } from "../testing/test-cluster.ts";
import type { TestApp } from "../testing/test-app.ts";
import { isPostgresMissing, POSTGRES } from "../testing/test-postgres.ts";
import {
  TestPerson,
  logIn,
  makeGroup,
  registerFriends,
  registerPerson,
  sendText,
} from "../testing/test-person.ts";
import type { Frame, TestSocket } from "../testing/test-socket.ts";

/** The same client instance, whose requests go to another node. */
function on(url: string, { id, userName, tokens, device }: TestPerson): TestPerson {
  return new TestPerson(url, id, userName, tokens, device);
}

const isEnd = (frame: Frame) => frame.data?.type === 30 && frame.data.content === "false";
const ids = (frames: readonly Frame[]) =>
  frames.flatMap((frame) => (frame.data?.id === undefined ? [] : [frame.data.id]));

describe.skipIf(isPostgresMissing)(`two nodes on ${POSTGRES}`, () => {
  let cluster: TestCluster;
  beforeAll(async () => void (cluster = await createTestCluster({ env: { WEB_PUSH: "private" } })));
  afterAll(() => cluster[Symbol.asyncDispose]());
  afterEach(() => void (cluster.isLost = () => false));

  test("a role and a setting that change at one node hold at the other, and the overview has both nodes and counts a person at both once", async () => {
    const [root, other] = [await registerPerson(cluster.a.url), await registerPerson(cluster.a.url)];
    for (const { userName } of [root, other])
      await sendAdminCommand(cluster.a.dataDir, { name: "grantAdmin", userName });
    const atB = on(cluster.b.url, other);
    await atB.ok("listPeople", { query: {} });
    await root.ok("saveSettings", { body: { recallSeconds: 7 } });
    await eventually(async () => expect((await atB.ok("loadSystemConfig")).message.recallSeconds).toBe(7));
    await root.ok("saveSettings", { body: { recallSeconds: null } });
    await root.ok("revokeAdmin", { body: { userId: other.id } });
    expect(await atB.errorKeyOf("listPeople", { query: {} })).toBe("admin.required");
    const sockets = [await root.connect(), await on(cluster.b.url, root).connect()];
    cluster.b.clock.advance(10_000);
    cluster.b.app.sweep();
    await eventually(async () => {
      const { people, nodes, health } = await root.ok("loadOverview");
      expect(nodes.map((node) => [node.isAlive, node.sockets])).toEqual([
        [true, 1],
        [true, 1],
      ]);
      expect(people.online).toBe(1);
      expect(health).toContainEqual({ name: "database", ok: true, sentence: "", findings: [] });
    });
    for (const socket of sockets) socket.close();
  });

  test("prefs that devices set at both nodes end equal, and each is told of the other's", async () => {
    const [a, b] = await registerFriends(cluster.a.url);
    const atA = a.tab("one");
    const atB = on(cluster.b.url, a.tab("two"));
    const sockets = [await atA.connect({ caps: ["changes"] }), await atB.connect({ caps: ["changes"] })];
    const set = (by: TestPerson, unreadMark: number) =>
      by.ok("setChatPrefs", { body: { type: "PRIVATE", targetId: b.id, set: { unreadMark } } });
    const answers = await Promise.all([1, 2, 3, 4].map((mark) => set(mark % 2 === 0 ? atB : atA, mark)));
    expect(new Set(answers.map(({ v }) => v)).size).toBe(answers.length);
    const [last] = answers.toSorted((x, y) => y.v - x.v);
    for (const device of [atA, atB])
      expect((await device.ok("loadChanges", { query: {} })).prefs).toEqual([
        { type: "PRIVATE", targetId: b.id, ...last },
      ]);
    await eventually(() => expect(sockets.map((socket) => socket.of(82).length)).toEqual([2, 2]));
    for (const socket of sockets) socket.close();
  });

  describe("a pull whose request reaches a node without the socket", () => {
    test("is answered on the socket, and only on that of the client instance that asked", async () => {
      const [a, b] = await registerFriends(cluster.a.url);
      const sent = await sendText(a, b, "hello");
      const [one, two] = [b.tab("one"), b.tab("two")];
      const sockets = [
        await on(cluster.b.url, one).connect(),
        await on(cluster.b.url, two).connect(),
      ] as const;
      for (const kind of ["pullPrivateMessages", "pullGroupMessages"] as const)
        expect(await one.ok(kind, { query: { minId: 0 } })).toBe(null);
      expect(await one.ok("pullSystemMessages", { query: { minSeqNo: 0 } })).toBe(null);
      const ends = () => sockets[0].frames.filter(isEnd).map(({ cmd }) => cmd);
      await eventually(() => expect(ends().toSorted((x, y) => x - y)).toEqual([3, 4, 5]));
      expect(ids(sockets[0].frames)).toContain(sent.id);
      await sockets[1].flush();
      expect(sockets[1].of(30)).toEqual([]);
      for (const socket of sockets) socket.close();
    });

    test("is sent completely to a client that pauses reading", async () => {
      const [a, b] = await registerFriends(cluster.a.url);
      const text = "字".repeat(1_000);
      for (let i = 0; i < 10; i++) await Promise.all(Array.from({ length: 200 }, () => sendText(a, b, text)));
      const socket = await on(cluster.b.url, b).connect();
      socket.ws.pause();
      await b.ok("pullPrivateMessages", { query: { minId: 0 } });
      socket.ws.resume();
      await socket.next(isEnd);
      const rows = ids(socket.frames);
      expect(rows).toHaveLength(2_001);
      expect(rows).toEqual(rows.toSorted((x, y) => x - y));
      socket.close();
    });

    test("goes to both sockets of a client whose old one hangs on the other node", async () => {
      const [a, b] = await registerFriends(cluster.a.url);
      await sendText(a, b, "hello");
      const old = await b.connect();
      const fresh = await on(cluster.b.url, b).connect();
      await b.ok("pullPrivateMessages", { query: { minId: 0 } });
      for (const socket of [old, fresh]) {
        await socket.next(isEnd);
        socket.close();
      }
    });

    test("is refused if the bus loses the query, so that the client asks again instead of waiting for rows", async () => {
      const [, b] = await registerFriends(cluster.a.url);
      const socket = await on(cluster.b.url, b).connect();
      cluster.isLost = ({ kind }) => kind === "query";
      expect(await b.errorKeyOf("pullPrivateMessages", { query: { minId: 0 } })).toBe("server.unavailable");
      cluster.isLost = () => false;
      await b.ok("pullPrivateMessages", { query: { minId: 0 } });
      await socket.next(isEnd);
      socket.close();
    });
  });

  describe("a call", () => {
    test("rings on until the last client has failed, whichever node has its socket", async () => {
      const [a, b] = await registerFriends(cluster.a.url);
      const host = await a.connect();
      const [one, two] = [b.tab("one"), on(cluster.b.url, b.tab("two"))];
      const sockets = [await one.connect(), await two.connect()];
      await a.ok("setupPrivateCall", { query: { uid: b.id, mode: "voice" } });
      await one.ok("failPrivateCall", { query: { uid: a.id } });
      expect((await host.flush()).filter(({ data }) => data?.type === MessageType.RTC_FAILED)).toEqual([]);
      await two.ok("failPrivateCall", { query: { uid: a.id } });
      await host.nextOf(MessageType.RTC_FAILED);
      for (const socket of [host, ...sockets]) socket.close();
    });

    test("goes on with a client that has come back on another node before the end of its old socket is noticed", async () => {
      const [a, b] = await registerFriends(cluster.a.url);
      const host = await a.connect();
      const callee = b.tab("callee");
      const old = await callee.connect();
      await a.ok("setupPrivateCall", { query: { uid: b.id, mode: "voice" } });
      await callee.ok("acceptPrivateCall", { query: { uid: a.id } });
      const fresh = await on(cluster.b.url, callee).connect();
      const detached = new Promise<void>((resolve) => {
        cluster.isLost = ({ kind }) => {
          if (kind === "callClientDetached") resolve();
          return false;
        };
      });
      old.ws.terminate();
      await detached;
      await a.ok("sendPrivateCandidate", { query: { uid: b.id }, body: { candidate: 1 } });
      await fresh.nextOf(MessageType.RTC_CANDIDATE);
      for (const socket of [host, fresh]) socket.close();
    });
  });

  describe("of two devices of a terminal that log in at different nodes", () => {
    /** A person who is logged in on two devices, the second of which makes its requests at the other node. */
    const devicesOf = async (): Promise<[TestPerson, TestPerson]> => {
      const first = await registerPerson(cluster.a.url, { deviceNo: "d1" });
      return [first, on(cluster.b.url, await first.elsewhere({ deviceNo: "d2" }))];
    };
    /** Sets the clock of a node forward, so far that it is at least this much ahead of that of the other. */
    const setAhead = (node: TestApp, other: TestApp, byMs: number) =>
      node.clock.advance(Math.max(0, other.clock.now() - node.clock.now()) + byMs);
    const isKicked = async (socket: TestSocket) => (await socket.flush()).some(({ cmd }) => cmd === 2);

    test("before either node hears of the other, exactly one stays, with its session", async () => {
      const devices = await devicesOf();
      const deliver = cluster.delayBus();
      onTestFinished(deliver);
      const sockets = [await devices[0].connect(), await devices[1].connect()] as const;
      deliver();
      const wasKicked = () => sockets.map(({ frames }) => frames.some(({ cmd }) => cmd === 2));
      await eventually(() => expect(wasKicked()).toContain(true));
      const kicked = wasKicked();
      expect(await isKicked(sockets[kicked[0] === true ? 1 : 0])).toBe(false);
      for (const { app } of [cluster.a, cluster.b]) await app.settle();
      const codes = await Promise.all(
        devices.map(async (device) => (await device.call("self")).envelope.code),
      );
      expect(codes).toEqual(kicked.map((is) => (is ? 401 : 200)));
      for (const socket of sockets) socket.close();
    });

    test("the newer one stays, however late its node hears of the older one, and whatever of its own news was lost", async () => {
      const [first, second] = await devicesOf();
      const deliver = cluster.delayBus();
      onTestFinished(deliver);
      const older = await first.connect();
      setAhead(cluster.b, cluster.a, 1_000);
      cluster.isLost = ({ kind }) => kind === "kick";
      const newer = await second.connect();
      cluster.isLost = () => false;
      deliver();
      expect(await older.next(({ cmd }) => cmd === 2)).toMatchObject({ reason: "kicked" });
      expect(await isKicked(newer)).toBe(false);
      newer.close();
    });

    test("the newer one stays also if the clock of its node is behind", async () => {
      const [first, second] = await devicesOf();
      setAhead(cluster.a, cluster.b, 5_000);
      const older = await first.connect();
      const newer = await second.connect();
      expect(await older.next(({ cmd }) => cmd === 2)).toMatchObject({ reason: "kicked" });
      expect(await isKicked(newer)).toBe(false);
      newer.close();
    });
  });

  test("a login that cannot be stored on a full disk is refused, because the other node could not know of it", async () => {
    const { userName } = await registerPerson(cluster.a.url);
    const write = vi.spyOn(cluster.a.app.store, "write");
    write.mockRejectedValueOnce(new StoreUnavailableError("full", null));
    await expect(logIn(cluster.a.url, userName)).rejects.toThrow("server.storageFull");
    write.mockRestore();
  });

  test("a message that is stored just after another node has removed a member reaches only those who are left", async () => {
    const [a, b] = await registerFriends(cluster.a.url);
    const c = await registerPerson(cluster.a.url);
    const groupId = await makeGroup(a, [b, c]);
    const bOnB = on(cluster.b.url, b);
    const sockets = [await a.connect(), await c.connect()] as const;
    const body = { groupId, type: 0, content: "before" };
    await bOnB.ok("sendGroupMessage", { body });
    for (const socket of sockets) await socket.next(({ data }) => data?.content === "before");
    // The second node does not hear of it before it sends.
    cluster.isLost = ({ kind }) => kind === "staleGroup";
    await a.ok("removeGroupMembers", { body: { groupId, userIds: [c.id] } });
    await bOnB.ok("sendGroupMessage", { body: { ...body, content: "after" } });
    await sockets[0].next(({ data }) => data?.content === "after");
    expect((await sockets[1].flush()).filter(({ data }) => data?.content === "after")).toEqual([]);
    for (const socket of sockets) socket.close();
  });

  test("what a device was told by one node is taken back when the chat is read through another", async () => {
    const service = await createPushService();
    onTestFinished(() => service[Symbol.asyncDispose]());
    const [a, b] = await registerFriends(cluster.a.url);
    const device = service.device();
    await b.ok("subscribeWebPush", { body: { ...device.subscription, preview: false } });
    const { id: messageId } = await sendText(a, b, "hello");
    const pass = () => {
      cluster.a.clock.advance(1_000);
      cluster.a.app.sweep();
    };
    pass();
    expect(await device.received(1)).toMatchObject([{ kind: "messages" }]);
    await on(cluster.b.url, b).ok("readPrivateMessages", { query: { friendId: a.id, messageId } });
    pass();
    expect((await device.received(2))[1]).toEqual({ kind: "read", userId: b.id, chat: `PRIVATE:${a.id}` });
  });

  describe("what the bus loses", () => {
    const sweep = async (times: number) => {
      for (let n = 0; n < times; n++) {
        for (const { app, clock } of [cluster.a, cluster.b]) {
          clock.advance(2_000);
          app.sweep();
          await app.settle();
        }
      }
    };
    const textsOf = (frames: readonly Frame[], cmd: number) =>
      frames.flatMap(({ cmd: each, data }) => (each === cmd && data?.id !== undefined ? [data.content] : []));

    test("of messages arrives by the sweep, once, and to nobody who may not see it", async () => {
      const [a, b] = await registerFriends(cluster.a.url);
      const stranger = await registerPerson(cluster.a.url);
      const group = await makeGroup(a, [b]);
      const sockets = [
        await on(cluster.b.url, b).connect(),
        await on(cluster.b.url, stranger).connect(),
      ] as const;
      await sweep(3);
      cluster.isLost = ({ kind }) => kind === "push";
      await sendText(a, b, "private");
      const body = { groupId: group, type: 0, content: "in the group" };
      const { id: quoteMessageId } = await a.ok("sendGroupMessage", { body });
      await a.ok("sendGroupMessage", { body: { ...body, content: "with a quote", quoteMessageId } });
      await stranger.ok("applyFriend", { body: { friendId: b.id } });
      await sockets[0].flush();
      expect(textsOf(sockets[0].frames, 3)).not.toContain("private");
      await sweep(6);
      const frames = await sockets[0].flush();
      expect(textsOf(frames, 3)).toEqual(["private"]);
      expect(textsOf(frames, 4)).toEqual(["in the group", "with a quote"]);
      expect(textsOf(frames, 5)).toHaveLength(1);
      expect(textsOf(await sockets[1].flush(), 3)).toEqual([]);
      for (const socket of sockets) socket.close();
    });

    test("of messages arrives by the second sweep also while others store thousands of them", async () => {
      const [a, b] = await registerFriends(cluster.a.url);
      const [c, d] = await registerFriends(cluster.a.url);
      const { id } = await sendText(c, d, "one of many");
      const socket = await on(cluster.b.url, b).connect();
      await sweep(3);
      cluster.isLost = ({ kind }) => kind === "push";
      const columns = await cluster.query(
        "select string_agg(quote_ident(column_name), ',') as names from information_schema.columns " +
          "where table_name = 'message' and column_name not in ('id', 'tmpId')",
      );
      const names = String(columns[0]?.names);
      await cluster.query(
        `insert into message (id, "tmpId", ${names}) select id + n, 'copy ' || n, ${names} ` +
          `from message, generate_series(1, 5000) n where id = ${id}`,
      );
      await sendText(a, b, "behind the others");
      await sweep(2);
      expect(textsOf(await socket.flush(), 3)).toEqual(["behind the others"]);
      socket.close();
    });

    test("of changes is told by a signal to ask for them", async () => {
      const [a, b] = await registerFriends(cluster.a.url);
      const socket = await on(cluster.b.url, a).connect({ caps: ["changes"] });
      const { id: messageId } = await sendText(a, b, "hello");
      await sweep(3);
      cluster.isLost = ({ kind }) => kind === "push";
      await b.ok("readPrivateMessages", { query: { friendId: a.id, messageId } });
      await sweep(3);
      await socket.nextOf(MessageType.CHANGES);
      expect(socket.of(MessageType.RECEIPT)).toEqual([]);
      socket.close();
    });

    test("of a change is told although pushes that tell of no change have arrived in the same moment", async () => {
      const [a, b] = await registerFriends(cluster.a.url);
      const aOnB = on(cluster.b.url, a);
      const [caller, socket] = [await b.connect(), await aOnB.connect({ caps: ["changes"] })];
      const { id: messageId } = await sendText(a, b, "hello");
      await sweep(3);
      cluster.isLost = ({ kind }) => kind === "push";
      await b.ok("readPrivateMessages", { query: { friendId: a.id, messageId } });
      cluster.isLost = () => false;
      await b.ok("setupPrivateCall", { query: { uid: a.id, mode: "voice" } });
      await b.ok("cancelPrivateCall", { query: { uid: a.id } });
      await aOnB.ok("updateFriendRemark", { body: { friendId: b.id, remarkNickName: "x" } });
      await (await registerPerson(cluster.a.url)).ok("applyFriend", { body: { friendId: a.id } });
      const other = await sendText(b, a, "recalled");
      await b.ok("recallPrivateMessage", { params: { id: other.id } });
      await sweep(3);
      await socket.flush();
      expect(socket.of(MessageType.RTC_CANCEL)).toHaveLength(1);
      expect(socket.of(MessageType.CHANGES).map(({ data }) => data?.content)).toEqual([""]);
      expect(socket.of(MessageType.RECEIPT)).toEqual([]);
      for (const one of [caller, socket]) one.close();
    });

    test("in a gap that the bus has noticed: changes are told however much else was pushed, and contacts are loaded again when it is over", async () => {
      const [a, b] = await registerFriends(cluster.a.url);
      const aOnB = on(cluster.b.url, a);
      const socket = await aOnB.connect({ caps: ["changes"] });
      const { id: messageId } = await sendText(a, b, "hello");
      await sweep(3);
      const changes = () => socket.of(MessageType.CHANGES).map(({ data }) => data?.content);
      cluster.isLost = ({ kind }) => kind === "push";
      await b.ok("readPrivateMessages", { query: { friendId: a.id, messageId } });
      // Pushes of the same node might have announced the change: their type also announces changes in the feed.
      for (const enabled of [true, false, true]) await aOnB.ok("setManualApprove", { query: { enabled } });
      cluster.isLost = () => false;
      cluster.interrupt();
      await sweep(3);
      await socket.flush();
      expect(changes()).toContain("");
      expect(changes()).not.toContain("people");
      await sweep(6);
      await socket.flush();
      expect(changes().filter((content) => content === "people")).toEqual(["people"]);
      socket.close();
    });

    test("is nothing, then no device is told to ask for changes", async () => {
      const [a, b] = await registerFriends(cluster.a.url);
      const group = await makeGroup(a, [b]);
      const bOnB = on(cluster.b.url, b);
      const socket = await bOnB.connect({ caps: ["changes"] });
      await sweep(3);
      const { id: messageId } = await sendText(a, b, "private");
      await b.ok("readPrivateMessages", { query: { friendId: a.id, messageId } });
      await b.ok("deletePrivateMessages", { body: { friendId: a.id, ids: [messageId] } });
      const body = { groupId: group, type: 0, content: "in the group", receipt: true };
      const { id } = await bOnB.ok("sendGroupMessage", { body });
      await a.ok("readGroupMessages", { query: { groupId: group, messageId: id } });
      const stranger = await registerPerson(cluster.a.url);
      const request = await stranger.ok("applyFriend", { body: { friendId: b.id } });
      await b.ok("approveFriendRequest", { query: { id: request.id } });
      await b.ok("readSystemMessages", { query: { maxSeqNo: 1 } });
      await b.ok("flushAllMessages");
      await sweep(6);
      await socket.flush();
      expect(socket.of(MessageType.CHANGES)).toEqual([]);
      socket.close();
    });

    test("is nothing, then nothing is pushed twice", async () => {
      const [a, b] = await registerFriends(cluster.a.url);
      const group = await makeGroup(a, [b]);
      const socket = await on(cluster.b.url, b).connect({ caps: ["changes"] });
      await sweep(3);
      const { id: messageId } = await sendText(a, b, "private");
      await on(cluster.b.url, b).ok("readPrivateMessages", { query: { friendId: a.id, messageId } });
      await a.ok("recallPrivateMessage", { params: { id: messageId } });
      const sent = await a.ok("sendGroupMessage", {
        body: { groupId: group, type: 0, content: "in the group" },
      });
      await a.ok("recallGroupMessage", { params: { id: sent.id } });
      await (await registerPerson(cluster.a.url)).ok("applyFriend", { body: { friendId: b.id } });
      await sweep(6);
      const frames = (await socket.flush()).filter(({ data }) => data?.id !== undefined);
      const keys = frames.map(({ cmd, data }) => `${cmd} ${data?.id}`);
      expect(keys).toEqual([...new Set(keys)]);
      expect(frames.length).toBeGreaterThan(4);
      expect(socket.of(MessageType.CHANGES)).toEqual([]);
      socket.close();
    });
  });
});
