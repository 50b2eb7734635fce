import { MessageType } from "@parley/protocol/codes";
import type { ReceivedGroupCall } from "@parley/protocol/received-call";
import { beforeAll, describe, expect, test } from "vitest";
import type { Failure } from "../state.ts";
import { stepGroupCall } from "./group-call.ts";
import { hasPeer } from "./group-call-people.ts";
import {
  type GroupCall,
  type GroupCallEffect,
  type GroupCallInput,
  type GroupCallPerson,
  NO_GROUP_CALL,
} from "./group-call-state.ts";

/**
 * Visits every state that can be reached with three people and two groups, applies every input to each, and compares what is then open
 * outside with what the state says.
 */

const ME = 2;
/** One whose id is smaller than mine, and one whose id is larger. */
const OTHERS = [1, 3] as const;
const GROUP = 7;
const FOREIGN = 8;

/** What the effects have opened. */
interface Outside {
  devices: boolean;
  ring: "incoming" | "outgoing" | null;
  timers: ReadonlySet<string>;
  peers: ReadonlySet<number>;
}

/** What has to be open in a state: neither less nor more. */
function expectedOutside(call: GroupCall): Outside {
  const people = call.stage === "talking" ? call.people : [];
  const hasHeartbeat =
    call.stage === "talking"
      ? call.isConfirmed || call.list.kind === "known" || call.list.isAgain
      : call.stage === "calling" || call.stage === "ringing";
  return {
    devices: call.stage === "opening" || call.stage === "calling" || call.stage === "talking",
    ring: call.stage === "calling" ? "outgoing" : call.stage === "ringing" ? "incoming" : null,
    timers: new Set([
      ...(call.stage === "calling" || call.stage === "ringing" ? ["ring"] : []),
      ...(hasHeartbeat ? ["heartbeat"] : []),
      ...people.filter(needsRepair).map(({ userId }) => `repair ${userId}`),
    ]),
    peers: new Set(people.filter(({ connection }) => hasPeer(connection)).map(({ userId }) => userId)),
  };
}

function needsRepair({ connection }: GroupCallPerson): boolean {
  return connection !== "none" && connection !== "connected" && connection !== "failed";
}

/** Performs effects. Throws if one makes no sense: a device that is open already, an offer without a connection. */
function perform(before: Outside, effects: readonly GroupCallEffect[]): Outside {
  const timers = new Set(before.timers);
  const peers = new Set(before.peers);
  let { devices, ring } = before;
  const require = (isTrue: boolean, effect: GroupCallEffect) => {
    if (!isTrue) throw new Error(`makes no sense: ${JSON.stringify(effect)}`);
  };
  for (const effect of effects) {
    switch (effect.kind) {
      case "openDevices":
      case "closeDevices":
        require(devices === (effect.kind === "closeDevices"), effect);
        devices = effect.kind === "openDevices";
        break;
      case "ring":
      case "stopRing":
        require((ring === null) === (effect.kind === "ring"), effect);
        ring = effect.kind === "ring" ? effect.which : null;
        break;
      case "createPeer":
        require(!peers.has(effect.userId), effect);
        peers.add(effect.userId);
        break;
      case "offer":
      case "restart":
      case "repair":
      case "toPeer":
        require(peers.has(effect.userId), effect);
        break;
      case "closePeer":
        require(peers.delete(effect.userId), effect);
        break;
      case "setTimer":
        timers.add(effect.timer);
        break;
      case "clearTimer":
        timers.delete(effect.timer);
        break;
      case "setRepair":
        timers.add(`repair ${effect.userId}`);
        break;
      case "clearRepair":
        timers.delete(`repair ${effect.userId}`);
        break;
      case "close":
        timers.clear();
        peers.clear();
        devices = false;
        ring = null;
        break;
      default:
    }
  }
  return { devices, ring, timers, peers };
}

const failure: Failure = { kind: "network", reason: "offline" };

const listed = (id: number, isIn: boolean) => ({
  id,
  nickName: "",
  headImage: null,
  isIn,
  isCamera: false,
  isMicroPhone: true,
  isShareScreen: false,
});

