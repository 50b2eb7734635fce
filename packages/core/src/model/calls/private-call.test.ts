import { MessageType } from "@parley/protocol/codes";
import type { ReceivedPrivateCall } from "@parley/protocol/received-call";
import { describe, expect, test } from "vitest";
import type { CallEnd } from "./call.ts";
import {
  CLOSED,
  type PrivateCall,
  type PrivateCallEffect,
  type PrivateCallInput,
} from "./private-call-state.ts";
import { stepPrivateCall } from "./private-call.ts";

const ME = 1;
const LIN = 7;
const BO = 8;
const FAILURE = { kind: "refused", code: 0, key: "call.busy", params: {}, message: "" } as const;

const START: PrivateCallInput = { kind: "start", userId: LIN, mode: "voice", support: "ok" };
const START_VIDEO: PrivateCallInput = { ...START, mode: "video" };
const OPENED: PrivateCallInput = { kind: "devicesOpened", problem: null };
const CONNECTED: PrivateCallInput = { kind: "peer", state: "connected" };
const timer = (name: Extract<PrivateCallInput, { kind: "timer" }>["timer"]): PrivateCallInput => ({
  kind: "timer",
  timer: name,
});

type SignalType = ReceivedPrivateCall["type"];

/** A signal of the other person. */
function from(userId: number, type: SignalType, content?: unknown, canCall = true): PrivateCallInput {
  const signal = { type, sendId: userId, recvId: ME, content } as ReceivedPrivateCall;
  return { kind: "signal", signal, userId, isMine: false, canCall };
}

/** A signal that another client of mine has sent. */
function mine(type: SignalType, content?: unknown): PrivateCallInput {
  const signal = { type, sendId: ME, recvId: LIN, content } as ReceivedPrivateCall;
  return { kind: "signal", signal, userId: LIN, isMine: true, canCall: true };
}

const RING = from(LIN, MessageType.RTC_SETUP_VOICE);
const ACCEPTED = from(LIN, MessageType.RTC_ACCEPT, "held");

/** The state after these inputs, and the effects of the last one. */
function after(...inputs: PrivateCallInput[]): { call: PrivateCall; effects: readonly PrivateCallEffect[] } {
  let call: PrivateCall = CLOSED;
  let effects: readonly PrivateCallEffect[] = [];
  for (const input of inputs) [call, effects] = stepPrivateCall(call, input);
  return { call, effects };
}

const stageAfter = (...inputs: PrivateCallInput[]) => after(...inputs).call.stage;

/** The end of the call that is shown after the last input; undefined: the call is not over. */
function endAfter(...inputs: PrivateCallInput[]): CallEnd | null | undefined {
  return after(...inputs).effects.find((effect) => effect.kind === "close")?.end;
}

/** What the last input sends to the server about the call. */
function toldAfter(...inputs: PrivateCallInput[]) {
  return after(...inputs).effects.flatMap((effect) =>
    effect.kind === "tell"
      ? [[effect.what, effect.userId, ...(effect.reason === undefined ? [] : [effect.reason])]]
      : [],
  );
}

const kindsAfter = (...inputs: PrivateCallInput[]) => after(...inputs).effects.map(({ kind }) => kind);

const CALLING = [START, OPENED];
const SET_UP: PrivateCallInput[] = [...CALLING, { kind: "setupDone", isOfferHeld: true }];
const BEAT_LATER = { kind: "setTimer", timer: "heartbeat", ms: 15_000 } as const;
/** What a client does on which it begins to ring. */
const RINGS = [
  { kind: "ring", which: "incoming" },
  { kind: "setTimer", timer: "ring", ms: 35_000 },
  BEAT_LATER,
];
/** An accept ends the timers of the ringing. */
const STOPS = ["stopRing", "clearTimer", "clearTimer"];
const ACCEPTING: PrivateCallInput[] = [RING, { kind: "accept", withCamera: false }];
const CONNECTING = [...CALLING, ACCEPTED];
const TALKING = [...CONNECTING, CONNECTED];
const ACCEPT_DONE: PrivateCallInput = { kind: "acceptDone" };
const TALKING_AS_CALLEE: PrivateCallInput[] = [...ACCEPTING, ACCEPT_DONE, CONNECTED];

