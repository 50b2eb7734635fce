import { MessageType } from "@parley/protocol/codes";
import type { ReceivedGroupCall } from "@parley/protocol/received-call";
import type { Failure } from "../model/state.ts";
import type { CallEnd } from "../model/calls/call.ts";
import { stepGroupCall } from "../model/calls/group-call.ts";
import {
  type GroupCall,
  type GroupCallEffect,
  type GroupCallInput,
  type GroupCallPerson,
  NO_GROUP_CALL,
} from "../model/calls/group-call-state.ts";

/** Inputs of the state machine of a group's call, and what they lead to. I am 2; Ann is 1, Bob 3, Cy 4. */

export const ANN = 1;
export const ME = 2;
export const BOB = 3;
export const CY = 4;
export const GROUP = 7;
export const FOREIGN = 8;
export const FAILURE: Failure = {
  kind: "refused",
  code: 0,
  key: "call.groupRunning",
  params: {},
  message: "",
};

export const START: GroupCallInput = { kind: "start", groupId: GROUP, userIds: [ANN, BOB], support: "ok" };
export const OPENED: GroupCallInput = { kind: "devicesOpened", problem: null };
export const JOIN: GroupCallInput = { kind: "join", groupId: GROUP, support: "ok" };
export const ACCEPT: GroupCallInput = { kind: "accept", withCamera: false };
export const END: GroupCallInput = { kind: "end" };
export const LEAVE: GroupCallInput = { kind: "leave" };
export const BEAT: GroupCallInput = { kind: "timer", timer: "heartbeat" };
export const GUARD: GroupCallInput = { kind: "timer", timer: "ring" };
export const SETUP_DONE: GroupCallInput = { kind: "setupDone", groupId: GROUP };
export const ACCEPT_DONE: GroupCallInput = { kind: "acceptDone", groupId: GROUP };
export const JOIN_DONE: GroupCallInput = { kind: "joinDone", groupId: GROUP };
export const refused = (what: "setup" | "accept" | "join", isUnanswered = false): GroupCallInput => ({
  kind: `${what}Refused`,
  groupId: GROUP,
  failure: FAILURE,
  isUnanswered,
});

export const listed = (id: number, isIn = false) => ({
  id,
  nickName: `N${id}`,
  headImage: null,
  isIn,
  isCamera: false,
  isMicroPhone: true,
  isShareScreen: false,
});

type SignalType = ReceivedGroupCall["type"];

/** A signal of the call of the group. */
export function signalFrom(
  sendId: number,
  type: SignalType,
  content?: unknown,
  groupId = GROUP,
): GroupCallInput {
  const signal = { type, sendId, groupId, content } as ReceivedGroupCall;
  return { kind: "signal", signal, canCall: true };
}

export const accepts = (userId: number) => signalFrom(userId, MessageType.RTC_GROUP_ACCEPT);
export const joins = (userId: number) => signalFrom(userId, MessageType.RTC_GROUP_JOIN, listed(userId, true));
export const rejects = (userId: number) => signalFrom(userId, MessageType.RTC_GROUP_REJECT);
export const quits = (userId: number) => signalFrom(userId, MessageType.RTC_GROUP_QUIT);
export const CANCELLED = signalFrom(ANN, MessageType.RTC_GROUP_CANCEL);
export const failed = (userIds: readonly number[], reason = "未进入通话", sendId = ANN) =>
  signalFrom(sendId, MessageType.RTC_GROUP_FAILED, { userIds, reason });
export const invites = (by: number, ...ids: number[]) =>
  signalFrom(
    by,
    MessageType.RTC_GROUP_INVITE,
    ids.map((id) => listed(id)),
  );
const OFFER = { type: "offer", sdp: "sdp" };
export const offers = (userId: number) => signalFrom(userId, MessageType.RTC_GROUP_OFFER, OFFER);
export const answers = (userId: number) =>
  signalFrom(userId, MessageType.RTC_GROUP_ANSWER, { type: "answer", sdp: "sdp" });
export const sendsCandidate = (userId: number) =>
  signalFrom(userId, MessageType.RTC_GROUP_CANDIDATE, { candidate: "c" });
export const device = (userId: number, isCamera: boolean, isMicroPhone: boolean, isShareScreen?: boolean) =>
  signalFrom(userId, MessageType.RTC_GROUP_DEVICE, { isCamera, isMicroPhone, isShareScreen });
export const peer = (userId: number, state: "connected" | "disconnected" | "failed"): GroupCallInput => ({
  kind: "peer",
  userId,
  state,
});
export const due = (userId: number): GroupCallInput => ({ kind: "repairDue", userId });
export const times = (count: number, input: GroupCallInput) => Array.from({ length: count }, () => input);

/** Ann calls me and Bob. */
export const RING = signalFrom(ANN, MessageType.RTC_GROUP_SETUP, [
  listed(ANN, true),
  listed(ME),
  listed(BOB),
]);
export const CALLING = [START, OPENED, SETUP_DONE];
export const TALKING_AS_HOST = [...CALLING, accepts(BOB), peer(BOB, "connected")];
/** Ann is in it, Bob is called. */
export const TALKING = [RING, ACCEPT, ACCEPT_DONE, offers(ANN), peer(ANN, "connected")];
export const listRead = (...people: ReturnType<typeof listed>[]): GroupCallInput => ({
  kind: "listRead",
  groupId: GROUP,
  list: { isChating: true, hostId: ANN, people },
});

/** The state after these inputs, and the effects of the last one. */
export function after(...inputs: GroupCallInput[]): { call: GroupCall; effects: readonly GroupCallEffect[] } {
  let call: GroupCall = NO_GROUP_CALL;
  let effects: readonly GroupCallEffect[] = [];
  for (const input of inputs) [call, effects] = stepGroupCall(call, input, ME);
  return { call, effects };
}

export const stateAfter = (...inputs: GroupCallInput[]) => after(...inputs).call.stage;
export const effectsAfter = (...inputs: GroupCallInput[]) => after(...inputs).effects;

/** Everybody else in the call: who is in it, and where the connection stands. */
export function peopleAfter(...inputs: GroupCallInput[]): string[] {
  const { call } = after(...inputs);
  if (call.stage === "closed") return [];
  return call.people.map(({ userId, isIn, connection }) => `${userId} ${isIn ? connection : "called"}`);
}

export function personAfter(userId: number, ...inputs: GroupCallInput[]): GroupCallPerson | undefined {
  const { call } = after(...inputs);
  return call.stage === "closed" ? undefined : call.people.find((person) => person.userId === userId);
}

/** The end of the call that is shown after the last input; undefined: the call is not over. */
export const endAfter = (...inputs: GroupCallInput[]): CallEnd | null | undefined =>
  effectsAfter(...inputs).find((effect) => effect.kind === "close")?.end;

/** What the last input sends to the server about the call. */
export const sentAfter = (...inputs: GroupCallInput[]) =>
  effectsAfter(...inputs).flatMap((effect) => (effect.kind === "tell" ? [effect.what] : []));

export const repairIn = (userId: number, ms: number) => ({ kind: "setRepair", userId, ms }) as const;
export const offerTo = (userId: number) => [
  { kind: "createPeer", userId },
  { kind: "offer", userId },
];