/** Every signal that this person can send in this group. */
function signalsOf(sendId: number, groupId: number): ReceivedGroupCall[] {
  const parts = { sendId, groupId };
  const content = {};
  const { RTC_GROUP_SETUP, RTC_GROUP_INVITE } = MessageType;
  const people = [ME, ...OTHERS].filter((id) => id !== sendId);
  const failed = (userIds: number[], reason: string): ReceivedGroupCall => ({
    type: MessageType.RTC_GROUP_FAILED,
    ...parts,
    content: { userIds, reason },
  });
  return [
    { type: MessageType.RTC_GROUP_ACCEPT, ...parts },
    { type: MessageType.RTC_GROUP_REJECT, ...parts },
    { type: MessageType.RTC_GROUP_CANCEL, ...parts },
    { type: MessageType.RTC_GROUP_QUIT, ...parts },
    { type: MessageType.RTC_GROUP_JOIN, ...parts, content: listed(sendId, true) },
    { type: MessageType.RTC_GROUP_OFFER, ...parts, content },
    { type: MessageType.RTC_GROUP_ANSWER, ...parts, content },
    { type: MessageType.RTC_GROUP_CANDIDATE, ...parts, content },
    { type: MessageType.RTC_GROUP_DEVICE, ...parts, content: { isCamera: false, isMicroPhone: true } },
    {
      type: RTC_GROUP_SETUP,
      ...parts,
      content: [listed(sendId, true), ...people.map((id) => listed(id, false))],
    },
    { type: RTC_GROUP_SETUP, ...parts, content: [listed(sendId, true), listed(ME, false)] },
    { type: RTC_GROUP_INVITE, ...parts, content: people.map((id) => listed(id, false)) },
    ...[...people, sendId].map((id) => failed([id], "")),
    failed(people, "已不在群聊"),
  ];
}

const takeSignal = (signal: ReceivedGroupCall): GroupCallInput => ({ kind: "signal", signal, canCall: true });

const FOREIGN_SIGNALS = [ME, ...OTHERS].flatMap((id) => signalsOf(id, FOREIGN)).map(takeSignal);

const START: GroupCallInput = { kind: "start", groupId: GROUP, userIds: [...OTHERS], support: "ok" };
const JOIN: GroupCallInput = { kind: "join", groupId: GROUP, support: "ok" };

const INPUTS: readonly GroupCallInput[] = [
  START,
  { kind: "start", groupId: GROUP, userIds: [3], support: "insecure" },
  JOIN,
  { kind: "join", groupId: FOREIGN, support: "unsupported" },
  { kind: "accept", withCamera: true },
  { kind: "invite", userIds: [...OTHERS] },
  { kind: "end" },
  { kind: "leave" },
  { kind: "devicesOpened", problem: null },
  { kind: "devicesOpened", problem: "denied" },
  ...[GROUP, FOREIGN].flatMap((groupId): GroupCallInput[] => [
    { kind: "setupDone", groupId },
    { kind: "acceptDone", groupId },
    { kind: "joinDone", groupId },
    { kind: "setupRefused", groupId, failure, isUnanswered: true },
    { kind: "acceptRefused", groupId, failure, isUnanswered: true },
    { kind: "joinRefused", groupId, failure, isUnanswered: false },
    {
      kind: "listRead",
      groupId,
      list: { isChating: true, hostId: 1, people: [1, 2].map((id) => listed(id, true)) },
    },
    {
      kind: "listRead",
      groupId,
      list: { isChating: true, hostId: 1, people: [1, 2, 3].map((id) => listed(id, id < 3)) },
    },
    { kind: "listRead", groupId, list: { isChating: false, hostId: null, people: [] } },
    { kind: "listFailed", groupId },
    { kind: "ended", groupId },
  ]),
  ...[ME, ...OTHERS].flatMap((id) => signalsOf(id, GROUP)).map(takeSignal),
  { kind: "signal", signal: signalsOf(1, GROUP)[9]!, canCall: false },
  ...OTHERS.flatMap((userId): GroupCallInput[] => [
    { kind: "peer", userId, state: "connected" },
    { kind: "peer", userId, state: "disconnected" },
    { kind: "peer", userId, state: "failed" },
    { kind: "repairDue", userId },
  ]),
  { kind: "timer", timer: "ring" },
  { kind: "timer", timer: "heartbeat" },
  { kind: "networkChanged" },
  { kind: "online" },
];

