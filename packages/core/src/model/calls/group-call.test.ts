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
  FAILURE,
  GROUP,
  GUARD,
  JOIN,
  JOIN_DONE,
  LEAVE,
  ME,
  OPENED,
  RING,
  SETUP_DONE,
  START,
  TALKING,
  accepts,
  after,
  answers,
  device,
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
  peopleAfter,
  personAfter,
  quits,
  refused,
  rejects,
  repairIn,
  stateAfter,
  sentAfter,
} from "../../testing/group-call-inputs.ts";
import type { GroupCallInput } from "./group-call-state.ts";

describe("no call", () => {
  test("GC1 group.INIT.start: the devices are opened without the camera, then it rings at the members, for 35 s at most", () => {
    expect(effectsAfter(START)).toEqual([{ kind: "openDevices", withCamera: false }]);
    expect(effectsAfter(START, OPENED)).toEqual([
      { kind: "setup", groupId: GROUP, userIds: [ANN, BOB] },
      { kind: "ring", which: "outgoing" },
      { kind: "setTimer", timer: "ring", ms: 35_000 },
      { kind: "setTimer", timer: "heartbeat", ms: 15_000 },
    ]);
    expect(after(START, OPENED).call).toMatchObject({ stage: "calling", hostId: ME, groupId: GROUP });
    expect(peopleAfter(START, OPENED)).toEqual(["1 called", "3 called"]);
  });

  test("GC2 group.INIT.start: without a microphone nothing is sent, and without members nothing happens", () => {
    expect(endAfter(START, { kind: "devicesOpened", problem: "denied" })).toEqual({
      kind: "microphone",
      problem: "denied",
    });
    expect(sentAfter(START, { kind: "devicesOpened", problem: "denied" })).toEqual([]);
    expect(stateAfter({ kind: "start", groupId: GROUP, userIds: [ME], support: "ok" })).toBe("closed");
    expect(endAfter(START, END)).toBeNull();
    expect(sentAfter(START, END)).toEqual([]);
  });

  test("GC3 group.INIT.start: a page that cannot call says why", () => {
    const insecure = { kind: "notSupported", isInsecure: true };
    expect(endAfter({ kind: "start", groupId: GROUP, userIds: [ANN], support: "insecure" })).toEqual(
      insecure,
    );
    expect(endAfter({ kind: "join", groupId: GROUP, support: "unsupported" })).toEqual({
      ...insecure,
      isInsecure: false,
    });
  });

  test("GC4 group.INIT.200: it rings here with the caller and the list of people", () => {
    expect(after(RING).call).toMatchObject({ stage: "ringing", groupId: GROUP, hostId: ANN });
    expect(personAfter(ANN, RING)).toMatchObject({ nickName: "N1", isIn: true });
    expect(personAfter(BOB, RING)).toMatchObject({ isIn: false });
    expect(effectsAfter(RING)).toEqual([
      { kind: "ring", which: "incoming" },
      { kind: "setTimer", timer: "ring", ms: 35_000 },
      { kind: "setTimer", timer: "heartbeat", ms: 15_000 },
    ]);
  });

  test("GC5 group.INIT.200: a device that cannot call says so, and what I have sent elsewhere does not ring here", () => {
    const cannot = RING.kind === "signal" ? { ...RING, canCall: false } : RING;
    expect(effectsAfter(cannot)).toEqual([
      { kind: "tell", what: "failed", groupId: GROUP, reason: "device does not support calling" },
    ]);
    expect(stateAfter(cannot)).toBe("closed");
    expect(stateAfter(signalFrom(ME, MessageType.RTC_GROUP_SETUP, [listed(ME, true)]))).toBe("closed");
  });

  test("GC6 group.INIT.join: the devices open while the server is asked to let me in, then it says who is in", () => {
    expect(effectsAfter(JOIN)).toEqual([
      { kind: "join", groupId: GROUP },
      { kind: "openDevices", withCamera: false },
    ]);
    expect(effectsAfter(JOIN, JOIN_DONE)).toEqual([
      { kind: "setTimer", timer: "heartbeat", ms: 15_000 },
      { kind: "readList", groupId: GROUP },
    ]);
    const joined = [JOIN, JOIN_DONE, listRead(listed(ANN, true), listed(ME, true), listed(BOB))];
    expect(after(...joined).call).toMatchObject({ stage: "talking", hostId: ANN });
    expect(peopleAfter(...joined)).toEqual(["1 waiting", "3 called"]);
    expect(effectsAfter(...joined)).toEqual([repairIn(ANN, 10_000)]);
  });

  test("GC7 group.INIT.join: a refusal is shown; a missing microphone is not the end", () => {
    expect(endAfter(JOIN, refused("join"))).toEqual({ kind: "refused", failure: FAILURE });
    expect(sentAfter(JOIN, refused("join"))).toEqual([]);
    expect(sentAfter(JOIN, refused("join", true))).toEqual(["quit"]);
    expect(stateAfter(JOIN, { kind: "devicesOpened", problem: "missing" })).toBe("talking");
  });

  test("GC70 group.INIT.join: pressed in the moment in which I am called, it ends in the call, once", () => {
    // It does not ring, and nothing is accepted besides.
    expect(effectsAfter(JOIN, RING)).toEqual([]);
    expect(effectsAfter(JOIN, RING, JOIN_DONE)).toEqual(effectsAfter(JOIN, JOIN_DONE));
    expect(effectsAfter(JOIN, JOIN_DONE, RING)).toEqual([]);
    expect(stateAfter(JOIN, RING, JOIN_DONE, RING, listRead(listed(ANN, true)))).toBe("talking");
    // Pressing while it rings accepts; pressing again does nothing.
    expect(effectsAfter(RING, JOIN)).toEqual(effectsAfter(RING, ACCEPT));
    expect(effectsAfter(RING, JOIN, JOIN)).toEqual([]);
  });

  test("GC71 group.INIT.join: refused because that call is over, it accepts the next one, which rings here by now", () => {
    const accepting = [JOIN, RING, refused("join")];
    expect(effectsAfter(...accepting)).toEqual([{ kind: "accept", groupId: GROUP }]);
    expect(stateAfter(...accepting)).toBe("talking");
    expect(effectsAfter(...accepting, ACCEPT_DONE)).toEqual(effectsAfter(JOIN, JOIN_DONE));
    expect(endAfter(...accepting, refused("accept"))).toEqual({ kind: "refused", failure: FAILURE });
    // An answer that does not come says nothing of the call.
    expect(endAfter(JOIN, RING, refused("join", true))).toEqual({ kind: "refused", failure: FAILURE });
    // The next one is over as well.
    expect(stateAfter(JOIN, RING, CANCELLED, refused("join"))).toBe("closed");
    // It rings after the refusal: nobody is in a call yet.
    expect(stateAfter(JOIN, refused("join"), RING)).toBe("ringing");
  });

  test("GC8 group.INIT.join: what signals say while the list is asked for is newer than the list", () => {
    const asked = [JOIN, JOIN_DONE, offers(ANN), quits(BOB), joins(CY), device(CY, true, false)];
    const read = listRead(listed(ANN, true), listed(BOB, true), listed(CY, false));
    expect(peopleAfter(...asked, read)).toEqual(["1 connecting", "4 connecting"]);
    expect(personAfter(ANN, ...asked, read)).toMatchObject({ nickName: "N1" });
    expect(personAfter(CY, ...asked, read)).toMatchObject({ isCamera: true, isMicroPhone: false });
    const sharing = listRead({ ...listed(ANN, true), isShareScreen: true });
    expect(personAfter(ANN, JOIN, JOIN_DONE, sharing)).toMatchObject({ isShareScreen: true });
  });

  test("GC9 group.INIT.join: a list that could not be read is asked for again by the heartbeat or the next login of the socket", () => {
    const unread: GroupCallInput[] = [JOIN, JOIN_DONE, { kind: "listFailed", groupId: GROUP }];
    const ask = { kind: "readList", groupId: GROUP };
    expect(effectsAfter(...unread, BEAT)).toContainEqual(ask);
    expect(effectsAfter(...unread, { kind: "online" })).toContainEqual(ask);
    expect(effectsAfter(...TALKING, BEAT)).not.toContainEqual(ask);
    const over: GroupCallInput = {
      kind: "listRead",
      groupId: GROUP,
      list: { isChating: false, hostId: null, people: [] },
    };
    expect(endAfter(JOIN, JOIN_DONE, over)).toEqual({ kind: "ended" });
  });
});

