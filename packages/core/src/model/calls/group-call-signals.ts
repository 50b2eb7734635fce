import { MessageType } from "@parley/protocol/codes";
import { CALL_HEARTBEAT_MS } from "@parley/protocol/limits";
import type { ReceivedGroupCall } from "@parley/protocol/received-call";
import { CALL_REASONS, type CallEnd } from "./call.ts";
import {
  closeGroupCall,
  type GroupCall,
  type GroupCallEffect,
  type GroupCallPerson,
  type GroupCallStep,
  type ListedPerson,
  type OpenGroupCall,
  type OwnGroupCall,
  type PeerSignal,
  type PeopleList,
  type TalkingGroupCall,
} from "./group-call-state.ts";
import {
  enter,
  hasPeer,
  listedPerson,
  offerTo,
  personOf,
  preparePeer,
  removePeople,
  REPAIR_MS,
  withPerson,
} from "./group-call-people.ts";

/** What the signals of the call of a group do (protocol §10). */

/** The server's ring lasts 30 s; the client waits a little longer for its end. */
export const RING_GUARD_MS = 35_000;
/** What the server says of somebody who has left the group. */
const NOT_MEMBER = "已不在群聊";
/** What it says of somebody who did not answer. */
export const NOT_JOINED = "未进入通话";

/** Applies a signal. A signal that does not fit the state changes nothing. */
export function takeGroupSignal(
  call: GroupCall,
  signal: ReceivedGroupCall,
  me: number,
  canCall: boolean,
): GroupCallStep {
  if (signal.type === MessageType.RTC_GROUP_SETUP) {
    return signal.sendId === me ? [call, []] : rung(call, signal, me, canCall);
  }
  if (call.stage === "closed" || call.stage === "opening" || call.groupId !== signal.groupId)
    return [call, []];
  const [next, effects] = takeOwnSignal(call, signal, me);
  return [noteChange(next, signal, me), effects];
}

/** Somebody calls members of a group. */
function rung(
  call: GroupCall,
  { groupId, sendId, content }: { groupId: number; sendId: number; content: readonly ListedPerson[] },
  me: number,
  canCall: boolean,
): GroupCallStep {
  if (call.stage !== "closed" && call.groupId !== groupId) {
    return [call, [{ kind: "tell", what: "failed", groupId, reason: CALL_REASONS.busy }]];
  }
  const people = content.filter(({ id }) => id !== me).map(listedPerson);
  const ringing: GroupCall = { stage: "ringing", groupId, hostId: sendId, people };
  const ring: GroupCallEffect[] = [
    { kind: "ring", which: "incoming" },
    { kind: "setTimer", timer: "ring", ms: RING_GUARD_MS },
    { kind: "setTimer", timer: "heartbeat", ms: CALL_HEARTBEAT_MS },
  ];
  switch (call.stage) {
    case "closed":
      return canCall
        ? [ringing, ring]
        : [call, [{ kind: "tell", what: "failed", groupId, reason: CALL_REASONS.notSupported }]];
    // Two people have started at once, and the other one has won.
    case "opening":
      return [ringing, [{ kind: "closeDevices" }, ...ring]];
    case "calling":
      return call.isConfirmed
        ? [call, []]
        : [ringing, [{ kind: "closeDevices" }, { kind: "stopRing" }, ...ring]];
    // The server repeats it after each login of the socket.
    case "ringing":
      return [{ ...call, people }, []];
    case "talking":
      return [{ ...call, isCalled: !call.isConfirmed }, []];
    default:
      return call satisfies never;
  }
}

type OwnCall = Exclude<OpenGroupCall, { stage: "opening" }>;

function takeOwnSignal(call: OwnCall, signal: ReceivedGroupCall, me: number): GroupCallStep {
  const isMine = signal.sendId === me;
  const { sendId } = signal;
  switch (signal.type) {
    case MessageType.RTC_GROUP_ACCEPT:
      return isMine ? answeredElsewhere(call) : came(call, sendId);
    case MessageType.RTC_GROUP_JOIN:
      return isMine ? answeredElsewhere(call) : came(call, sendId, signal.content);
    case MessageType.RTC_GROUP_REJECT:
      return isMine ? rejectedElsewhere(call) : removePeople(call, [sendId], "rejected", "");
    case MessageType.RTC_GROUP_QUIT:
      return isMine ? [call, []] : removePeople(call, [sendId], "quit", "");
    case MessageType.RTC_GROUP_FAILED:
      return failed(call, signal.content, sendId, me);
    case MessageType.RTC_GROUP_CANCEL:
      return closeGroupCall(call.groupId, { kind: call.stage === "ringing" ? "cancelled" : "ended" });
    case MessageType.RTC_GROUP_INVITE:
      return invited(call, signal.content, me);
    case MessageType.RTC_GROUP_OFFER:
    case MessageType.RTC_GROUP_ANSWER:
    case MessageType.RTC_GROUP_CANDIDATE:
      return isMine ? [call, []] : takePeerSignal(call, signal);
    case MessageType.RTC_GROUP_DEVICE: {
      const { isCamera, isMicroPhone, isShareScreen = false } = signal.content;
      if (personOf(call, sendId) === undefined) return [call, []];
      return [withPerson(call, sendId, { isCamera, isMicroPhone, isShareScreen }), []];
    }
    // `rung` handles it.
    case MessageType.RTC_GROUP_SETUP:
      return [call, []];
    default:
      return signal satisfies never;
  }
}