/** Applies an input to a state and what is open in it. A timer that has run is no longer set. */
function apply(call: GroupCall, input: GroupCallInput) {
  const open = expectedOutside(call);
  const timers = new Set(open.timers);
  if (input.kind === "timer") timers.delete(input.timer);
  if (input.kind === "repairDue") timers.delete(`repair ${input.userId}`);
  const [next, effects] = stepGroupCall(call, input, ME);
  return { next, effects, outside: perform({ ...open, timers }, effects) };
}

/** A state, and by which input of which state it was reached. */
interface Found {
  readonly call: GroupCall;
  readonly from: Found | null;
  readonly input: GroupCallInput | null;
}

/** All states of calls of the group that can be reached, with what went wrong on the way. */
function explore(): { states: readonly Found[]; faults: readonly string[] } {
  const start: Found = { call: NO_GROUP_CALL, from: null, input: null };
  const found = new Map([[keyOf(start.call), start]]);
  const faults: string[] = [];
  for (const from of found.values()) {
    for (const input of INPUTS) {
      if (!canHappen(from.call, input)) continue;
      const reached = tryStep(from.call, input);
      if (typeof reached === "string")
        faults.push([...historyOf(from), describeInput(input), reached].join("\n"));
      else if (reached.stage === "closed" || reached.groupId === GROUP) {
        const key = keyOf(reached);
        if (!found.has(key)) found.set(key, { call: reached, from, input });
      }
    }
  }
  return { states: [...found.values()], faults };
}

/** Timers that are not set never run. */
function canHappen(call: GroupCall, input: GroupCallInput): boolean {
  const { timers } = expectedOutside(call);
  if (input.kind === "timer") return timers.has(input.timer);
  return input.kind !== "repairDue" || timers.has(`repair ${input.userId}`);
}

/** States with the same key differ in what changes no step: the order of people, and who has started the call. */
function keyOf(call: GroupCall): string {
  if (call.stage === "closed") return call.stage;
  const people = call.people.map(
    ({ userId, isIn, connection, repairs }) => `${userId} ${isIn} ${connection} ${repairs}`,
  );
  const parts: unknown[] = [call.stage, people.toSorted()];
  if (call.stage === "calling" || call.stage === "talking") {
    const { isConfirmed: isSure, list } = call;
    const changed = list.kind === "asked" ? list.changed : [];
    parts.push(list.kind === "asked" && list.isOutdated);
    parts.push(isSure, list.kind, list.kind !== "known" && list.isAgain, changed.map(String).toSorted());
  }
  if (call.stage === "talking") {
    // Ids of one digit.
    parts.push(call.awaitingOffer.map(String).toSorted(), call.isCalled);
  }
  return JSON.stringify(parts);
}

/** The next state, or what is wrong with it. */
function tryStep(call: GroupCall, input: GroupCallInput): GroupCall | string {
  try {
    const { next, effects, outside } = apply(call, input);
    const expected = expectedOutside(next);
    const closes = effects.filter(({ kind }) => kind === "close").length;
    if (call.stage !== "closed" && closes !== (next.stage === "closed" ? 1 : 0))
      return `closed ${closes} times`;
    if (isSame(outside, expected)) return next;
    return `open: ${describeOutside(outside)}, expected: ${describeOutside(expected)}`;
  } catch (error) {
    return String(error);
  }
}

/** The inputs that lead to a state. */
function historyOf({ from, input }: Found): string[] {
  return from === null || input === null ? [] : [...historyOf(from), describeInput(input)];
}

const describeInput = (input: GroupCallInput) => JSON.stringify(input);

function describeOutside({ devices, ring, timers, peers }: Outside): string {
  return JSON.stringify({ devices, ring, timers: [...timers], peers: [...peers] });
}