describe("the caller", () => {
  test("PC1 opens the camera for a video call only, and sends nothing yet", () => {
    expect(after(START).effects).toEqual([{ kind: "openDevices", withCamera: false }]);
    expect(after(START_VIDEO).effects).toEqual([{ kind: "openDevices", withCamera: true }]);
  });

  test("PC2 is told that calls are impossible without https or WebRTC", () => {
    expect(endAfter({ ...START, support: "insecure" })).toEqual({ kind: "notSupported", isInsecure: true });
    expect(endAfter({ ...START, support: "unsupported" })).toEqual({
      kind: "notSupported",
      isInsecure: false,
    });
    expect(stageAfter({ ...START, support: "insecure" })).toBe("closed");
  });

  test("PC3 cannot start another call during one", () => {
    expect(after(...CALLING, { ...START, userId: BO }).effects).toEqual([]);
  });

  test("PC4 rings with the devices open, and prepares the offer", () => {
    expect(after(...CALLING).effects).toEqual([
      { kind: "setup" },
      { kind: "ring", which: "outgoing" },
      { kind: "createPeer" },
      { kind: "setTimer", timer: "ring", ms: 35_000 },
    ]);
    expect(after(...CALLING, { kind: "setupDone", isOfferHeld: true }).effects).toEqual([
      { kind: "sendSignals", again: false },
      BEAT_LATER,
    ]);
    expect(after(...CALLING, { kind: "setupDone", isOfferHeld: false }).effects).toEqual([BEAT_LATER]);
  });

  test("PC5 without a microphone sends nothing", () => {
    const failed: PrivateCallInput = { kind: "devicesOpened", problem: "denied" };
    expect(after(START, failed).effects).toEqual([
      { kind: "close", end: { kind: "microphone", problem: "denied" } },
    ]);
  });

  test("PC6 closes the dialog while the devices open", () => {
    expect(after(START, { kind: "end" }).effects).toEqual([{ kind: "close", end: null }]);
  });

  test("PC7 is told why the server refused", () => {
    const refused: PrivateCallInput = {
      kind: "setupRefused",
      failure: FAILURE,
      isCrossed: false,
      isUnanswered: false,
    };
    expect(endAfter(...CALLING, refused)).toEqual({ kind: "refused", failure: FAILURE });
  });

  test("PC8 accepts the call of the other person if both have called in the same way", () => {
    const crossed: PrivateCallInput = {
      kind: "setupRefused",
      failure: FAILURE,
      isCrossed: true,
      isUnanswered: false,
    };
    expect(stageAfter(...CALLING, crossed)).toBe("calling");
    expect(kindsAfter(...CALLING, crossed, RING)).toContain("accept");
    expect(after(...CALLING, crossed, RING).call).toMatchObject({ stage: "accepting", isCaller: false });
    expect(stageAfter(START, RING)).toBe("accepting");
    const video = from(LIN, MessageType.RTC_SETUP_VIDEO);
    expect(after(...CALLING, video).call).toMatchObject({ stage: "ringing", mode: "video", isCaller: false });
    expect(after(...CALLING, video).effects).toEqual([{ kind: "close", end: null }, ...RINGS]);
  });

  test("PC52 is told of a request that nobody has answered, and the server of its end, in case it was done", () => {
    const unanswered = { failure: FAILURE, isUnanswered: true };
    const refused = { kind: "refused", failure: FAILURE };
    const setup: PrivateCallInput = { kind: "setupRefused", isCrossed: false, ...unanswered };
    expect(endAfter(...CALLING, setup)).toEqual(refused);
    expect(toldAfter(...CALLING, setup)).toEqual([["cancel", LIN]]);
    const accept: PrivateCallInput = { kind: "acceptRefused", ...unanswered };
    expect(endAfter(...ACCEPTING, accept)).toEqual(refused);
    expect(toldAfter(...ACCEPTING, accept)).toEqual([["hangUp", LIN]]);
  });

  test("PC53 is told that the call is over if how it has ended was not heard of", () => {
    expect(endAfter(...SET_UP, from(LIN, MessageType.RTC_HANDUP))).toEqual({ kind: "ended" });
    expect(endAfter(RING, from(LIN, MessageType.RTC_HANDUP))).toEqual({ kind: "ended" });
    expect(endAfter(RING, timer("ring"))).toEqual({ kind: "youDidNotAnswer" });
    expect(toldAfter(RING, timer("ring"))).toEqual([]);
  });

  test("PC9 gives up after 2 s without the call of the other person", () => {
    const crossed: PrivateCallInput = {
      kind: "setupRefused",
      failure: FAILURE,
      isCrossed: true,
      isUnanswered: false,
    };
    expect(after(...CALLING, crossed).effects).toEqual([{ kind: "setTimer", timer: "crossed", ms: 2_000 }]);
    expect(endAfter(...CALLING, crossed, timer("crossed"))).toEqual({ kind: "noAnswer" });
  });

  test("PC19 connects when the call is accepted, and sends again only what the server has dropped", () => {
    expect(stageAfter(...CONNECTING)).toBe("connecting");
    expect(after(...CONNECTING).effects).toContainEqual({ kind: "stopRing" });
    expect(after(...CONNECTING).effects).toContainEqual({ kind: "sendSignals", again: false });
    const notHeld = from(LIN, MessageType.RTC_ACCEPT);
    expect(after(...CALLING, notHeld).effects).toContainEqual({ kind: "sendSignals", again: true });
  });

  test("PC20 is told of a rejection", () => {
    expect(endAfter(...CALLING, from(LIN, MessageType.RTC_REJECT))).toEqual({ kind: "rejected" });
  });

  test("PC21 is told the reason of a failure", () => {
    const failed = from(LIN, MessageType.RTC_FAILED, "对方无应答");
    expect(endAfter(...CALLING, failed)).toEqual({ kind: "failed", reason: "对方无应答" });
    expect(endAfter(...TALKING, failed)).toEqual({ kind: "failed", reason: "对方无应答" });
  });

  test("PC22 cancels by hanging up before an answer", () => {
    expect(endAfter(...CALLING, { kind: "end" })).toEqual({ kind: "cancelled" });
    expect(toldAfter(...CALLING, { kind: "end" })).toEqual([["cancel", LIN]]);
  });

  test("PC23 cancels a ring that nobody ends", () => {
    expect(endAfter(...CALLING, timer("ring"))).toEqual({ kind: "noAnswer" });
    expect(toldAfter(...CALLING, timer("ring"))).toEqual([["cancel", LIN]]);
  });
});

