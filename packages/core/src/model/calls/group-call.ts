import { CALL_HEARTBEAT_MS } from "@parley/protocol/limits";
import type { CallEnd, DeviceProblem } from "./call.ts";
import {
  closeAlone,
  isAlone,
  peerChanged,
  personOf,
  removePeople,
  repeatOffers,
  repair,
  REPAIR_MS,
  restartAll,
  unknownPerson,
} from "./group-call-people.ts";
import { mergeListed, NOT_JOINED, offerOwed, RING_GUARD_MS, takeGroupSignal } from "./group-call-signals.ts";
import {
  closeGroupCall,
  type GroupCall,
  type GroupCallEffect,
  type GroupCallInput,
  type GroupCallList,
  type GroupCallPerson,
  type GroupCallStep,
  type GroupCallTimer,
  type OpenGroupCall,
  type OwnGroupCall,
  type TalkingGroupCall,
} from "./group-call-state.ts";

/** The state machine of the call of a group (spec §4). The caller performs the effects and reports events as inputs. */

/** Applies one input of the client of `me`. Inputs that do not fit the state change nothing. */
export function stepGroupCall(call: GroupCall, input: GroupCallInput, me: number): GroupCallStep {
  switch (input.kind) {
    case "start":
      return start(call, input, me);
    case "join":
      return join(call, input);
    case "signal":
      return takeGroupSignal(call, input.signal, me, input.canCall);
    case "setupDone":
    case "acceptDone":
    case "joinDone":
    case "setupRefused":
    case "acceptRefused":
    case "joinRefused":
      return takeAnswer(call, input);
    default:
      return call.stage === "closed" ? [call, []] : stepOpen(call, input, me);
  }
}

type Answer = Extract<GroupCallInput, { kind: `${"setup" | "accept" | "join"}${"Done" | "Refused"}` }>;
type OpenInput = Exclude<GroupCallInput, Answer | { kind: "start" | "join" | "signal" }>;

function stepOpen(call: OpenGroupCall, input: OpenInput, me: number): GroupCallStep {
  switch (input.kind) {
    case "accept":
      return call.stage === "ringing" ? accept(call, input.withCamera) : [call, []];
    case "invite":
      return invite(call, input.userIds);
    case "end":
      return closeMine(call, call.stage === "calling" ? { kind: "cancelled" } : null);
    case "leave":
      // A call that rings goes on ringing on my other clients, and on the next page of this one.
      return call.stage === "ringing" ? closeGroupCall(call.groupId, null) : closeMine(call, null);
    case "devicesOpened":
      return devicesOpened(call, input.problem);
    case "listRead":
      return call.groupId === input.groupId ? listRead(call, input.list, me) : [call, []];
    case "listFailed":
      // The next heartbeat asks again.
      return isOwn(call) && call.groupId === input.groupId && call.list.kind === "asked"
        ? [{ ...call, list: { kind: "missing", isAgain: call.list.isAgain } }, []]
        : [call, []];
    case "ended":
      return isServerCall(call) && call.groupId === input.groupId
        ? closeGroupCall(call.groupId, { kind: "ended" })
        : [call, []];
    case "peer":
    case "repairDue": {
      const person = personOf(call, input.userId);
      if (call.stage !== "talking" || person === undefined) return [call, []];
      return input.kind === "peer" ? peerChanged(call, person, input.state, me) : repair(call, person, me);
    }
    case "timer":
      return timerEnded(call, input.timer);
    case "networkChanged":
      return call.stage === "talking" ? restartAll(call) : [call, []];
    case "online":
      if (isServerCall(call)) return cameBack(call, me);
      // Signals that were sent to the socket since the server let me in may be lost, so the list is read once my entry is confirmed.
      return [call.stage === "talking" ? forgetList(call) : call, []];
    default:
      return input satisfies never;
  }
}

/** Whether the server is expected to know that I am in the call, or called. */
function isServerCall(call: OpenGroupCall): boolean {
  return (
    call.stage === "ringing" || ((call.stage === "calling" || call.stage === "talking") && call.isConfirmed)
  );
}

function unsupported(groupId: number, support: "insecure" | "unsupported"): GroupCallStep {
  return closeGroupCall(groupId, { kind: "notSupported", isInsecure: support === "insecure" });
}

function start(
  call: GroupCall,
  { groupId, userIds, support }: Extract<GroupCallInput, { kind: "start" }>,
  me: number,
): GroupCallStep {
  const others = [...new Set(userIds)].filter((userId) => userId !== me);
  if (call.stage !== "closed" || others.length === 0) return [call, []];
  if (support !== "ok") return unsupported(groupId, support);
  return [
    { stage: "opening", groupId, hostId: me, people: others.map(unknownPerson) },
    [{ kind: "openDevices", withCamera: false }],
  ];
}