/** Whether the call may still be ringing for me on the server. */
function isUndecided(call: OwnCall): boolean {
  return call.stage === "ringing" || (call.stage === "talking" && !call.isConfirmed);
}

function answeredElsewhere(call: OwnCall): GroupCallStep {
  return isUndecided(call) ? closeGroupCall(call.groupId, { kind: "answeredElsewhere" }) : [call, []];
}

function rejectedElsewhere(call: OwnCall): GroupCallStep {
  return isUndecided(call) ? closeGroupCall(call.groupId, { kind: "rejectedElsewhere" }) : [call, []];
}

/** Somebody has accepted or joined. */
function came(call: OwnCall, userId: number, listed?: ListedPerson): GroupCallStep {
  const named = listed === undefined ? call : withPerson(call, userId, about(call, userId, listed));
  if (named.stage === "talking") return enter(named, userId, "me");
  if (named.stage === "ringing") return [withPerson(named, userId, { isIn: true }), []];
  return startTalking(named, userId, "me");
}

/** The name, picture and devices of a listed person. Whether they are in, and the connection with them, change by `enter`. */
function about(call: OwnCall, userId: number, listed: ListedPerson): Partial<GroupCallPerson> {
  const { isIn: _, connection: _none, repairs: _zero, ...parts } = listedPerson({ ...listed, id: userId });
  return personOf(call, userId)?.isIn === true ? {} : parts;
}

/** The first one has come into the call that I have started. */
function startTalking(
  { groupId, hostId, people, list }: Extract<GroupCall, { stage: "calling" }>,
  userId: number,
  whoOffers: "me" | "they",
): [TalkingGroupCall, GroupCallEffect[]] {
  const talking: TalkingGroupCall = {
    stage: "talking",
    groupId,
    hostId,
    people,
    // Somebody has come, so the server has accepted the call.
    isConfirmed: true,
    awaitingOffer: [],
    list,
    isCalled: false,
  };
  const [next, effects] = enter(talking, userId, whoOffers);
  return [next, [{ kind: "stopRing" }, { kind: "clearTimer", timer: "ring" }, ...effects]];
}

/** These people do not come into the call. I may be one of them. */
function failed(
  call: OwnCall,
  { userIds, reason }: { userIds: readonly number[]; reason: string },
  sendId: number,
  me: number,
): GroupCallStep {
  if (userIds.includes(me)) return closeGroupCall(call.groupId, endOfMine(call, reason));
  const [next, effects] = removePeople(call, userIds, "failed", reason);
  // People whom I have invited and for whom it does not ring, because they are busy, were never shown.
  const unknown = userIds.filter((userId) => personOf(call, userId) === undefined);
  if (sendId !== me || call.stage === "ringing" || unknown.length === 0) return [next, effects];
  const people = unknown.map((userId) => ({ userId, nickName: "" }));
  return [next, [...effects, { kind: "personLeft", groupId: call.groupId, people, why: "failed", reason }]];
}

function endOfMine(call: OwnCall, reason: string): CallEnd {
  if (reason === NOT_MEMBER) return { kind: "removed" };
  return { kind: call.stage === "ringing" ? "youDidNotAnswer" : "ended" };
}

/** More people are called. Those who are known stay as they are. */
function invited(call: OwnCall, listed: readonly ListedPerson[], me: number): GroupCallStep {
  const fresh = listed.filter(({ id }) => id !== me && personOf(call, id) === undefined);
  const people = [...call.people, ...fresh.map((person) => listedPerson({ ...person, isIn: false }))];
  const next = { ...call, people };
  // It rings for another 30 s.
  return call.stage === "calling" && fresh.length > 0
    ? [next, [{ kind: "setTimer", timer: "ring", ms: RING_GUARD_MS }]]
    : [next, []];
}