describe("the callee", () => {
  test("PC10 is rung for, without devices", () => {
    expect(after(RING)).toEqual({
      call: { stage: "ringing", userId: LIN, mode: "voice", isCaller: false, isPrepared: false },
      effects: RINGS,
    });
    expect(after(RING, RING).effects).toEqual([]);
  });

  test("PC11 does not ring on a device that cannot call", () => {
    const ring = from(LIN, MessageType.RTC_SETUP_VOICE, undefined, false);
    expect(stageAfter(ring)).toBe("closed");
    expect(toldAfter(ring)).toEqual([["failed", LIN, "device does not support calling"]]);
  });

  test("PC12 is busy for others during a call", () => {
    const third = from(BO, MessageType.RTC_SETUP_VOICE);
    expect(toldAfter(...TALKING, third)).toEqual([["failed", BO, "对方正忙"]]);
    expect(stageAfter(...TALKING, third)).toBe("talking");
  });

  test("PC13 accepts, and opens the devices at the same time", () => {
    expect(after(...ACCEPTING).effects).toEqual([
      { kind: "stopRing" },
      { kind: "clearTimer", timer: "ring" },
      { kind: "clearTimer", timer: "heartbeat" },
      { kind: "createPeer" },
      { kind: "accept" },
      { kind: "openDevices", withCamera: false },
    ]);
    expect(after(RING, { kind: "accept", withCamera: true }).effects).toContainEqual({
      kind: "openDevices",
      withCamera: true,
    });
    expect(stageAfter(...ACCEPTING, { kind: "acceptDone" })).toBe("connecting");
  });

  test("PC14 rejects without a word", () => {
    expect(endAfter(RING, { kind: "end" })).toBeNull();
    expect(toldAfter(RING, { kind: "end" })).toEqual([["reject", LIN]]);
  });

  test("PC15 is told that the other party has cancelled", () => {
    const cancelled = from(LIN, MessageType.RTC_CANCEL);
    expect(endAfter(RING, cancelled)).toEqual({ kind: "cancelledByOther" });
    expect(endAfter(...ACCEPTING, cancelled)).toEqual({ kind: "cancelledByOther" });
  });

  test("PC16 is told what another device of theirs has done", () => {
    expect(endAfter(RING, mine(MessageType.RTC_ACCEPT))).toEqual({ kind: "answeredElsewhere" });
    expect(endAfter(RING, mine(MessageType.RTC_REJECT))).toEqual({ kind: "rejectedElsewhere" });
    expect(endAfter(RING, mine(MessageType.RTC_FAILED, "对方无应答"))).toEqual({ kind: "youDidNotAnswer" });
    expect(after(...ACCEPTING, mine(MessageType.RTC_ACCEPT)).effects).toEqual([]);
  });

  test("PC17 is told why the server refused to accept", () => {
    const refused: PrivateCallInput = { kind: "acceptRefused", failure: FAILURE, isUnanswered: false };
    expect(endAfter(...ACCEPTING, refused)).toEqual({ kind: "refused", failure: FAILURE });
  });

  test("PC18 hears without a microphone", () => {
    const failed: PrivateCallInput = { kind: "devicesOpened", problem: "missing" };
    expect(stageAfter(...ACCEPTING, failed)).toBe("accepting");
    expect(stageAfter(...TALKING_AS_CALLEE, failed)).toBe("talking");
  });
});

