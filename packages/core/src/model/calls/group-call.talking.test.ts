import { MessageType } from "@parley/protocol/codes";
import { describe, expect, test } from "vitest";
import {
  ACCEPT,
  ACCEPT_DONE,
  ANN,
  BEAT,
  BOB,
  CALLING,
  CANCELLED,
  CY,
  END,
  FOREIGN,
  GROUP,
  JOIN,
  JOIN_DONE,
  LEAVE,
  ME,
  OPENED,
  RING,
  START,
  TALKING,
  TALKING_AS_HOST,
  accepts,
  after,
  answers,
  device,
  due,
  effectsAfter,
  endAfter,
  failed,
  signalFrom,
  invites,
  joins,
  listRead,
  listed,
  offerTo,
  offers,
  peer,
  peopleAfter,
  personAfter,
  quits,
  rejects,
  repairIn,
  sendsCandidate,
  stateAfter,
  times,
  sentAfter,
} from "../../testing/group-call-inputs.ts";
import { type GroupCallInput, NO_GROUP_CALL } from "./group-call-state.ts";

describe("I am in it", () => {
  test("GC33 group.CHATING.201: a person who accepts is offered a connection", () => {
    expect(effectsAfter(...TALKING, accepts(BOB))).toEqual([...offerTo(BOB), repairIn(BOB, 10_000)]);
    expect(effectsAfter(...TALKING, accepts(BOB), accepts(BOB))).toEqual([]);
  });

  test("GC34 group.CHATING.207: a person who joins is offered a connection, and shown by name", () => {
    expect(effectsAfter(...TALKING, joins(CY))).toEqual([...offerTo(CY), repairIn(CY, 10_000)]);
    expect(personAfter(CY, ...TALKING, joins(CY))).toMatchObject({
      nickName: "N4",
      connection: "connecting",
    });
  });

  test("GC35 group.CHATING.208: an offer gets a connection that takes it, from whomever it comes", () => {
    const [first, ...rest] = effectsAfter(RING, ACCEPT, ACCEPT_DONE, offers(ANN));
    expect(first).toEqual({ kind: "createPeer", userId: ANN });
    expect(rest.map(({ kind }) => kind)).toEqual(["setRepair", "toPeer"]);
    expect(effectsAfter(...TALKING, offers(ANN)).map(({ kind }) => kind)).toEqual(["toPeer"]);
    expect(peopleAfter(...TALKING, offers(CY))).toEqual(["1 connected", "3 called", "4 connecting"]);
    expect(effectsAfter(...TALKING, offers(ME))).toEqual([]);
  });

  test("GC36 group.CHATING.209: an answer goes to its connection, and without one nowhere", () => {
    expect(effectsAfter(...TALKING_AS_HOST, answers(BOB)).map(({ kind }) => kind)).toEqual(["toPeer"]);
    expect(effectsAfter(...TALKING, answers(CY))).toEqual([]);
  });

  test("GC37 group.CHATING.210: a candidate may overtake its offer; one of somebody unknown is nothing", () => {
    expect(effectsAfter(...TALKING, sendsCandidate(ANN)).map(({ kind }) => kind)).toEqual(["toPeer"]);
    const early = effectsAfter(RING, ACCEPT, ACCEPT_DONE, sendsCandidate(ANN));
    expect(early.map(({ kind }) => kind)).toEqual(["createPeer", "setRepair", "toPeer"]);
    expect(effectsAfter(...TALKING, sendsCandidate(CY))).toEqual([]);
    expect(peopleAfter(JOIN, JOIN_DONE, sendsCandidate(CY))).toEqual(["4 connecting"]);
  });

  test("GC38 group.CHATING.repair: both sides repair it after 10 s and then every 5 s, six times, then the connection has failed", () => {
    const asSmaller = { inputs: [...TALKING, accepts(BOB)], other: BOB };
    const asLarger = { inputs: [RING, ACCEPT, ACCEPT_DONE, offers(ANN)], other: ANN };
    for (const { inputs, other } of [asSmaller, asLarger]) {
      expect(effectsAfter(...inputs)).toContainEqual(repairIn(other, 10_000));
      const again = [{ kind: "repair", userId: other }, repairIn(other, 5_000)];
      for (const count of [1, 2, 6])
        expect(effectsAfter(...inputs, ...times(count, due(other)))).toEqual(again);
      expect(effectsAfter(...inputs, ...times(7, due(other)))).toEqual([
        { kind: "closePeer", userId: other },
      ]);
      expect(personAfter(other, ...inputs, ...times(7, due(other)))).toMatchObject({ connection: "failed" });
    }
    // An offer that never came is made by the smaller id, though it came later.
    const noOffer = [
      signalFrom(BOB, MessageType.RTC_GROUP_SETUP, [listed(BOB, true)]),
      ACCEPT,
      ACCEPT_DONE,
      due(BOB),
    ];
    expect(effectsAfter(...noOffer)).toEqual([...offerTo(BOB), repairIn(BOB, 5_000)]);
  });

  test("GC39 group.CHATING.repair: the larger id waits as long for an offer, and a late one is taken all the same", () => {
    const waiting = [RING, ACCEPT, ACCEPT_DONE];
    expect(effectsAfter(...waiting, due(ANN))).toEqual([repairIn(ANN, 5_000)]);
    const over = [...waiting, ...times(7, due(ANN))];
    expect(personAfter(ANN, ...over)).toMatchObject({ connection: "failed" });
    expect(personAfter(ANN, ...over, offers(ANN))).toMatchObject({ connection: "connecting", repairs: 0 });
    // Until the server has let me in, no offer can arrive.
    expect(personAfter(ANN, RING, ACCEPT, ...times(8, due(ANN)))).toMatchObject({ connection: "waiting" });
    // When the smaller id has given up, a candidate means nothing, but a request for an offer means that the other has not given up.
    const given = [...TALKING, accepts(BOB), ...times(7, due(BOB))];
    expect(effectsAfter(...given, sendsCandidate(BOB))).toEqual([]);
    const asks = signalFrom(BOB, MessageType.RTC_GROUP_CANDIDATE, { candidate: "", restart: true });
    expect(effectsAfter(...given, asks).map(({ kind }) => kind)).toEqual([
      "createPeer",
      "setRepair",
      "toPeer",
    ]);
  });

  test("GC40 group.CHATING.206: a person who is called is shown while it rings there", () => {
    expect(effectsAfter(...TALKING, { kind: "invite", userIds: [ANN, CY] })).toEqual([
      { kind: "invite", groupId: GROUP, userIds: [CY] },
    ]);
    expect(peopleAfter(...TALKING, invites(ME, CY))).toEqual(["1 connected", "3 called", "4 called"]);
    expect(peopleAfter(...TALKING, invites(BOB, ANN))).toEqual(["1 connected", "3 called"]);
  });

  test("GC41 group.CHATING.202: a person who rejects is out, and that is shown", () => {
    expect(effectsAfter(...TALKING, rejects(BOB))).toEqual([
      {
        kind: "personLeft",
        groupId: GROUP,
        people: [{ userId: BOB, nickName: "N3" }],
        why: "rejected",
        reason: "",
      },
    ]);
  });

  test("GC42 group.CHATING.203: a person who does not come, or is no longer a member, is out with the reason", () => {
    expect(effectsAfter(...TALKING, failed([BOB, CY]))).toEqual([
      {
        kind: "personLeft",
        groupId: GROUP,
        people: [{ userId: BOB, nickName: "N3" }],
        why: "failed",
        reason: "未进入通话",
      },
    ]);
    expect(effectsAfter(...TALKING, failed([CY]))).toEqual([]);
    // People whom I have invited and who are busy were never shown.
    expect(effectsAfter(...TALKING, failed([BOB, CY], "用户正忙", ME))).toMatchObject([
      { kind: "personLeft", people: [{ userId: BOB }] },
      { kind: "personLeft", people: [{ userId: CY, nickName: "" }], why: "failed", reason: "用户正忙" },
    ]);
    expect(effectsAfter(RING, failed([CY], "用户正忙", ME))).toEqual([]);
    expect(endAfter(...TALKING, failed([ME]))).toEqual({ kind: "ended" });
    expect(endAfter(...TALKING, failed([ME], "已不在群聊"))).toEqual({ kind: "removed" });
  });

  test("GC43 group.CHATING.205: the connection with a person who quits is closed, and that is shown", () => {
    expect(effectsAfter(...TALKING, quits(ANN))).toEqual([
      { kind: "clearRepair", userId: ANN },
      { kind: "closePeer", userId: ANN },
      {
        kind: "personLeft",
        groupId: GROUP,
        people: [{ userId: ANN, nickName: "N1" }],
        why: "quit",
        reason: "",
      },
    ]);
    expect(effectsAfter(...TALKING, quits(ME))).toEqual([]);
  });

  test("GC44 group.CHATING.204: the call has ended", () => {
    expect(endAfter(...TALKING, CANCELLED)).toEqual({ kind: "ended" });
    expect(sentAfter(...TALKING, CANCELLED)).toEqual([]);
  });

  test("GC45 group.CHATING.alone: with nobody in it and nobody called I quit", () => {
    expect(stateAfter(...TALKING, quits(ANN))).toBe("talking");
    expect(endAfter(...TALKING, quits(ANN), rejects(BOB))).toEqual({ kind: "ended" });
    expect(sentAfter(...TALKING, quits(ANN), rejects(BOB))).toEqual(["quit"]);
    expect(effectsAfter(...TALKING, rejects(BOB), quits(ANN))).toContainEqual(
      expect.objectContaining({ kind: "personLeft", people: [{ userId: ANN, nickName: "N1" }], why: "quit" }),
    );
    expect(endAfter(JOIN, JOIN_DONE, listRead(listed(ME, true)))).toEqual({ kind: "ended" });
    expect(endAfter(RING, rejects(BOB), ACCEPT, quits(ANN), ACCEPT_DONE)).toEqual({ kind: "ended" });
  });

  test("GC46 group.CHATING.211: camera, microphone and shared screen of somebody follow their signal", () => {
    expect(personAfter(ANN, ...TALKING, device(ANN, true, false))).toMatchObject({
      isCamera: true,
      isMicroPhone: false,
      isShareScreen: false,
    });
    const sharing = [...TALKING, device(ANN, true, true, true)];
    expect(personAfter(ANN, ...sharing)).toMatchObject({ isCamera: true, isShareScreen: true });
    // A client that knows no shared screens says nothing of them.
    expect(personAfter(ANN, ...sharing, device(ANN, true, true))).toMatchObject({ isShareScreen: false });
    expect(after(...TALKING, device(CY, true, true)).call).toEqual(after(...TALKING).call);
  });

  test("GC47 group.CHATING.lost: after 2 s the connection with this person is restarted, by the smaller id at once", () => {
    const shaky = [...TALKING_AS_HOST, peer(BOB, "disconnected")];
    expect(effectsAfter(...shaky)).toEqual([repairIn(BOB, 2_000)]);
    expect(effectsAfter(...shaky, peer(BOB, "connected"))).toEqual([{ kind: "clearRepair", userId: BOB }]);
    const restarts = [{ kind: "reconnectSocket" }, { kind: "restart", userId: BOB }, repairIn(BOB, 5_000)];
    expect(effectsAfter(...shaky, due(BOB))).toEqual(restarts);
    expect(effectsAfter(...TALKING_AS_HOST, peer(BOB, "failed"))).toEqual(restarts);
    // Ann's id is smaller.
    expect(effectsAfter(...TALKING, peer(ANN, "failed"))).toEqual([
      { kind: "reconnectSocket" },
      repairIn(ANN, 2_000),
    ]);
    expect(effectsAfter(...TALKING, peer(ANN, "failed"), due(ANN))).toEqual([
      { kind: "restart", userId: ANN },
      repairIn(ANN, 5_000),
    ]);
  });

  test("GC48 group.CHATING.lost: after 30 s it has failed, without an end of the call", () => {
    const lost = [...TALKING_AS_HOST, peer(BOB, "failed")];
    expect(personAfter(BOB, ...lost, ...times(6, due(BOB)))).toMatchObject({ connection: "reconnecting" });
    const over = [...lost, ...times(7, due(BOB))];
    expect(effectsAfter(...over)).toEqual([{ kind: "closePeer", userId: BOB }]);
    expect(personAfter(BOB, ...over)).toMatchObject({ connection: "failed" });
    expect(personAfter(BOB, ...over, peer(BOB, "connected"))).toMatchObject({ connection: "failed" });
  });

  test("GC49 group.CHATING.online: when the network comes back, every connection is restarted or made again", () => {
    const lost = [...TALKING_AS_HOST, accepts(ANN), ...times(7, due(ANN))];
    expect(effectsAfter(...lost, { kind: "networkChanged" })).toEqual([
      { kind: "reconnectSocket" },
      ...offerTo(ANN),
      repairIn(ANN, 10_000),
      { kind: "restart", userId: BOB },
    ]);
  });

  test("GC50 group.CHATING.quit: the server is told, also when the page closes", () => {
    expect(sentAfter(...TALKING, END)).toEqual(["quit"]);
    expect(endAfter(...TALKING, END)).toBeNull();
    expect(sentAfter(...TALKING, LEAVE)).toEqual(["quit"]);
    expect(sentAfter(...TALKING_AS_HOST, END)).toEqual(["quit"]);
  });

  test("GC51 group.CHATING.ended: the server no longer has me in the call", () => {
    expect(endAfter(...TALKING, { kind: "ended", groupId: GROUP })).toEqual({ kind: "ended" });
    expect(stateAfter(RING, ACCEPT, { kind: "ended", groupId: GROUP })).toBe("talking");
    expect(stateAfter(...TALKING, { kind: "ended", groupId: FOREIGN })).toBe("talking");
  });
});