describe("I have started it", () => {
  test("GC10 group.READY.201: the ringing stops, and the first one who comes is offered a connection", () => {
    expect(stateAfter(...CALLING, accepts(BOB))).toBe("talking");
    expect(effectsAfter(...CALLING, accepts(BOB))).toEqual([
      { kind: "stopRing" },
      { kind: "clearTimer", timer: "ring" },
      ...offerTo(BOB),
      repairIn(BOB, 10_000),
    ]);
    expect(peopleAfter(...CALLING, accepts(BOB))).toEqual(["1 called", "3 connecting"]);
  });

  test("GC11 group.READY.201: it may come before the answer to the setup; somebody who joins counts as well", () => {
    expect(after(START, OPENED, accepts(BOB)).call).toMatchObject({ stage: "talking", isConfirmed: true });
    expect(stateAfter(START, OPENED, accepts(BOB), refused("setup", true))).toBe("talking");
    expect(peopleAfter(...CALLING, joins(CY))).toEqual(["1 called", "3 called", "4 connecting"]);
  });

  test("GC12 group.READY.quit: the call is cancelled", () => {
    expect(sentAfter(...CALLING, END)).toEqual(["cancel"]);
    expect(endAfter(...CALLING, END)).toEqual({ kind: "cancelled" });
    expect(sentAfter(...CALLING, LEAVE)).toEqual(["cancel"]);
    expect(endAfter(...CALLING, LEAVE)).toBeNull();
  });

  test("GC13 group.READY.quit: a setup that the server does afterwards, or may have done, is cancelled", () => {
    expect(sentAfter(START, OPENED, END, refused("setup", true))).toEqual(["cancel"]);
    expect(sentAfter(START, OPENED, END, refused("setup"))).toEqual([]);
    expect(effectsAfter(START, OPENED, END, SETUP_DONE)).toEqual([
      { kind: "tell", what: "cancel", groupId: GROUP },
    ]);
    expect(sentAfter(START, OPENED, END, START, SETUP_DONE)).toEqual(["cancel"]);
  });

  test("GC14 group.READY.202: a person who rejects is out; it ends with the last one", () => {
    expect(effectsAfter(...CALLING, rejects(ANN))).toEqual([
      {
        kind: "personLeft",
        groupId: GROUP,
        people: [{ userId: ANN, nickName: "" }],
        why: "rejected",
        reason: "",
      },
    ]);
    expect(endAfter(...CALLING, rejects(ANN), rejects(BOB))).toEqual({ kind: "rejected" });
  });

  test("GC15 group.READY.203: a person who does not come is out; with the last ones it ends, and they are named with the reason", () => {
    // The server sends it in my name: only I learn who is busy.
    expect(peopleAfter(...CALLING, failed([BOB], "用户正忙", ME))).toEqual(["1 called"]);
    expect(endAfter(...CALLING, failed([ANN, BOB]))).toEqual({ kind: "noAnswer" });
    expect(effectsAfter(...CALLING, failed([ANN, BOB]))).toContainEqual(
      expect.objectContaining({ kind: "personLeft", why: "failed", reason: "未进入通话" }),
    );
  });

  test("GC16 group.READY.204: it is over", () => {
    expect(endAfter(...CALLING, CANCELLED)).toEqual({ kind: "ended" });
  });

  test("GC17 group.READY.guard: after 35 s without an answer it is cancelled; a person who is called later gets as long", () => {
    expect(sentAfter(...CALLING, GUARD)).toEqual(["cancel"]);
    expect(endAfter(...CALLING, GUARD)).toEqual({ kind: "noAnswer" });
    expect(effectsAfter(...CALLING, { kind: "invite", userIds: [BOB, CY] })).toEqual([
      { kind: "invite", groupId: GROUP, userIds: [CY] },
    ]);
    expect(effectsAfter(...CALLING, invites(ME, CY))).toEqual([
      { kind: "setTimer", timer: "ring", ms: 35_000 },
    ]);
  });

  test("GC18 group.READY.refused: the refusal is shown; what the server may have done is cancelled", () => {
    expect(endAfter(START, OPENED, refused("setup"))).toEqual({ kind: "refused", failure: FAILURE });
    expect(sentAfter(START, OPENED, refused("setup"))).toEqual([]);
    expect(sentAfter(START, OPENED, refused("setup", true))).toEqual(["cancel"]);
  });

  test("GC19 group.READY.200: somebody else has started it at the same time and has won, so it rings here", () => {
    expect(stateAfter(START, RING)).toBe("ringing");
    expect(effectsAfter(START, OPENED, RING).slice(0, 3)).toEqual([
      { kind: "closeDevices" },
      { kind: "stopRing" },
      { kind: "ring", which: "incoming" },
    ]);
    expect(stateAfter(START, OPENED, RING, refused("setup"))).toBe("ringing");
    expect(stateAfter(...CALLING, RING)).toBe("calling");
  });

  test("GC20 group.READY.208: an offer shows that its sender is in", () => {
    expect(peopleAfter(...CALLING, offers(BOB))).toEqual(["1 called", "3 connecting"]);
    expect(stateAfter(...CALLING, answers(BOB))).toBe("calling");
  });
});

