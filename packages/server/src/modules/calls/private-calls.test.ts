import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { MessageType } from "@parley/protocol/codes";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import { type TestPerson, registerFriends, registerPerson } from "../../testing/test-person.ts";
import type { TestSocket } from "../../testing/test-socket.ts";

const {
  RTC_SETUP_VOICE,
  RTC_SETUP_VIDEO,
  RTC_ACCEPT,
  RTC_REJECT,
  RTC_CANCEL,
  RTC_FAILED,
  RTC_HANDUP,
  RTC_OFFER,
  RTC_ANSWER,
  RTC_CANDIDATE,
  RTC_DEVICE,
} = MessageType;

let server: TestApp;
beforeAll(async () => void (server = await createTestApp({ env: { RATE_LIMITS: "off" } })));
afterAll(() => server[Symbol.asyncDispose]());

/** A client of a person with its socket. */
interface Client {
  person: TestPerson;
  socket: TestSocket;
}

let host: Client;
let hostTab: Client;
let callee: Client;
let calleeTab: Client;
const open: TestSocket[] = [];

async function client(person: TestPerson, clientId: string, caps: string[] = []): Promise<Client> {
  const tab = person.tab(clientId);
  const socket = await tab.connect({ caps });
  open.push(socket);
  return { person: tab, socket };
}

beforeEach(async () => {
  const [a, b] = await registerFriends(server.url);
  host = await client(a, "host", ["rtc110"]);
  hostTab = await client(a, "host-tab", ["rtc110"]);
  callee = await client(b, "callee", ["rtc110"]);
  calleeTab = await client(b, "callee-tab");
});
afterEach(async () => {
  for (const socket of open.splice(0)) {
    socket.close();
    await socket.closed;
  }
});

const uidOf = (other: Client) => ({ query: { uid: other.person.id } });
const call = (mode: "voice" | "video" = "video") =>
  host.person.ok("setupPrivateCall", { query: { uid: callee.person.id, mode } });
const accept = (by = callee, held?: "1") =>
  by.person.ok("acceptPrivateCall", { query: { uid: host.person.id, ...(held && { held }) } });

/** The signals of calls that have arrived: type, "own" or "other" for the sender, content. */
async function signals({ person, socket }: Client): Promise<unknown[]> {
  await server.app.store.isReady();
  const frames = await socket.flush();
  return frames.flatMap(({ data }) => {
    if (data?.type === undefined || data.type < 100) return [];
    const sender = data.sendId === person.id ? "own" : "other";
    expect(data["selfSend"]).toBe(sender === "own");
    return [[data.type, sender, ...(data.content === null ? [] : [data.content])]];
  });
}

/** The records of calls that a client has got: type, result, seconds, text. */
function records({ socket }: Client): unknown[] {
  return socket.frames.flatMap(({ data }) => {
    if (data?.type !== 40 && data?.type !== 41) return [];
    expect(data).toMatchObject({ sendId: host.person.id, recvId: callee.person.id, status: 1 });
    const { result, seconds } = data["act"] as { result: string; seconds: number };
    return [[data.type, result, seconds, data.content]];
  });
}

/** What all four clients have got, and that the call has one record, the same for all. */
async function expectEnd(
  wanted: { host: unknown[]; hostTab?: unknown[]; callee: unknown[]; calleeTab: unknown[] },
  record: unknown[],
): Promise<void> {
  expect(await signals(host)).toEqual(wanted.host);
  expect(await signals(hostTab)).toEqual(wanted.hostTab ?? []);
  expect(await signals(callee)).toEqual(wanted.callee);
  expect(await signals(calleeTab)).toEqual(wanted.calleeTab);
  for (const each of [host, hostTab, callee, calleeTab]) expect(records(each)).toEqual([record]);
  await expectFree();
}

/** Nobody is in a call, and nothing of it is left. */
async function expectFree(): Promise<void> {
  for (const each of [host, callee]) {
    expect(await server.app.store.findCallMember(each.person.id)).toBeUndefined();
  }
  expect(await server.app.store.findCall(`p${host.person.id}`)).toBeUndefined();
}

