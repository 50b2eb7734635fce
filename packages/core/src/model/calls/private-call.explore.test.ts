import { MessageType } from "@parley/protocol/codes";
import { describe, expect, test } from "vitest";
import {
  CLOSED,
  type PrivateCall,
  type PrivateCallEffect,
  type PrivateCallInput,
  type PrivateCallTimer,
} from "./private-call-state.ts";
import { stepPrivateCall } from "./private-call.ts";

/** What the effects have opened outside of the machine. */
interface Outside {
  readonly devices: boolean;
  readonly ring: "incoming" | "outgoing" | null;
  readonly peer: boolean;
  readonly timers: readonly PrivateCallTimer[];
}

interface World {
  readonly call: PrivateCall;
  readonly outside: Outside;
}

const START: World = { call: CLOSED, outside: { devices: false, ring: null, peer: false, timers: [] } };
const PEER = 7;
const STRANGER = 8;

const refused = { kind: "refused", code: 0, key: "call.busy", params: {}, message: "" } as const;

const signals = (userId: number, isMine: boolean): PrivateCallInput[] => {
  const ids = isMine ? { sendId: 1, recvId: userId } : { sendId: userId, recvId: 1 };
  const all = [
    { type: MessageType.RTC_SETUP_VOICE, ...ids },
    { type: MessageType.RTC_SETUP_VIDEO, ...ids },
    { type: MessageType.RTC_REJECT, ...ids },
    { type: MessageType.RTC_CANCEL, ...ids },
    { type: MessageType.RTC_HANDUP, ...ids },
    { type: MessageType.RTC_ACCEPT, content: undefined, ...ids },
    { type: MessageType.RTC_ACCEPT, content: "held", ...ids },
    { type: MessageType.RTC_FAILED, content: "reason", ...ids },
    { type: MessageType.RTC_OFFER, content: {}, ...ids },
    { type: MessageType.RTC_ANSWER, content: {}, ...ids },
    { type: MessageType.RTC_CANDIDATE, content: {}, ...ids },
    {
      type: MessageType.RTC_DEVICE,
      content: { isCamera: true, isMicroPhone: true, isShareScreen: false },
      ...ids,
    },
  ] as const;
  return all.flatMap((signal) =>
    [true, false].map((canCall) => ({ kind: "signal", signal, userId, isMine, canCall }) as const),
  );
};

const INPUTS: readonly PrivateCallInput[] = [
  { kind: "start", userId: PEER, mode: "voice", support: "ok" },
  { kind: "start", userId: PEER, mode: "video", support: "ok" },
  { kind: "start", userId: STRANGER, mode: "video", support: "ok" },
  { kind: "start", userId: PEER, mode: "voice", support: "insecure" },
  { kind: "start", userId: PEER, mode: "voice", support: "unsupported" },
  { kind: "devicesOpened", problem: null },
  { kind: "devicesOpened", problem: "denied" },
  { kind: "accept", withCamera: true },
  { kind: "accept", withCamera: false },
  { kind: "end" },
  { kind: "leave" },
  { kind: "setupDone", isOfferHeld: true },
  { kind: "setupDone", isOfferHeld: false },
  { kind: "setupRefused", failure: refused, isCrossed: false, isUnanswered: false },
  { kind: "setupRefused", failure: refused, isCrossed: true, isUnanswered: false },
  { kind: "setupRefused", failure: refused, isCrossed: false, isUnanswered: true },
  { kind: "acceptDone" },
  { kind: "acceptRefused", failure: refused, isUnanswered: false },
  { kind: "acceptRefused", failure: refused, isUnanswered: true },
  { kind: "gone" },
  { kind: "peer", state: "connected" },
  { kind: "peer", state: "disconnected" },
  { kind: "peer", state: "failed" },
  { kind: "networkChanged" },
  { kind: "online" },
  ...signals(PEER, false),
  ...signals(PEER, true),
  ...signals(STRANGER, false),
];

/** Performs an effect on what is open outside. */
function perform(outside: Outside, effect: PrivateCallEffect): Outside {
  const without = (timer: PrivateCallTimer) => outside.timers.filter((other) => other !== timer);
  switch (effect.kind) {
    case "openDevices":
      return { ...outside, devices: true };
    case "ring":
      return { ...outside, ring: effect.which };
    case "stopRing":
      return { ...outside, ring: null };
    case "createPeer":
      return { ...outside, peer: true };
    case "setTimer":
      return { ...outside, timers: [...without(effect.timer), effect.timer].sort() };
    case "clearTimer":
      return { ...outside, timers: without(effect.timer) };
    case "close":
      return START.outside;
    default:
      return outside;
  }
}