function join(
  call: GroupCall,
  { groupId, support }: Extract<GroupCallInput, { kind: "join" }>,
): GroupCallStep {
  // Joining a call that rings here accepts it.
  if (call.stage === "ringing" && call.groupId === groupId) return accept(call, false);
  if (call.stage !== "closed") return [call, []];
  if (support !== "ok") return unsupported(groupId, support);
  return [
    {
      stage: "talking",
      groupId,
      hostId: null,
      people: [],
      isConfirmed: false,
      awaitingOffer: [],
      list: { kind: "missing", isAgain: false },
      isCalled: false,
    },
    [
      { kind: "join", groupId },
      { kind: "openDevices", withCamera: false },
    ],
  ];
}

/** People in the call offer connections to me while my devices are opened. */
function accept(
  { groupId, hostId, people }: Extract<GroupCall, { stage: "ringing" }>,
  withCamera: boolean,
): GroupCallStep {
  const inCall = people.filter(({ isIn }) => isIn);
  return [
    {
      stage: "talking",
      groupId,
      hostId,
      people: people.map((person) => ({ ...person, connection: person.isIn ? "waiting" : "none" })),
      isConfirmed: false,
      awaitingOffer: [],
      list: { kind: "known" },
      isCalled: false,
    },
    [
      { kind: "stopRing" },
      { kind: "clearTimer", timer: "ring" },
      { kind: "accept", groupId },
      { kind: "openDevices", withCamera },
      ...inCall.map(({ userId }) => ({ kind: "setRepair", userId, ms: REPAIR_MS }) as const),
    ],
  ];
}

function invite(call: OpenGroupCall, userIds: readonly number[]): GroupCallStep {
  const fresh = userIds.filter((userId) => personOf(call, userId) === undefined);
  if ((call.stage !== "calling" && call.stage !== "talking") || fresh.length === 0) return [call, []];
  return [call, [{ kind: "invite", groupId: call.groupId, userIds: fresh }]];
}

/** I end my part in the call. */
function closeMine(call: OpenGroupCall, end: CallEnd | null): GroupCallStep {
  const { groupId } = call;
  switch (call.stage) {
    case "opening":
      return closeGroupCall(groupId, end);
    case "calling":
      return closeGroupCall(groupId, end, { kind: "tell", what: "cancel", groupId });
    case "ringing":
      return closeGroupCall(groupId, end, { kind: "tell", what: "reject", groupId });
    case "talking":
      return closeGroupCall(groupId, end, { kind: "tell", what: "quit", groupId });
    default:
      return call satisfies never;
  }
}

function devicesOpened(call: OpenGroupCall, problem: DeviceProblem | null): GroupCallStep {
  // A person who accepts or joins can listen without a microphone.
  if (call.stage !== "opening") return [call, []];
  const { groupId, people } = call;
  if (problem !== null) return closeGroupCall(groupId, { kind: "microphone", problem });
  return [
    { ...call, stage: "calling", isConfirmed: false, list: { kind: "known" } },
    [
      { kind: "setup", groupId, userIds: people.map(({ userId }) => userId) },
      { kind: "ring", which: "outgoing" },
      { kind: "setTimer", timer: "ring", ms: RING_GUARD_MS },
      { kind: "setTimer", timer: "heartbeat", ms: CALL_HEARTBEAT_MS },
    ],
  ];
}

function takeAnswer(call: GroupCall, answer: Answer): GroupCallStep {
  // A call whose devices are being opened is not the one that was answered.
  const isCurrent = call.stage !== "closed" && call.stage !== "opening" && call.groupId === answer.groupId;
  switch (answer.kind) {
    case "setupDone":
      if (!isCurrent) return [call, [undo(answer)]];
      return call.stage === "calling" ? [{ ...call, isConfirmed: true }, []] : [call, []];
    case "acceptDone":
    case "joinDone":
      if (!isCurrent) return [call, [undo(answer)]];
      return call.stage === "talking" && !call.isConfirmed ? confirm(call) : [call, []];
    case "setupRefused":
    case "acceptRefused":
    case "joinRefused": {
      const { failure, groupId } = answer;
      const isMine = answer.kind === "setupRefused" ? call.stage === "calling" : call.stage === "talking";
      if (!isCurrent) return [call, answer.isUnanswered ? [undo(answer)] : []];
      if (!isMine || isServerCall(call)) return [call, []];
      // The call that I wanted to join is over, and this is the next one, which rings here: joining a call that rings accepts it.
      if (answer.kind === "joinRefused" && !answer.isUnanswered && call.stage === "talking" && call.isCalled)
        return [{ ...call, isCalled: false }, [{ kind: "accept", groupId }]];
      const before = answer.isUnanswered ? [undo(answer)] : [];
      return closeGroupCall(groupId, { kind: "refused", failure }, ...before);
    }
    default:
      return answer satisfies never;
  }
}