describe("the connection", () => {
  test("PC24 gets descriptions and candidates from the accept on, and nothing that another client of mine has sent", () => {
    const offer = from(LIN, MessageType.RTC_OFFER, { type: "offer", sdp: "" });
    expect(kindsAfter(RING, from(LIN, MessageType.RTC_CANDIDATE, {}))).toEqual([]);
    expect(kindsAfter(RING, mine(MessageType.RTC_OFFER, {}))).toEqual([]);
    expect(kindsAfter(...ACCEPTING, offer)).toEqual(["toPeer"]);
    expect(kindsAfter(...TALKING, offer)).toEqual(["toPeer"]);
    expect(kindsAfter(...CALLING, from(LIN, MessageType.RTC_ANSWER, {}))).toEqual([]);
    expect(kindsAfter(...TALKING, from(BO, MessageType.RTC_OFFER, {}))).toEqual([]);
  });

  test("PC46 takes an offer while it rings, and sends nothing before the accept is confirmed", () => {
    const offer = from(LIN, MessageType.RTC_OFFER, { type: "offer", sdp: "" });
    const accept: PrivateCallInput = { kind: "accept", withCamera: false };
    expect(kindsAfter(RING, offer)).toEqual(["createPeer", "toPeer"]);
    expect(kindsAfter(RING, offer, offer)).toEqual(["toPeer"]);
    expect(kindsAfter(RING, offer, accept)).toEqual([...STOPS, "accept", "openDevices"]);
    expect(kindsAfter(RING, offer, accept, { kind: "acceptDone" })).toContain("sendSignals");
    expect(endAfter(RING, offer, from(LIN, MessageType.RTC_CANCEL))).toEqual({ kind: "cancelledByOther" });
  });

  test("PC46 lets an offer with addresses wait for the accept, because the browser would try them while it rings", () => {
    const sdp = "v=0\r\na=candidate:1 1 udp 1 203.0.113.1 9 typ host\r\n";
    const offer = from(LIN, MessageType.RTC_OFFER, { type: "offer", sdp });
    const accept: PrivateCallInput = { kind: "accept", withCamera: false };
    expect(kindsAfter(RING, offer)).toEqual([]);
    expect(kindsAfter(RING, offer, accept)).toEqual([...STOPS, "createPeer", "accept", "openDevices"]);
    expect(kindsAfter(RING, offer, accept, offer)).toEqual(["toPeer"]);
  });

  test("PC46 may be made before the server has confirmed the accept", () => {
    const connected = [...ACCEPTING, CONNECTED];
    expect(stageAfter(...connected)).toBe("accepting");
    const { call, effects } = after(...connected, { kind: "acceptDone" });
    expect(call.stage).toBe("talking");
    expect(effects).toContainEqual({ kind: "setTimer", timer: "heartbeat", ms: 15_000 });
    const lost: PrivateCallInput = { kind: "peer", state: "failed" };
    expect(stageAfter(...connected, lost, { kind: "acceptDone" })).toBe("connecting");
  });

  test("PC25 makes the call a talk", () => {
    expect(stageAfter(...TALKING)).toBe("talking");
    expect(stageAfter(...TALKING_AS_CALLEE)).toBe("talking");
    expect(after(...TALKING).effects).toEqual([
      { kind: "clearTimer", timer: "connect" },
      { kind: "clearTimer", timer: "restart" },
    ]);
  });

  test("PC26 fails for both if it is not made in time", () => {
    expect(after(...CONNECTING).effects).toContainEqual({ kind: "setTimer", timer: "connect", ms: 20_000 });
    expect(endAfter(...CONNECTING, timer("connect"))).toEqual({ kind: "notConnected" });
    expect(toldAfter(...CONNECTING, timer("connect"))).toEqual([["failed", LIN, "网络连接失败"]]);
  });

  test("PC27 is kept alive by heartbeats", () => {
    const beat = { kind: "setTimer", timer: "heartbeat", ms: 15_000 };
    expect(after(...CONNECTING).effects).toContainEqual(beat);
    expect(after(...TALKING, timer("heartbeat")).effects).toEqual([{ kind: "heartbeat" }, beat]);
  });

  test("PC48 sends a heartbeat at once when the socket has logged in again, because the end may have been missed", () => {
    const online: PrivateCallInput = { kind: "online" };
    for (const known of [SET_UP, [RING], TALKING])
      expect(after(...known, online).effects).toEqual([{ kind: "heartbeat" }, BEAT_LATER]);
    // The server does not know of it yet.
    for (const unknown of [CALLING, ACCEPTING, []]) expect(after(...unknown, online).effects).toEqual([]);
  });

  test("PC50 is offered again when the socket has logged in again, because signals to the last one may be lost", () => {
    const online: PrivateCallInput = { kind: "online" };
    const repeated = [{ kind: "heartbeat" }, BEAT_LATER, { kind: "restart" }];
    const lost: PrivateCallInput = { kind: "peer", state: "failed" };
    for (const state of [CONNECTING, [...ACCEPTING, ACCEPT_DONE], [...TALKING, lost]])
      expect(after(...state, online).effects).toEqual(repeated);
  });

  test("PC51 is repaired by the caller after 8 s and then every 4 s until it is made", () => {
    const repair = { kind: "setTimer", timer: "restart", ms: 8_000 };
    expect(after(...CONNECTING).effects).toContainEqual(repair);
    const again = { ...repair, ms: 4_000 };
    expect(after(...CONNECTING, timer("restart")).effects).toEqual([{ kind: "repair" }, again]);
    expect(after(...ACCEPTING, ACCEPT_DONE).effects).not.toContainEqual(repair);
  });

  test("PC28 is restored, by the caller first", () => {
    const disconnected: PrivateCallInput = { kind: "peer", state: "disconnected" };
    expect(after(...TALKING, disconnected).effects).toEqual([{ kind: "setTimer", timer: "lost", ms: 2_000 }]);
    const lost = [disconnected, timer("lost")];
    expect(after(...TALKING, ...lost).effects).toEqual([
      { kind: "clearTimer", timer: "lost" },
      { kind: "reconnectSocket" },
      { kind: "restart" },
      { kind: "setTimer", timer: "restart", ms: 5_000 },
      { kind: "setTimer", timer: "giveUp", ms: 30_000 },
    ]);
    expect(kindsAfter(...TALKING_AS_CALLEE, ...lost)).not.toContain("restart");
    expect(after(...TALKING_AS_CALLEE, ...lost).effects).toContainEqual({
      kind: "setTimer",
      timer: "restart",
      ms: 2_000,
    });
    expect(kindsAfter(...TALKING_AS_CALLEE, ...lost, timer("restart"))).toEqual(["restart", "setTimer"]);
    expect(kindsAfter(...TALKING, { kind: "peer", state: "failed" })).toContain("restart");
  });

  test("PC29 ends the attempts when it is back", () => {
    const lost: PrivateCallInput = { kind: "peer", state: "failed" };
    expect(after(...TALKING, lost, CONNECTED)).toEqual({
      call: { stage: "talking", userId: LIN, mode: "voice", isCaller: true, isLost: false },
      effects: [
        { kind: "clearTimer", timer: "lost" },
        { kind: "clearTimer", timer: "restart" },
        { kind: "clearTimer", timer: "giveUp" },
      ],
    });
  });

  test("PC30 ends the call after 30 s", () => {
    const lost: PrivateCallInput = { kind: "peer", state: "failed" };
    expect(endAfter(...TALKING, lost, timer("giveUp"))).toEqual({ kind: "lost" });
    expect(toldAfter(...TALKING, lost, timer("giveUp"))).toEqual([["hangUp", LIN]]);
  });

  test("PC31 restarts when the network is back", () => {
    expect(kindsAfter(...TALKING, { kind: "networkChanged" })).toEqual(["reconnectSocket", "restart"]);
    expect(kindsAfter(...CALLING, { kind: "networkChanged" })).toEqual([]);
  });
});