function takePeerSignal(call: OwnCall, signal: PeerSignal): GroupCallStep {
  const { sendId: userId } = signal;
  if (call.stage === "ringing") return [call, []];
  const toPeer: GroupCallEffect = { kind: "toPeer", userId, signal };
  if (call.stage === "calling") {
    // The signal that they have come was lost. They offer only to people who are in, so the server has let me in.
    if (signal.type !== MessageType.RTC_GROUP_OFFER) return [call, []];
    const [talking, effects] = startTalking(call, userId, "they");
    const [next, more] = preparePeer(talking, userId);
    return [next, [...effects, ...more, toPeer]];
  }
  const person = personOf(call, userId);
  if (person !== undefined && hasPeer(person.connection)) return [call, [toPeer]];
  if (!canPrepare(call, person, signal)) return [call, []];
  const [next, effects] = preparePeer(call, userId);
  return [next, [...effects, toPeer]];
}

/**
 * Whether a connection is made for a signal. A candidate may overtake the offer that it belongs to, but is no sign of life by itself. A
 * person who asks for an offer has not given up.
 */
function canPrepare(
  call: TalkingGroupCall,
  person: GroupCallPerson | undefined,
  { type, content }: PeerSignal,
): boolean {
  if (type === MessageType.RTC_GROUP_OFFER) return true;
  if (type === MessageType.RTC_GROUP_ANSWER) return false;
  if (person === undefined) return call.list.kind !== "known";
  return person.connection === "waiting" || (person.connection === "failed" && content["restart"] === true);
}

/** While the server is asked who is in the call, what signals say is newer than its answer. */
function noteChange(call: GroupCall, signal: ReceivedGroupCall, me: number): GroupCall {
  if ((call.stage !== "calling" && call.stage !== "talking") || call.list.kind !== "asked") return call;
  const { changed } = call.list;
  const fresh = subjectsOf(signal).filter((userId) => userId !== me && !changed.includes(userId));
  return fresh.length === 0 ? call : { ...call, list: { ...call.list, changed: [...changed, ...fresh] } };
}

/** The person that a signal is about. A signal about a connection says nothing about the person. */
function subjectsOf(signal: ReceivedGroupCall): readonly number[] {
  switch (signal.type) {
    case MessageType.RTC_GROUP_FAILED:
      return signal.content.userIds;
    case MessageType.RTC_GROUP_INVITE:
      return signal.content.map(({ id }) => id);
    case MessageType.RTC_GROUP_OFFER:
    case MessageType.RTC_GROUP_ANSWER:
    case MessageType.RTC_GROUP_CANDIDATE:
    case MessageType.RTC_GROUP_SETUP:
    case MessageType.RTC_GROUP_CANCEL:
      return [];
    default:
      return [signal.sendId];
  }
}

const NOT_ASKED: Pick<Extract<PeopleList, { kind: "asked" }>, "isAgain" | "changed"> = {
  isAgain: false,
  changed: [],
};

/**
 * Adds the people that the server lists to a call that I am in. What newer signals have said about them has precedence. People in the call
 * offer a connection to those who join: they to me, unless I was there first and have missed that they joined.
 */
export function mergeListed(
  call: OwnGroupCall,
  listed: readonly ListedPerson[],
  me: number,
): [OwnGroupCall, GroupCallEffect[]] {
  const { isAgain, changed } = call.list.kind === "asked" ? call.list : NOT_ASKED;
  let next: OwnGroupCall = { ...call, list: { kind: "known" } };
  const effects: GroupCallEffect[] = [];
  for (const person of listed) {
    if (person.id === me) continue;
    const known = personOf(next, person.id);
    const { nickName, headImage, isCamera, isMicroPhone, isShareScreen = false } = person;
    if (!changed.includes(person.id)) {
      const devices = { isCamera, isMicroPhone, isShareScreen };
      next = withPerson(next, person.id, { nickName, headImage, ...devices });
      if (!person.isIn || known?.isIn === true) continue;
      const whoOffers = isAgain ? "me" : "they";
      const [entered, more] =
        next.stage === "calling"
          ? startTalking(next, person.id, whoOffers)
          : enter(next, person.id, whoOffers);
      next = entered;
      effects.push(...more);
    } else if (known?.nickName === "") next = withPerson(next, person.id, { nickName, headImage });
  }
  return [next, effects];
}

/** The server has confirmed that I am in. People who may be waiting for my offer get it; if they offer as well, one of the two offers is dropped. */
export function offerOwed(call: TalkingGroupCall): [TalkingGroupCall, GroupCallEffect[]] {
  let next: TalkingGroupCall = { ...call, awaitingOffer: [] };
  const effects: GroupCallEffect[] = [];
  for (const userId of call.awaitingOffer) {
    if (personOf(next, userId)?.connection !== "waiting") continue;
    next = withPerson(next, userId, { connection: "connecting" });
    effects.push(...offerTo(userId), { kind: "setRepair", userId, ms: REPAIR_MS });
  }
  return [next, effects];
}