describe("any state", () => {
  test("GC72 group.ANY.online: a heartbeat follows at once, because the end may have been missed", () => {
    const online: GroupCallInput = { kind: "online" };
    for (const state of [CALLING, [RING], TALKING])
      expect(effectsAfter(...state, online).slice(0, 2)).toEqual(effectsAfter(...state, BEAT));
    // The server does not know of it yet.
    expect(effectsAfter(JOIN, online)).toEqual([]);
    expect(effectsAfter(online)).toEqual([]);
  });

  test("GC73 group.CHATING.online: the list of people is read again, and those who have come are offered a connection", () => {
    const online: GroupCallInput = { kind: "online" };
    const asked = [...TALKING, online];
    expect(effectsAfter(...asked)).toContainEqual({ kind: "readList", groupId: GROUP });
    const bobCame = listRead(listed(ANN, true), listed(ME, true), listed(BOB, true));
    expect(effectsAfter(...asked, bobCame)).toEqual([...offerTo(BOB), repairIn(BOB, 10_000)]);
    const annLeft = listRead(listed(ME, true), listed(BOB));
    expect(peopleAfter(...asked, annLeft)).toEqual(["3 called"]);
    expect(effectsAfter(...asked, annLeft)).toContainEqual({ kind: "closePeer", userId: ANN });
    const bobDeclined = listRead(listed(ANN, true), listed(ME, true));
    expect(peopleAfter(...asked, bobDeclined)).toEqual(["1 connected"]);
    // Signals that arrive while the list is read are newer than the list.
    expect(peopleAfter(...asked, joins(CY), bobDeclined)).toEqual(["1 connected", "4 connecting"]);
    expect(endAfter(...asked, listRead(listed(ME, true)))).toEqual({ kind: "ended" });
    // Those who have come since the server has let me in, and before the login.
    for (const [enters, done] of [
      [[RING, ACCEPT], ACCEPT_DONE],
      [[JOIN], JOIN_DONE],
    ] as const)
      expect(effectsAfter(...enters, online, done)).toContainEqual({ kind: "readList", groupId: GROUP });
    // A list that could not be read is asked for again.
    const failedToRead: GroupCallInput = { kind: "listFailed", groupId: GROUP };
    expect(peopleAfter(...asked, failedToRead, BEAT, annLeft)).toEqual(["3 called"]);
  });

  test("GC73 group.CHATING.online: a list that was asked for before another login is asked for again after its answer", () => {
    const online: GroupCallInput = { kind: "online" };
    const ask = { kind: "readList", groupId: GROUP };
    const twice = [...TALKING, online, online];
    expect(effectsAfter(...twice)).not.toContainEqual(ask);
    const before = listRead(listed(ANN, true), listed(ME, true));
    expect(effectsAfter(...twice, before)).toContainEqual(ask);
    const bobCame = listRead(listed(ANN, true), listed(ME, true), listed(BOB, true));
    expect(effectsAfter(...twice, before, bobCame)).toEqual([...offerTo(BOB), repairIn(BOB, 10_000)]);
    const first: GroupCallInput[] = [JOIN, JOIN_DONE, online];
    expect(effectsAfter(...first, before)).toContainEqual(ask);
    expect(peopleAfter(...first, before, listRead(listed(BOB, true), listed(ME, true)))).toEqual([
      "3 connecting",
    ]);
  });

  test("GC74 group.CHATING.online: what is being made is offered again by the smaller id; the larger one asks for it", () => {
    const online: GroupCallInput = { kind: "online" };
    const waiting = [RING, ACCEPT, ACCEPT_DONE];
    expect(effectsAfter(...waiting, online).slice(3)).toEqual([
      { kind: "createPeer", userId: ANN },
      { kind: "restart", userId: ANN },
      repairIn(ANN, 10_000),
    ]);
    expect(effectsAfter(...CALLING, accepts(BOB), online).slice(3)).toEqual([
      { kind: "restart", userId: BOB },
    ]);
    const joined = [JOIN, JOIN_DONE, listRead(listed(BOB, true), listed(ME, true))];
    expect(effectsAfter(...joined, online).slice(3)).toEqual([...offerTo(BOB), repairIn(BOB, 10_000)]);
    expect(effectsAfter(...TALKING, online)).not.toContainEqual({ kind: "restart", userId: ANN });
  });

  test("GC75 group.READY.online: a person who has come while the socket was away makes it a talk, and without anybody it is over", () => {
    const asked: GroupCallInput[] = [...CALLING, { kind: "online" }];
    const bobCame = listRead(listed(ME, true), listed(ANN), listed(BOB, true));
    expect(stateAfter(...asked, bobCame)).toBe("talking");
    expect(peopleAfter(...asked, bobCame)).toEqual(["1 called", "3 connecting"]);
    expect(effectsAfter(...asked, bobCame)).toContainEqual({ kind: "stopRing" });
    expect(stateAfter(...asked, listRead(listed(ME, true), listed(ANN)))).toBe("calling");
    expect(peopleAfter(...asked, listRead(listed(ME, true), listed(ANN)))).toEqual(["1 called"]);
    const nobody = listRead(listed(ME, true));
    expect(endAfter(...asked, nobody)).toEqual({ kind: "noAnswer" });
  });

  test("GC52 group.ANY.heartbeat: every 15 s the server hears from this client", () => {
    for (const state of [CALLING, [RING], TALKING]) {
      expect(effectsAfter(...state, BEAT)).toEqual([
        { kind: "heartbeat", groupId: GROUP },
        { kind: "setTimer", timer: "heartbeat", ms: 15_000 },
      ]);
    }
  });

  test("GC53 group.ANY.200: the call of another group learns that I am busy", () => {
    const other = signalFrom(CY, MessageType.RTC_GROUP_SETUP, [listed(CY, true), listed(ME)], FOREIGN);
    for (const state of [[START], CALLING, [RING], TALKING]) {
      expect(effectsAfter(...state, other)).toEqual([
        { kind: "tell", what: "failed", groupId: FOREIGN, reason: "对方正忙" },
      ]);
      expect(after(...state, other).call).toEqual(after(...state).call);
    }
  });

  test("GC54 group.ANY.close: what comes after the end changes nothing", () => {
    for (const input of [END, LEAVE, OPENED, CANCELLED, due(ANN), BEAT, peer(ANN, "failed")]) {
      expect(after(...TALKING, END, input)).toEqual({ call: NO_GROUP_CALL, effects: [] });
    }
  });

  test("GC55 group.ANY.start: nobody starts, joins or accepts a second call", () => {
    for (const state of [CALLING, TALKING]) {
      for (const input of [START, JOIN, ACCEPT]) expect(effectsAfter(...state, input)).toEqual([]);
    }
  });
});