describe("it rings here", () => {
  test("GC21 group.WAITING.accept: the server is told while the devices open, and those who are in will offer", () => {
    expect(effectsAfter(RING, { kind: "accept", withCamera: true })).toEqual([
      { kind: "stopRing" },
      { kind: "clearTimer", timer: "ring" },
      { kind: "accept", groupId: GROUP },
      { kind: "openDevices", withCamera: true },
      repairIn(ANN, 10_000),
    ]);
    expect(peopleAfter(RING, ACCEPT)).toEqual(["1 waiting", "3 called"]);
    expect(effectsAfter(RING, ACCEPT, ACCEPT_DONE)).toEqual([
      { kind: "setTimer", timer: "heartbeat", ms: 15_000 },
    ]);
    expect(stateAfter(RING, JOIN)).toBe("talking");
  });

  test("GC22 group.WAITING.accept: a refusal is shown", () => {
    expect(endAfter(RING, ACCEPT, refused("accept"))).toEqual({ kind: "refused", failure: FAILURE });
    expect(sentAfter(RING, ACCEPT, refused("accept", true))).toEqual(["quit"]);
    expect(sentAfter(RING, ACCEPT, END, ACCEPT_DONE)).toEqual(["quit"]);
    expect(sentAfter(RING, ACCEPT, END, refused("accept"))).toEqual([]);
  });

  test("GC23 group.WAITING.accept: a person who comes before the answer may have come after me, and gets an offer with it", () => {
    expect(peopleAfter(RING, ACCEPT, accepts(BOB))).toEqual(["1 waiting", "3 waiting"]);
    expect(effectsAfter(RING, ACCEPT, accepts(BOB), ACCEPT_DONE)).toEqual([
      ...offerTo(BOB),
      repairIn(BOB, 10_000),
      { kind: "setTimer", timer: "heartbeat", ms: 15_000 },
    ]);
    // Their offer was faster.
    expect(effectsAfter(RING, ACCEPT, accepts(BOB), offers(BOB), ACCEPT_DONE)).toHaveLength(1);
  });

  test("GC24 group.WAITING.reject: the call is rejected", () => {
    expect(sentAfter(RING, END)).toEqual(["reject"]);
    expect(endAfter(RING, END)).toBeNull();
  });

  test("GC25 group.WAITING.leave: nothing is said when the page closes, so that it goes on ringing elsewhere", () => {
    expect(sentAfter(RING, LEAVE)).toEqual([]);
    expect(stateAfter(RING, LEAVE)).toBe("closed");
  });

  test("GC26 group.WAITING.204: the call was cancelled", () => {
    expect(endAfter(RING, CANCELLED)).toEqual({ kind: "cancelled" });
  });

  test("GC27 group.WAITING.203: I am one of those who did not answer, or am no longer a member", () => {
    expect(endAfter(RING, failed([BOB, ME]))).toEqual({ kind: "youDidNotAnswer" });
    expect(endAfter(RING, failed([ME], "已不在群聊"))).toEqual({ kind: "removed" });
  });

  test("GC28 group.WAITING.201: accepted or joined on another client of mine", () => {
    expect(endAfter(RING, accepts(ME))).toEqual({ kind: "answeredElsewhere" });
    expect(endAfter(RING, joins(ME))).toEqual({ kind: "answeredElsewhere" });
    expect(endAfter(RING, ACCEPT, accepts(ME))).toEqual({ kind: "answeredElsewhere" });
    expect(stateAfter(...TALKING, accepts(ME))).toBe("talking");
  });

  test("GC29 group.WAITING.202: rejected on another client of mine", () => {
    expect(endAfter(RING, rejects(ME))).toEqual({ kind: "rejectedElsewhere" });
    expect(stateAfter(...TALKING, rejects(ME))).toBe("talking");
  });

  test("GC30 group.WAITING.others: the list that is shown follows what the others do", () => {
    expect(peopleAfter(RING, accepts(BOB))).toEqual(["1 none", "3 none"]);
    expect(peopleAfter(RING, rejects(BOB))).toEqual(["1 none"]);
    expect(peopleAfter(RING, failed([BOB]))).toEqual(["1 none"]);
    expect(peopleAfter(RING, quits(ANN))).toEqual(["3 called"]);
    expect(peopleAfter(RING, invites(ANN, CY))).toEqual(["1 none", "3 called", "4 called"]);
    expect(peopleAfter(RING, joins(CY))).toEqual(["1 none", "3 called", "4 none"]);
    expect(personAfter(ANN, RING, device(ANN, true, false))).toMatchObject({
      isCamera: true,
      isMicroPhone: false,
    });
    expect(effectsAfter(RING, rejects(BOB))).toEqual([]);
    expect(effectsAfter(RING, offers(ANN))).toEqual([]);
  });

  test("GC31 group.WAITING.200: the list is renewed, and it does not ring twice", () => {
    const again = signalFrom(ANN, MessageType.RTC_GROUP_SETUP, [listed(ANN, true), listed(CY), listed(ME)]);
    expect(peopleAfter(RING, again)).toEqual(["1 none", "4 called"]);
    expect(effectsAfter(RING, again)).toEqual([]);
  });

  test("GC32 group.WAITING.guard: after 35 s without a signal it stops ringing", () => {
    expect(endAfter(RING, GUARD)).toEqual({ kind: "youDidNotAnswer" });
    expect(sentAfter(RING, GUARD)).toEqual(["reject"]);
  });
});