describe("the end", () => {
  test("PC32 is told if the other party hung up", () => {
    expect(endAfter(...TALKING, from(LIN, MessageType.RTC_HANDUP))).toEqual({ kind: "hungUp" });
    expect(endAfter(...CONNECTING, from(LIN, MessageType.RTC_HANDUP))).toEqual({ kind: "hungUp" });
  });

  test("PC33 shows no message to the person who hangs up", () => {
    expect(endAfter(...TALKING, { kind: "end" })).toBeNull();
    expect(toldAfter(...TALKING, { kind: "end" })).toEqual([["hangUp", LIN]]);
    expect(toldAfter(...ACCEPTING, { kind: "end" })).toEqual([["hangUp", LIN]]);
  });

  test("PC34 comes if the server knows no such call", () => {
    expect(endAfter(...TALKING, { kind: "gone" })).toEqual({ kind: "ended" });
  });

  test("PC35 comes with the end of the page, except for what rings", () => {
    expect(toldAfter(...CALLING, { kind: "leave" })).toEqual([["cancel", LIN]]);
    expect(toldAfter(...TALKING, { kind: "leave" })).toEqual([["hangUp", LIN]]);
    expect(toldAfter(RING, { kind: "leave" })).toEqual([]);
    expect(endAfter(RING, { kind: "leave" })).toBeNull();
  });
});