function isSame(a: Outside, b: Outside): boolean {
  const equal = <T>(one: ReadonlySet<T>, other: ReadonlySet<T>) =>
    one.size === other.size && [...one].every((each) => other.has(each));
  return a.devices === b.devices && a.ring === b.ring && equal(a.timers, b.timers) && equal(a.peers, b.peers);
}

/** Whether this input may make me offer a connection to somebody: a person who comes later never offers first. */
function mayOffer(call: GroupCall, input: GroupCallInput, userId: number): boolean {
  switch (input.kind) {
    case "signal": {
      const { type, sendId } = input.signal;
      const isComing = type === MessageType.RTC_GROUP_ACCEPT || type === MessageType.RTC_GROUP_JOIN;
      return isComing && sendId === userId && (call.stage === "calling" || isConfirmed(call));
    }
    case "acceptDone":
    case "joinDone":
      return call.stage === "talking" && call.awaitingOffer.includes(userId);
    case "repairDue":
      return ME < userId && isConfirmed(call);
    case "networkChanged":
      return true;
    case "online":
      return ME < userId && isConfirmed(call);
    case "listRead":
      // Their coming was not heard of.
      return call.stage !== "closed" && "list" in call && call.list.kind === "asked" && call.list.isAgain;
    default:
      return false;
  }
}

const isConfirmed = (call: GroupCall) => call.stage === "talking" && call.isConfirmed;

describe("every reachable state of a group's call", () => {
  let states: readonly Found[];
  let faults: readonly string[];
  beforeAll(() => void ({ states, faults } = explore()));

  /** How the first states are reached that are wrong. */
  const wrong = (isWrong: (call: GroupCall) => boolean) =>
    states
      .filter(({ call }) => isWrong(call))
      .slice(0, 3)
      .map(historyOf);

  test("GC56 devices, sounds, timers and connections are open exactly as long as the state needs them, and an end is said once", () => {
    expect(faults.slice(0, 3)).toEqual([]);
    expect(new Set(states.map(({ call }) => call.stage))).toEqual(
      new Set(["closed", "opening", "calling", "ringing", "talking"]),
    );
    expect(states.length).toBeGreaterThan(1_000);
  });

  test("GC57 each person is in it once, and never I myself", () => {
    const hasTwice = (call: GroupCall) => {
      const ids = call.stage === "closed" ? [] : call.people.map(({ userId }) => userId);
      return new Set([...ids, ME]).size !== ids.length + 1;
    };
    expect(wrong(hasTwice)).toEqual([]);
  });

  test("GC58 nobody stays in a call alone", () => {
    const isAlone = (call: GroupCall) =>
      (call.stage === "calling" ||
        (isConfirmed(call) && call.stage === "talking" && call.list.kind === "known")) &&
      call.people.length === 0;
    expect(wrong(isAlone)).toEqual([]);
  });

  test("GC59 the person and the end of the page or session close it, and a second end does nothing", () => {
    const staysOpen = (call: GroupCall) =>
      (["end", "leave"] as const).some((kind) => {
        const { next, effects } = apply(call, { kind });
        return next.stage !== "closed" || (call.stage === "closed" && effects.length > 0);
      });
    expect(wrong(staysOpen)).toEqual([]);
  });

  test("GC60 a person who comes later never offers first, and the smaller id repairs", () => {
    const offersWrongly = (call: GroupCall) =>
      INPUTS.filter((input) => canHappen(call, input)).some((input) =>
        apply(call, input).effects.some(
          (effect) => effect.kind === "offer" && !mayOffer(call, input, effect.userId),
        ),
      );
    expect(wrong(offersWrongly)).toEqual([]);
  });

  test("GC61 signals of another group change nothing; its call learns that I am busy", () => {
    const busy = { kind: "tell", what: "failed", groupId: FOREIGN, reason: "对方正忙" };
    const isDisturbed = (call: GroupCall) =>
      call.stage !== "closed" &&
      FOREIGN_SIGNALS.some((input) => {
        const { next, effects } = apply(call, input);
        return next !== call || effects.some((effect) => JSON.stringify(effect) !== JSON.stringify(busy));
      });
    expect(wrong(isDisturbed)).toEqual([]);
  });
});