/** The server has done, or may have done, something for a call that is over here. */
function undo({ kind, groupId }: Answer): GroupCallEffect {
  const isSetup = kind === "setupDone" || kind === "setupRefused";
  return { kind: "tell", what: isSetup ? "cancel" : "quit", groupId };
}

/** The server has confirmed that I am in the call. */
function confirm(call: TalkingGroupCall): GroupCallStep {
  const [offering, offers] = offerOwed({ ...call, isConfirmed: true, isCalled: false });
  if (isAlone(offering)) return closeAlone(call.groupId);
  const [next, asks] = askWhoIsIn(offering);
  return [next, [...offers, { kind: "setTimer", timer: "heartbeat", ms: CALL_HEARTBEAT_MS }, ...asks]];
}

/** Asks the server who is in the call, if I do not know. */
function askWhoIsIn<Call extends OwnGroupCall>(call: Call): [Call, GroupCallEffect[]] {
  if (!call.isConfirmed || call.list.kind !== "missing") return [call, []];
  const { isAgain } = call.list;
  return [
    { ...call, list: { kind: "asked", isAgain, changed: [], isOutdated: false } },
    [{ kind: "readList", groupId: call.groupId }],
  ];
}

function listRead(call: OpenGroupCall, list: GroupCallList, me: number): GroupCallStep {
  if (!isOwn(call) || call.list.kind !== "asked") return [call, []];
  if (!list.isChating) return closeAlone(call.groupId);
  const { isAgain, changed, isOutdated } = call.list;
  const [next, effects] = mergeListed({ ...call, hostId: list.hostId }, list.people, me);
  const listed = list.people.map(({ id }) => id);
  const gone = isAgain
    ? next.people.filter(({ userId }) => !listed.includes(userId) && !changed.includes(userId))
    : [];
  const [rest, more] = removeGone(next, gone);
  if (rest.stage === "closed") return [rest, more];
  if (isAlone(rest)) return closeAlone(call.groupId);
  const [asking, asks] = isOutdated && isOwn(rest) ? askWhoIsIn(forgetList(rest)) : [rest, []];
  return [asking, [...effects, ...more, ...asks]];
}

/** Signals about the people may be lost. A list that was asked for may be older than they are. */
function forgetList<Call extends OwnGroupCall>(call: Call): Call {
  switch (call.list.kind) {
    case "known":
      return { ...call, list: { kind: "missing", isAgain: true } };
    case "asked":
      return { ...call, list: { ...call.list, isOutdated: true } };
    case "missing":
      return call;
    default:
      return call.list satisfies never;
  }
}

/** Removes people who are out of the call, and whose signals about it were lost. */
function removeGone(call: OwnGroupCall, gone: readonly GroupCallPerson[]): GroupCallStep {
  const idsOf = (wasIn: boolean) => gone.filter(({ isIn }) => isIn === wasIn).map(({ userId }) => userId);
  const [next, effects] = removePeople(call, idsOf(true), "quit", "");
  if (next.stage === "closed") return [next, effects];
  const [rest, more] = removePeople(next, idsOf(false), "failed", NOT_JOINED);
  return rest.stage === "closed" ? [rest, more] : [rest, [...effects, ...more]];
}

/**
 * Signals that were sent to the former socket may be lost, because its node has died. The answer to a heartbeat says if the call is over, the list
 * says who has come or left, and connections that are being made are offered again.
 */
function cameBack(call: OpenGroupCall, me: number): GroupCallStep {
  const [next, effects] = beat(isOwn(call) ? forgetList(call) : call);
  if (next.stage !== "talking") return [next, effects];
  const [offering, more] = repeatOffers(next, me);
  return [offering, [...effects, ...more]];
}

const isOwn = (call: OpenGroupCall): call is OwnGroupCall =>
  call.stage === "calling" || call.stage === "talking";

function timerEnded(call: OpenGroupCall, timer: GroupCallTimer): GroupCallStep {
  switch (timer) {
    case "ring":
      if (call.stage === "calling") return closeMine(call, { kind: "noAnswer" });
      // The signal that ends the ringing was lost.
      return call.stage === "ringing" ? closeMine(call, { kind: "youDidNotAnswer" }) : [call, []];
    case "heartbeat":
      return call.stage === "opening" ? [call, []] : beat(call);
    default:
      return timer satisfies never;
  }
}

function beat(call: OpenGroupCall): GroupCallStep {
  const effects: GroupCallEffect[] = [
    { kind: "heartbeat", groupId: call.groupId },
    { kind: "setTimer", timer: "heartbeat", ms: CALL_HEARTBEAT_MS },
  ];
  if (!isOwn(call)) return [call, effects];
  const [next, asks] = askWhoIsIn(call);
  return [next, [...effects, ...asks]];
}
