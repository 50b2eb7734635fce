import { describe, expect, test } from "vitest";
import { MessageType } from "@parley/protocol/codes";
import { befriend, registerPerson, sendText, type TestPerson } from "../../testing/test-person.ts";
import {
  CANCELLED,
  REJECTED,
  RING,
  accept,
  advance,
  call,
  callee,
  calleeTab,
  client,
  expectEnd,
  expectFree,
  host,
  hostTab,
  notConnected,
  open,
  records,
  server,
  signals,
  type Client,
  uidOf,
  usePrivateCallClients,
} from "../../testing/private-call-clients.ts";

const {
  RTC_SETUP_VOICE,
  RTC_ACCEPT,
  RTC_REJECT,
  RTC_CANCEL,
  RTC_FAILED,
  RTC_HANDUP,
  RTC_OFFER,
  RTC_ANSWER,
  RTC_CANDIDATE,
} = MessageType;

usePrivateCallClients();

/** An object in an object, and so on. */
const nested = (levels: number): Record<string, unknown> => (levels === 1 ? {} : { a: nested(levels - 1) });

describe("PS1 private.setup", () => {
  test("no session: it rings on every client of the callee, with the type of its mode", async () => {
    await call("voice");
    expect(await signals(callee)).toEqual([[RTC_SETUP_VOICE, "other"]]);
    expect(await signals(calleeTab)).toEqual([[RTC_SETUP_VOICE, "other"]]);
    expect([...(await signals(host)), ...(await signals(hostTab))]).toEqual([]);
  });

  test("no session: refused without a socket, to oneself, to strangers and to people who have blocked the caller", async () => {
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

  test("RINGING, again from the same client: it is told again, in case that nobody was", async () => {
    await call();
    await call();
    expect(await signals(callee)).toEqual([RING, RING]);
  });

  test("RINGING, again from the same client that has lost its socket: it is told again, and another call is refused", async () => {
    await call();
    const own = server.app.store;
    host.socket.ws.terminate();
    hostTab.socket.ws.terminate();
    await Promise.all([host.socket.closed, hostTab.socket.closed]);
    await expect
      .poll(async () => (await own.findCallMember(host.person.id))?.detachedAt ?? null)
      .not.toBeNull();
    const input = { query: { uid: callee.person.id, mode: "voice" } } as const;
    await expect.poll(() => host.person.errorKeyOf("setupPrivateCall", input)).toBe("call.offline");
    await call();
    expect(await signals(callee)).toEqual([RING, RING]);
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
      // A client that has got no answer asks again, and that is no second call.
      const records = async () =>
        (await third.ok("privateHistory", { query: { friendId: callee.person.id, size: 50 } })).filter(
          ({ act }) => act?.result === "busy",
        ).length;
      const recorded = await records();
      expect(await third.errorKeyOf("setupPrivateCall", input)).toBe("call.busy");
      expect(await records()).toBe(recorded);
      // The running call is not disturbed.
      expect(await server.app.store.findCallMember(callee.person.id)).toMatchObject({
        callKey: `p${host.person.id}`,
      });
    },
  );

  test("TALKING, by a third person who asks again after the clock was ahead: one missed call", async () => {
    await call();
    await accept();
    const third = await registerPerson(server.url);
    await befriend(third, callee.person);
    open.push(await third.connect());
    const input = { query: { uid: callee.person.id, mode: "voice" } } as const;
    const aheadMs = 20_000;
    server.clock.advance(aheadMs);
    expect(await third.errorKeyOf("setupPrivateCall", input)).toBe("call.busy");
    server.clock.advance(-aheadMs);
    await sendText(host.person, callee.person, "the clock is right again");
    expect(await third.errorKeyOf("setupPrivateCall", input)).toBe("call.busy");
    const history = await third.ok("privateHistory", { query: { friendId: callee.person.id, size: 50 } });
    expect(history.filter(({ act }) => act?.result === "busy")).toHaveLength(1);
  });

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

describe("PS2 private.accept", () => {
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

  test("PS7 PS9 RINGING, by a client that takes held offers: it gets the last one and the candidates", async () => {
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

  describe("PS8 RINGING, with an answer to the offer that came while it rang", () => {
    const offer = { type: "offer", sdp: "early" };
    const answer = { type: "answer", sdp: "prepared" };
    const candidate = { candidate: "of the callee" };
    const offerOf = (body: object) =>
      host.person.ok("sendPrivateOffer", { ...uidOf(callee), body: { ...body } });
    const EARLY = [RTC_OFFER, "other", JSON.stringify(offer)];
    const acceptWith = (by: Client) =>
      by.person.ok("acceptPrivateCall", {
        query: { uid: host.person.id, held: "1" },
        body: { answer, candidates: [candidate] },
      });

    test("clients that declare it get the offer, also those that come later, and the candidates with the accept", async () => {
      const phone = await client(callee.person, "phone", ["rtcEarlyOffer"]);
      await call();
      await offerOf(offer);
      await host.person.ok("sendPrivateCandidate", { ...uidOf(callee), body: { candidate: "of the host" } });
      const late = await client(callee.person, "late", ["rtcEarlyOffer"]);
      expect(await signals(phone)).toEqual([RING, EARLY]);
      expect(await signals(late)).toEqual([RING, EARLY]);
      expect(await signals(callee)).toEqual([RING]);
      await acceptWith(phone);
      expect(await signals(host)).toEqual([
        [RTC_ACCEPT, "other", "held"],
        [RTC_ANSWER, "other", JSON.stringify(answer)],
        [RTC_CANDIDATE, "other", JSON.stringify(candidate)],
      ]);
      expect(await signals(phone)).toEqual([
        RING,
        EARLY,
        [RTC_CANDIDATE, "other", '{"candidate":"of the host"}'],
      ]);
      expect(await signals(late)).toEqual([RING, EARLY, [RTC_ACCEPT, "own"]]);
    });

    test("an answer to an offer that was replaced is dropped, and the client gets the new offer", async () => {
      const newer = { type: "offer", sdp: "newer" };
      const phone = await client(callee.person, "phone", ["rtcEarlyOffer"]);
      await call();
      await offerOf(offer);
      await offerOf(newer);
      await acceptWith(phone);
      expect(await signals(host)).toEqual([[RTC_ACCEPT, "other", "held"]]);
      expect(await signals(phone)).toEqual([RING, EARLY, [RTC_OFFER, "other", JSON.stringify(newer)]]);
    });

    test("an answer without an offer is dropped", async () => {
      await call();
      await acceptWith(callee);
      expect(await signals(host)).toEqual([[RTC_ACCEPT, "other"]]);
    });

    test("a body that holds something else is refused, and it rings on", async () => {
      await call();
      const query = { uid: host.person.id };
      const refused = (body: unknown) =>
        callee.person.errorKeyOf("acceptPrivateCall", { query, body: body as undefined });
      expect(await refused({ answer: "v=0" })).toBe("request.malformed");
      expect(await refused({ answer, candidates: Array.from({ length: 65 }, () => candidate) })).toBe(
        "request.malformed",
      );
      expect(await refused([])).toBe("request.malformed");
      expect(await refused({ answer, candidates: [nested(1_000)] })).toBe("request.malformed");
      await callee.person.ok("acceptPrivateCall", { query, body: {} });
    });
  });

  test("TALKING: again from the same client the host is told again, in case that it was not, another one learns that it was answered, the host is refused", async () => {
    await call();
    await accept(callee, "1");
    await accept(callee, "1");
    expect(await signals(host)).toEqual([
      [RTC_ACCEPT, "other"],
      [RTC_ACCEPT, "other"],
    ]);
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

describe("PS3 PS4 PS5 private.reject, private.cancel, private.handup", () => {
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

describe("PS6 private.failed", () => {
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

  test("RINGING, by a client that says it again and again: it is kept once, and the others ring on", async () => {
    await call();
    for (let n = 0; n < 3; n++) await fail(callee, host);
    const failedClients = async () =>
      (await server.app.store.findCallMember(callee.person.id))?.failedClients ?? [];
    expect(await failedClients()).toHaveLength(1);
    for (let n = 0; n < 30; n++) await fail({ ...callee, person: callee.person.tab(`invented ${n}`) }, host);
    expect((await failedClients()).length).toBeLessThanOrEqual(20);
    await accept(calleeTab);
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

describe("PS7 PS8 PS9 private.offer, private.answer, private.candidate", () => {
  const RELAYS = ["sendPrivateOffer", "sendPrivateAnswer", "sendPrivateCandidate"] as const;
  const body = { type: "x", sdp: "v=0\r\n" };

  test.each(RELAYS)("no session: %s learns that the call has ended", async (name) => {
    expect(await host.person.errorKeyOf(name, { ...uidOf(callee), body })).toBe("call.ended");
  });

  test.each(RELAYS)("RINGING: %s by the callee is refused", async (name) => {
    await call();
    expect(await callee.person.errorKeyOf(name, { ...uidOf(host), body })).toBe("call.ended");
  });

  test.each(["sendPrivateOffer", "sendPrivateCandidate"] as const)(
    "RINGING: %s by another client of the host is refused, and the callee gets that of the calling one",
    async (name) => {
      await call();
      await host.person.ok(name, { ...uidOf(callee), body });
      const late = { ...uidOf(callee), body: { type: "x", sdp: "late" } };
      expect(await hostTab.person.errorKeyOf(name, late)).toBe("call.ended");
      await host.person.ok("sendPrivateOffer", { ...uidOf(callee), body });
      await accept(callee, "1");
      expect(JSON.stringify(await signals(callee))).not.toContain("late");
    },
  );

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

  test.each(RELAYS)("TALKING: %s of thousands of levels is refused, one of eight passed on", async (name) => {
    await call();
    await accept();
    expect(await host.person.errorKeyOf(name, { ...uidOf(callee), body: nested(1_000) })).toBe(
      "request.malformed",
    );
    await host.person.ok(name, { ...uidOf(callee), body: nested(8) });
    expect((await signals(callee)).at(-1)).toContain(JSON.stringify(nested(8)));
  });

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