function apply({ call, outside }: World, input: PrivateCallInput) {
  const before =
    input.kind === "timer" ? perform(outside, { kind: "clearTimer", timer: input.timer }) : outside;
  const [next, effects] = stepPrivateCall(call, input);
  return { world: { call: next, outside: effects.reduce(perform, before) }, effects };
}

/** What is open at each stage. Nothing else may be. */
function expectedOutside(call: PrivateCall, { timers }: Outside): Outside {
  const open = { devices: true, peer: true, ring: null };
  switch (call.stage) {
    case "closed":
      return START.outside;
    case "opening":
      return { ...START.outside, devices: true };
    case "calling":
      return {
        ...open,
        ring: "outgoing",
        timers: [
          ...(call.isCrossed ? ["crossed" as const] : []),
          ...(call.isSetUp ? ["heartbeat" as const] : []),
          "ring",
        ],
      };
    case "ringing":
      return {
        ...START.outside,
        ring: "incoming",
        peer: call.isPrepared,
        timers: ["heartbeat", "ring"],
      };
    case "accepting":
      return { ...open, timers: [] };
    case "connecting":
      // The caller offers again.
      return {
        ...open,
        timers: ["connect", "heartbeat", ...(call.isCaller ? ["restart" as const] : [])],
      };
    case "talking":
      if (call.isLost) return { ...open, timers: ["giveUp", "heartbeat", "restart"] };
      // A short break has a timer of its own before the connection counts as lost.
      return { ...open, timers: timers.includes("lost") ? ["heartbeat", "lost"] : ["heartbeat"] };
    default:
      return call satisfies never;
  }
}

/** Every world that can be reached, by breadth. */
function explore(
  visit: (from: World, input: PrivateCallInput, to: ReturnType<typeof apply>) => void,
): number {
  const seen = new Map<string, World>([[JSON.stringify(START), START]]);
  for (const world of seen.values()) {
    const due = world.outside.timers.map((timer): PrivateCallInput => ({ kind: "timer", timer }));
    for (const input of [...INPUTS, ...due]) {
      const next = apply(world, input);
      visit(world, input, next);
      const key = JSON.stringify(next.world);
      if (!seen.has(key)) seen.set(key, next.world);
    }
  }
  return seen.size;
}

describe("PC40 every reachable state of a private call with every input", () => {
  test("PC40 has open outside exactly what its stage needs", () => {
    const stages = new Set<string>();
    const count = explore((from, input, { world }) => {
      stages.add(world.call.stage);
      expect({ from, input, outside: world.outside }).toEqual({
        from,
        input,
        outside: expectedOutside(world.call, world.outside),
      });
    });
    expect([...stages].sort()).toEqual([
      "accepting",
      "calling",
      "closed",
      "connecting",
      "opening",
      "ringing",
      "talking",
    ]);
    expect(count).toBeGreaterThan(30);
  });

  test("PC41 only a call of somebody else changes anything for their signals, and they are told that I am busy", () => {
    explore((from, input, { world, effects }) => {
      if (input.kind !== "signal" || input.userId !== STRANGER || from.call.stage === "closed") return;
      if (from.call.userId === STRANGER) return;
      expect(world).toEqual(from);
      expect(effects.every((effect) => effect.kind === "tell" && effect.what === "failed")).toBe(true);
    });
  });

  test("PC42 the person can end the call at every stage, and the server hears of it unless it knows nothing of it", () => {
    explore((from, input, { world, effects }) => {
      if (input.kind !== "end" || from.call.stage === "closed") return;
      expect(world).toEqual(START);
      const requests = effects.filter((effect) => effect.kind === "tell").map(({ what }) => what);
      const expected = { opening: [], calling: ["cancel"], ringing: ["reject"] }[from.call.stage as string];
      expect(requests).toEqual(expected ?? ["hangUp"]);
    });
  });

  test("PC43 a call that is over is closed once", () => {
    explore((from, _input, { world, effects }) => {
      const closes = effects.filter(({ kind }) => kind === "close");
      const hasEnded = from.call.stage !== "closed" && world.call.stage === "closed";
      if (hasEnded) expect(closes).toHaveLength(1);
      if (from.call.stage === "closed" && world.call.stage === "closed")
        expect(closes.every((effect) => effect.kind === "close" && effect.end !== null)).toBe(true);
    });
  });
});