/** Lets time pass. Sockets that nobody hears for a minute are closed. */
async function advance(ms: number): Promise<void> {
  for (const socket of open) if (socket.ws.readyState === socket.ws.OPEN) await socket.flush();
  server.clock.advance(ms);
  for (const socket of open) if (socket.ws.readyState === socket.ws.OPEN) await socket.flush();
}

async function pass(ms: number): Promise<void> {
  await advance(ms);
  server.app.sweep();
  await settle();
}

/** Waits until the server has done what it does in the background. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    await server.app.store.write(async () => undefined);
  }
}

const RING = [RTC_SETUP_VIDEO, "other"];
const CANCELLED = [41, "cancelled", 0, "已取消"];
const REJECTED = [41, "rejected", 0, "已拒绝"];
const notConnected = (result: string) => [41, result, 0, "未接通"];

describe("private.setup", () => {
  test("no session: it rings on every client of the callee, with the type of its mode", async () => {
    await call("voice");
    expect(await signals(callee)).toEqual([[RTC_SETUP_VOICE, "other"]]);
    expect(await signals(calleeTab)).toEqual([[RTC_SETUP_VOICE, "other"]]);
    expect([...(await signals(host)), ...(await signals(hostTab))]).toEqual([]);
  });

  test("no session: refused without a socket, to oneself, to strangers and to who has blocked the caller", async () => {
    const stranger = await registerPerson(server.url);
    const setup = (by: TestPerson, uid: number) =>
      by.errorKeyOf("setupPrivateCall", { query: { uid, mode: "voice" } });
    expect(await setup(stranger, host.person.id)).toBe("call.offline");
    expect(await setup(host.person, host.person.id)).toBe("request.malformed");
    expect(await setup(host.person, stranger.id)).toBe("call.notFriend");
    await callee.person.ok("addToBlacklist", { query: { userId: host.person.id } });
    expect(await setup(host.person, callee.person.id)).toBe("call.blockedYou");
    await host.person.ok("deleteFriend", { params: { id: callee.person.id } });
    expect(await setup(host.person, callee.person.id)).toBe("call.notFriend");
    await expectFree();
  });

  test("RINGING, again from the same client: nothing happens", async () => {
    await call();
    await call();
    expect(await signals(callee)).toEqual([RING]);
  });

  test("RINGING, by another client or in another mode: the caller is in a call", async () => {
    await call();
    for (const [by, mode] of [
      [hostTab, "video"],
      [host, "voice"],
    ] as const) {
      const input = { query: { uid: callee.person.id, mode } };
      expect(await by.person.errorKeyOf("setupPrivateCall", input)).toBe("call.youAreInCall");
    }
  });

  test("RINGING, by the callee: the two calls have crossed", async () => {
    await call();
    const input = { query: { uid: host.person.id, mode: "video" } } as const;
    const { envelope, status } = await callee.person.call("setupPrivateCall", input);
    expect({ status, ...envelope }).toMatchObject({ status: 200, code: 409, message: "对方正在呼叫您" });
    await accept();
    expect(await signals(host)).toEqual([[RTC_ACCEPT, "other"]]);
  });

  test.each(["RINGING", "TALKING"])(
    "%s, by a third person: busy, and the callee has a missed call",
    async (phase) => {
      await call();
      if (phase === "TALKING") await accept();
      const third = await registerPerson(server.url);
      const { id, status } = await third.ok("applyFriend", { body: { friendId: callee.person.id } });
      if (status === 1) await callee.person.ok("approveFriendRequest", { query: { id } });
      const socket = await third.connect();
      open.push(socket);
      const before = (await signals(callee)).length;
      const input = { query: { uid: callee.person.id, mode: "voice" } } as const;
      expect(await third.errorKeyOf("setupPrivateCall", input)).toBe("call.busy");
      expect((await signals(callee)).length).toBe(before);
      for (const each of [socket, callee.socket]) {
        const { data } = await each.nextOf(40);
        expect(data).toMatchObject({ sendId: third.id, act: { result: "busy" }, content: "未接通" });
      }
      const [chat] = await callee.person
        .ok("privateHistory", { query: { friendId: third.id, minId: 0 } })
        .then((rows) => rows.slice(-1));
      expect(chat).toMatchObject({ type: 40, act: { result: "busy", seconds: 0 } });
      // The running call is not disturbed.
      expect(await server.app.store.findCallMember(callee.person.id)).toMatchObject({
        callKey: `p${host.person.id}`,
      });
    },
  );

  test("at the same time by both: one call rings, the other request learns that the two have crossed", async () => {
    const [first, second] = await Promise.all([
      host.person.call("setupPrivateCall", { query: { uid: callee.person.id, mode: "video" } }),
      callee.person.call("setupPrivateCall", { query: { uid: host.person.id, mode: "video" } }),
    ]);
    expect([first.envelope.code, second.envelope.code].toSorted((x, y) => x - y)).toEqual([200, 409]);
    const winner = first.envelope.code === 200 ? host : callee;
    const loser = winner === host ? callee : host;
    await loser.person.ok("acceptPrivateCall", uidOf(winner));
    expect(await server.app.store.findCall(`p${winner.person.id}`)).toMatchObject({
      acceptedAt: server.clock.now(),
    });
    await winner.person.ok("hangUpPrivateCall", uidOf(loser));
  });
});

describe("private.accept", () => {
  test("no session: the call has ended", async () => {
    expect(await callee.person.errorKeyOf("acceptPrivateCall", uidOf(host))).toBe("call.ended");
  });

  test("RINGING: host and the callee's other clients learn of it; a held offer is dropped", async () => {
    await call();
    await host.person.ok("sendPrivateOffer", { ...uidOf(callee), body: { type: "offer", sdp: "early" } });
    await accept();
    expect(await signals(host)).toEqual([[RTC_ACCEPT, "other"]]);
    expect(await signals(hostTab)).toEqual([]);
    expect(await signals(callee)).toEqual([RING]);
    expect(await signals(calleeTab)).toEqual([RING, [RTC_ACCEPT, "own"]]);
  });

  test("RINGING, by a client that takes held offers: it gets the last one and the candidates", async () => {
    await call();
    const offer = { type: "offer", sdp: "new" };
    await host.person.ok("sendPrivateOffer", { ...uidOf(callee), body: { type: "offer", sdp: "old" } });
    await host.person.ok("sendPrivateOffer", { ...uidOf(callee), body: offer });
    for (let n = 0; n < 66; n++)
      await host.person.ok("sendPrivateCandidate", { ...uidOf(callee), body: { candidate: n } });
    await accept(callee, "1");
    expect(await signals(host)).toEqual([[RTC_ACCEPT, "other", "held"]]);
    const candidates = Array.from({ length: 64 }, (_, n) => [
      RTC_CANDIDATE,
      "other",
      JSON.stringify({ candidate: n }),
    ]);
    expect(await signals(callee)).toEqual([RING, [RTC_OFFER, "other", JSON.stringify(offer)], ...candidates]);
    expect(await signals(calleeTab)).toEqual([RING, [RTC_ACCEPT, "own"]]);
  });

  test("TALKING: again from the same client nothing happens, another one learns that it was answered, the host is refused", async () => {
    await call();
    await accept();
    await accept();
    expect(await signals(host)).toHaveLength(1);
    expect(await calleeTab.person.errorKeyOf("acceptPrivateCall", uidOf(host))).toBe(
      "call.answeredElsewhere",
    );
    expect(await host.person.errorKeyOf("acceptPrivateCall", uidOf(callee))).toBe("call.ended");
  });

  test("RINGING, on two clients at once: exactly one wins", async () => {
    await call();
    const answers = await Promise.all(
      [callee, calleeTab].map((each) => each.person.call("acceptPrivateCall", uidOf(host))),
    );
    expect(answers.map(({ envelope }) => envelope.key ?? "ok").toSorted()).toEqual([
      "call.answeredElsewhere",
      "ok",
    ]);
    expect(await signals(host)).toEqual([[RTC_ACCEPT, "other"]]);
  });
});

describe("private.reject, private.cancel, private.handup", () => {
  const ENDINGS = ["rejectPrivateCall", "cancelPrivateCall", "hangUpPrivateCall"] as const;

  test.each(ENDINGS)("no session: %s answers and pushes nothing", async (name) => {
    await host.person.ok(name, uidOf(callee));
    expect([...(await signals(host)), ...(await signals(callee))]).toEqual([]);
    expect(records(host)).toEqual([]);
  });

  test.each(ENDINGS)("RINGING: %s by the callee rejects", async (name) => {
    await call();
    await callee.person.ok(name, uidOf(host));
    await expectEnd(
      { host: [[RTC_REJECT, "other"]], callee: [RING], calleeTab: [RING, [RTC_REJECT, "own"]] },
      REJECTED,
    );
  });

  test.each(ENDINGS)("RINGING: %s by the host cancels", async (name) => {
    await call();
    await host.person.ok(name, uidOf(callee));
    const cancelled = [RING, [RTC_CANCEL, "other"]];
    await expectEnd({ host: [], callee: cancelled, calleeTab: cancelled }, CANCELLED);
  });

  test.each(ENDINGS)("TALKING: %s by either side hangs up", async (name) => {
    for (const by of ["host", "callee"] as const) {
      await call();
      await accept();
      await advance(41_400);
      const [me, other] = by === "host" ? [host, callee] : [callee, host];
      await me.person.ok(name, uidOf(other));
      expect((await signals(other)).at(-1)).toEqual([RTC_HANDUP, "other"]);
      expect(records(me).at(-1)).toEqual([41, "ended", 41, "通话时长 00:41"]);
      await expectFree();
    }
    expect(records(host)).toHaveLength(2);
  });

  test.each(ENDINGS)("TALKING: %s by another client of the same person does nothing", async (name) => {
    await call();
    await accept();
    await calleeTab.person.ok(name, uidOf(host));
    await hostTab.person.ok(name, uidOf(callee));
    expect(await signals(host)).toEqual([[RTC_ACCEPT, "other"]]);
    expect(records(host)).toEqual([]);
  });

  test("a cancel that crosses an accept hangs up, an accept after a cancel learns that the call has ended", async () => {
    await call();
    const [accepted] = await Promise.all([
      callee.person.call("acceptPrivateCall", uidOf(host)),
      host.person.ok("cancelPrivateCall", uidOf(callee)),
    ]);
    const ending = accepted.envelope.code === 200 ? RTC_HANDUP : RTC_CANCEL;
    expect((await signals(callee)).at(-1)).toEqual([ending, "other"]);
    expect(records(host)).toHaveLength(1);
    await expectFree();
  });
});

describe("private.failed", () => {
  const fail = (by: Client, other: Client, reason = "no camera") =>
    by.person.ok("failPrivateCall", { query: { uid: other.person.id, reason } });

  test("no session: answers and pushes nothing", async () => {
    await fail(host, callee);
    expect(await signals(callee)).toEqual([]);
  });

  test("RINGING, by the host: ends for all", async () => {
    await call();
    await fail(host, callee);
    const failed = [RING, [RTC_FAILED, "other", "no camera"]];
    await expectEnd({ host: [], callee: failed, calleeTab: failed }, notConnected("failed"));
  });

  test("RINGING, by a client of the callee: the others go on ringing, and the last one ends it", async () => {
    await call();
    await fail(callee, host);
    expect(await signals(host)).toEqual([]);
    await fail(calleeTab, host, "no microphone");
    await expectEnd(
      {
        host: [[RTC_FAILED, "other", "no microphone"]],
        callee: [RING, [RTC_FAILED, "own", "no microphone"]],
        calleeTab: [RING],
      },
      notConnected("failed"),
    );
  });

  test("TALKING: ends for the other, and says why", async () => {
    await call();
    await accept();
    await fail(calleeTab, host);
    expect(await signals(host)).toHaveLength(1);
    await fail(callee, host);
    await expectEnd(
      {
        host: [
          [RTC_ACCEPT, "other"],
          [RTC_FAILED, "other", "no camera"],
        ],
        callee: [RING],
        calleeTab: [RING, [RTC_ACCEPT, "own"]],
      },
      notConnected("failed"),
    );
  });
});

describe("private.offer, private.answer, private.candidate", () => {
  const RELAYS = ["sendPrivateOffer", "sendPrivateAnswer", "sendPrivateCandidate"] as const;
  const body = { type: "x", sdp: "v=0\r\n" };

  test.each(RELAYS)("no session: %s learns that the call has ended", async (name) => {
    expect(await host.person.errorKeyOf(name, { ...uidOf(callee), body })).toBe("call.ended");
  });

  test.each(RELAYS)("RINGING: %s by the callee is refused", async (name) => {
    await call();
    expect(await callee.person.errorKeyOf(name, { ...uidOf(host), body })).toBe("call.ended");
  });

  test("RINGING: an answer of the host is refused", async () => {
    await call();
    expect(await host.person.errorKeyOf("sendPrivateAnswer", { ...uidOf(callee), body })).toBe("call.ended");
  });

  test.each(RELAYS)(
    "TALKING: %s goes to the client of the other person alone, in either direction",
    async (name) => {
      const type = {
        sendPrivateOffer: RTC_OFFER,
        sendPrivateAnswer: RTC_ANSWER,
        sendPrivateCandidate: RTC_CANDIDATE,
      }[name];
      await call();
      await accept();
      for (const [me, other, otherTab] of [
        [host, callee, calleeTab],
        [callee, host, hostTab],
      ] as const) {
        await me.person.ok(name, { ...uidOf(other), body });
        expect((await signals(other)).at(-1)).toEqual([type, "other", JSON.stringify(body)]);
        expect((await signals(otherTab)).some((signal) => (signal as unknown[])[0] === type)).toBe(false);
      }
      expect(await calleeTab.person.errorKeyOf(name, { ...uidOf(host), body })).toBe(
        "call.answeredElsewhere",
      );
    },
  );

  test("a body that is not an object, or is too large, is refused", async () => {
    await call();
    const uid = callee.person.id;
    const send = async (text: string) => {
      const answer = await fetch(`${server.url}/api/webrtc/private/offer?uid=${uid}`, {
        method: "POST",
        headers: {
          accessToken: encodeURIComponent(host.person.tokens.accessToken),
          "content-type": "application/json",
        },
        body: text,
      });
      return answer.status;
    };
    expect(await send("nonsense")).toBe(400);
    expect(await send('"text"')).toBe(400);
    expect(await send(JSON.stringify({ sdp: "x".repeat(65_536) }))).toBe(413);
  });
});

describe("private.device", () => {
  const device = (by: Client, other: Client) =>
    by.person.ok("setPrivateCallDevice", {
      body: { uid: other.person.id, isCamera: false, isMicroPhone: true },
    });

  test("no session, RINGING: answers and pushes nothing", async () => {
    await device(host, callee);
    await call();
    await device(host, callee);
    expect(await signals(callee)).toEqual([RING]);
  });

  test("TALKING: goes to the client of the other person, if it knows this signal", async () => {
    await call();
    await accept();
    await device(callee, host);
    const state = JSON.stringify({ isCamera: false, isMicroPhone: true, isShareScreen: false });
    expect(await signals(host)).toEqual([
      [RTC_ACCEPT, "other"],
      [RTC_DEVICE, "other", state],
    ]);
    expect(await signals(hostTab)).toEqual([]);
    await host.person.ok("hangUpPrivateCall", uidOf(callee));
    await call();
    await accept(calleeTab);
    await device(host, callee);
    expect((await signals(calleeTab)).at(-1)).toEqual([RTC_SETUP_VIDEO, "other"]);
  });
});

describe("private.info", () => {
  test("says who talks, or for whom it rings", async () => {
    const info = (by: Client, other: Client) => by.person.ok("findPrivateCall", uidOf(other));
    const nobody = { isChating: false, mode: null, host: null, acceptor: null };
    expect(await info(host, callee)).toEqual(nobody);
    await call("voice");
    const person = ({ person: { id, userName } }: Client) => ({
      id,
      nickName: `N ${userName}`,
      headImage: null,
    });
    expect(await info(callee, host)).toEqual({ ...nobody, mode: "voice", host: person(host) });
    await accept();
    expect(await info(host, callee)).toEqual({
      isChating: true,
      mode: "voice",
      host: person(host),
      acceptor: person(callee),
    });
    const stranger = await registerPerson(server.url);
    expect(await stranger.ok("findPrivateCall", uidOf(host))).toEqual(nobody);
  });
});

describe("private.heartbeat", () => {
  const beat = (by: Client, other: Client) => by.person.ok("beatPrivateCall", uidOf(other));

  test("no session: the client learns that the call has ended", async () => {
    await beat(host, callee);
    expect(await signals(host)).toEqual([[RTC_HANDUP, "other"]]);
    expect(await signals(hostTab)).toEqual([]);
  });

  test("TALKING: keeps the client in the call, without it the client counts as gone after 45 s", async () => {
    await call();
    await accept();
    await pass(30_000);
    await beat(host, callee);
    await pass(14_000);
    expect(await server.app.store.findCallMember(host.person.id)).toBeDefined();
    // Only the host was heard.
    await pass(1_000);
    await expectEnd(
      {
        host: [
          [RTC_ACCEPT, "other"],
          [RTC_HANDUP, "other"],
        ],
        callee: [RING],
        calleeTab: [RING, [RTC_ACCEPT, "own"]],
      },
      [41, "ended", 45, "通话时长 00:45"],
    );
  });
});

describe("private.ring deadline", () => {
  test("RINGING: nobody answers in 30 s", async () => {
    await call();
    await pass(29_000);
    expect(await signals(host)).toEqual([]);
    await pass(1_000);
    const own = [RING, [RTC_FAILED, "own", "对方无应答"]];
    await expectEnd(
      { host: [[RTC_FAILED, "other", "对方无应答"]], callee: own, calleeTab: own },
      notConnected("unanswered"),
    );
  });
});

describe("private.host gone, private.callee gone", () => {
  test("RINGING: a host that closes its socket for good has cancelled", async () => {
    await call();
    host.socket.close();
    await host.socket.closed;
    await expect.poll(() => signals(callee)).toEqual([RING, [RTC_CANCEL, "other"]]);
    expect(records(callee)).toEqual([CANCELLED]);
  });

  test("RINGING: a callee that closes a socket goes on ringing elsewhere", async () => {
    await call();
    callee.socket.close();
    await callee.socket.closed;
    await settle();
    expect(await signals(host)).toEqual([]);
    await accept(calleeTab);
  });

  test("TALKING: who closes the socket for good, or logs out, has hung up", async () => {
    await call();
    await accept();
    await callee.person.ok("logout");
    await expect.poll(() => signals(host)).toContainEqual([RTC_HANDUP, "other"]);
    await expectFree();
  });

  test("TALKING: a lost socket ends nothing for 25 s, and what is sent meanwhile arrives with the next one", async () => {
    await call();
    await accept();
    callee.socket.ws.terminate();
    await callee.socket.closed;
    await expect
      .poll(async () => (await server.app.store.findCallMember(callee.person.id))?.detachedAt)
      .not.toBeNull();
    await pass(24_000);
    for (let n = 0; n < 66; n++)
      await host.person.ok("sendPrivateCandidate", { ...uidOf(callee), body: { candidate: n } });
    const back = await client(callee.person, "callee", ["rtc110"]);
    await expect
      .poll(async () => (await signals(back)).map((signal) => JSON.parse(String((signal as unknown[])[2]))))
      .toEqual(Array.from({ length: 64 }, (_, n) => ({ candidate: n })));
    await host.person.ok("sendPrivateCandidate", { ...uidOf(callee), body: { candidate: "live" } });
    expect((await signals(back)).at(-1)).toEqual([RTC_CANDIDATE, "other", '{"candidate":"live"}']);
    await pass(5_000);
    expect(await server.app.store.findCallMember(callee.person.id)).toBeDefined();
  });

  test("TALKING: a client without socket and heartbeat for 25 s is gone; with a heartbeat it stays", async () => {
    await call();
    await accept();
    for (const each of [host, callee]) {
      each.socket.ws.terminate();
      await each.socket.closed;
    }
    const detachedAt = async (each: Client) =>
      (await server.app.store.findCallMember(each.person.id))?.detachedAt;
    await expect.poll(async () => [await detachedAt(host), await detachedAt(callee)]).not.toContain(null);
    await pass(10_000);
    await callee.person.ok("beatPrivateCall", uidOf(host));
    await pass(14_000);
    expect(await server.app.store.findCallMember(host.person.id)).toBeDefined();
    await pass(1_000);
    await expectFree();
    const { data } = await calleeTab.socket.nextOf(41);
    expect(data).toMatchObject({ act: { result: "ended", seconds: 25 } });
  });
});

describe("private.socket login", () => {
  test("RINGING: a client of the callee that connects later rings; not one that cannot take the call", async () => {
    await call();
    const late = await client(callee.person, "late");
    await expect.poll(() => signals(late)).toEqual([RING]);
    await late.person.ok("failPrivateCall", { query: { uid: host.person.id, reason: "no" } });
    late.socket.ws.terminate();
    await late.socket.closed;
    const again = await client(callee.person, "late");
    await settle();
    expect(await signals(again)).toEqual([]);
  });

  test("RINGING: somebody who is offline is rung all the same", async () => {
    for (const each of [callee, calleeTab]) {
      each.socket.close();
      await each.socket.closed;
    }
    await call();
    const late = await client(callee.person, "late");
    await expect.poll(() => signals(late)).toEqual([RING]);
  });

  test("TALKING: other clients get nothing", async () => {
    await call();
    await accept();
    const late = await client(callee.person, "late");
    await settle();
    expect(await signals(late)).toEqual([]);
  });
});

describe("private.friendship deleted, private.blacklisted", () => {
  const parts = [
    [
      "the host ends the friendship",
      () => host.person.ok("deleteFriend", { params: { id: callee.person.id } }),
    ],
    [
      "the callee ends the friendship",
      () => callee.person.ok("deleteFriend", { params: { id: host.person.id } }),
    ],
    [
      "the callee blocks the host",
      () => callee.person.ok("addToBlacklist", { query: { userId: host.person.id } }),
    ],
  ] as const;

  test.each(parts)("RINGING: %s, and it ends", async (_, part) => {
    await call();
    await part();
    const cancelled = [RING, [RTC_CANCEL, "other"]];
    const type = RTC_FAILED;
    expect((await signals(host)).filter((signal) => (signal as unknown[])[0] === type)).toEqual([
      [type, "other", "您已不是对方好友，无法呼叫"],
    ]);
    expect(await signals(callee)).toEqual(cancelled);
    expect(records(callee)).toEqual([CANCELLED]);
    await expectFree();
  });

  test.each(parts)("TALKING: %s, and the call goes on", async (_, part) => {
    await call();
    await accept();
    await part();
    expect(await server.app.store.findCallMember(host.person.id)).toBeDefined();
  });
});

test("private.user banned: a ban hangs up for the person", async () => {
  await call();
  await accept();
  await callee.person.ok("unregister", { body: { password: "password-1" } });
  await expect.poll(() => signals(host)).toContainEqual([RTC_HANDUP, "other"]);
  await expectFree();
});

test("a restart of the server ends no call, and frees who does not come back", async () => {
  const [a, b] = await registerFriends(server.url);
  const [caller, called] = [await client(a, "caller"), await client(b, "called")];
  await caller.person.ok("setupPrivateCall", { query: { uid: b.id, mode: "voice" } });
  await called.person.ok("acceptPrivateCall", { query: { uid: a.id } });
  await server.app.stop();
  server.clock.advance(600_000);
  await server.app.start();
  server.url = server.app.url;
  const move = (each: Client) => Object.assign(each.person, { url: server.app.url });
  for (const each of [caller, called, host, hostTab, callee, calleeTab]) move(each);
  expect(await server.app.store.findCall(`p${a.id}`)).toMatchObject({ hostId: a.id });
  await called.person.ok("sendPrivateCandidate", { query: { uid: a.id }, body: { candidate: 1 } });
  const back = await client(caller.person, "caller");
  await expect.poll(() => signals(back)).toEqual([[RTC_CANDIDATE, "other", '{"candidate":1}']]);
  await pass(25_000);
  // Only one of the two has come back.
  await expect.poll(() => signals(back)).toContainEqual([RTC_HANDUP, "other"]);
  expect(await server.app.store.findCallMember(a.id)).toBeUndefined();
});

test("ten calls a minute are enough for one person", async () => {
  const limited = await createTestApp();
  const [a, b] = await registerFriends(limited.url);
  const socket = await a.connect();
  const setup = () => a.call("setupPrivateCall", { query: { uid: b.id, mode: "voice" } });
  for (let n = 0; n < 10; n++) expect((await setup()).envelope.code).toBe(200);
  expect(await setup()).toMatchObject({ status: 429, envelope: { code: 429 } });
  socket.close();
  await limited[Symbol.asyncDispose]();
});
