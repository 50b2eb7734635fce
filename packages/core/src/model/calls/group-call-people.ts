import type {
  GroupCallEffect,
  GroupCallPerson,
  GroupCallStep,
  ListedPerson,
  OpenGroupCall,
  PersonConnection,
  TalkingGroupCall,
} from "./group-call-state.ts";
import { closeGroupCall } from "./group-call-state.ts";

/** The people of a group's call: who comes, who leaves, and the connections with them. */

/** As long a new connection may take before it is repaired. */
export const REPAIR_MS = 10_000;
/** From one repair to the next. Then it has failed, after 40 s in all. */
const REPAIR_AGAIN_MS = 5_000;
const REPAIRS_MAX = 6;
/** A connection that was lost is restarted this often, for 30 s. */
const RESTART_INTERVAL_MS = 5_000;
const RESTARTS_MAX = 6;
/** A connection may come back by itself within this time. */
const LOST_AFTER_MS = 2_000;
/** The larger id restarts later than the smaller one, so that both rarely offer at once. */
const LARGER_RESTART_MS = 2_000;

/** Somebody of whom only the id is known. */
export function unknownPerson(userId: number): GroupCallPerson {
  return {
    userId,
    nickName: "",
    headImage: null,
    isIn: false,
    isCamera: false,
    isMicroPhone: true,
    isShareScreen: false,
    connection: "none",
    repairs: 0,
  };
}

/** Somebody as the server describes them, without a connection. */
export function listedPerson({ id, ...parts }: ListedPerson): GroupCallPerson {
  const { nickName, headImage, isIn, isCamera, isMicroPhone, isShareScreen = false } = parts;
  return { ...unknownPerson(id), nickName, headImage, isIn, isCamera, isMicroPhone, isShareScreen };
}

export const personOf = ({ people }: OpenGroupCall, userId: number) =>
  people.find((person) => person.userId === userId);

/** Whether there is a connection to use. */
export function hasPeer(connection: PersonConnection): boolean {
  return connection !== "none" && connection !== "waiting" && connection !== "failed";
}

/** Changes somebody, or adds them at the end. */
export function withPerson<Call extends OpenGroupCall>(
  call: Call,
  userId: number,
  change: Partial<GroupCallPerson>,
): Call {
  const known = personOf(call, userId);
  const next = { ...(known ?? unknownPerson(userId)), ...change };
  const people =
    known === undefined
      ? [...call.people, next]
      : call.people.map((person) => (person === known ? next : person));
  return { ...call, people };
}

/**
 * Somebody is in the call that I am in. Everybody who is in already offers to them; a person who comes later never offers first. The list of people may
 * have said so before the signal that they came.
 */
export function enter(
  call: TalkingGroupCall,
  userId: number,
  whoOffers: "me" | "they",
): [TalkingGroupCall, GroupCallEffect[]] {
  const known = personOf(call, userId);
  if (known?.isIn === true && (whoOffers === "they" || known.connection !== "waiting")) return [call, []];
  const isOffering = whoOffers === "me" && call.isConfirmed;
  const connection = isOffering ? "connecting" : "waiting";
  const entered = withPerson(call, userId, { isIn: true, connection, repairs: 0 });
  const isAwaitingOffer = whoOffers === "me" && !call.isConfirmed && !call.awaitingOffer.includes(userId);
  return [
    { ...entered, awaitingOffer: isAwaitingOffer ? [...call.awaitingOffer, userId] : call.awaitingOffer },
    [...(isOffering ? offerTo(userId) : []), { kind: "setRepair", userId, ms: REPAIR_MS }],
  ];
}

/** Creates a connection and offers it. */
export function offerTo(userId: number): GroupCallEffect[] {
  return [
    { kind: "createPeer", userId },
    { kind: "offer", userId },
  ];
}

/** They offer, or send candidates for an offer that is on its way: there has to be a connection for it. */
export function preparePeer(call: TalkingGroupCall, userId: number): [TalkingGroupCall, GroupCallEffect[]] {
  const [entered, effects] = enter(call, userId, "they");
  const person = personOf(entered, userId);
  if (person === undefined || hasPeer(person.connection)) return [entered, effects];
  return [
    withPerson(entered, userId, { connection: "connecting", repairs: 0 }),
    [...effects, { kind: "createPeer", userId }, { kind: "setRepair", userId, ms: REPAIR_MS }],
  ];
}

/** These people are out of the call. Alone I leave it as well. */
export function removePeople(
  call: OpenGroupCall,
  userIds: readonly number[],
  why: "quit" | "rejected" | "failed",
  reason: string,
): GroupCallStep {
  const removed = call.people.filter(({ userId }) => userIds.includes(userId));
  if (removed.length === 0) return [call, []];
  const people = call.people.filter((person) => !removed.includes(person));
  const { groupId } = call;
  const next: OpenGroupCall =
    call.stage === "talking"
      ? { ...call, people, awaitingOffer: call.awaitingOffer.filter((userId) => !userIds.includes(userId)) }
      : { ...call, people };
  const notices: GroupCallEffect[] =
    call.stage === "calling" || call.stage === "talking"
      ? [
          {
            kind: "personLeft",
            groupId,
            people: removed.map(({ userId, nickName }) => ({ userId, nickName })),
            why,
            reason,
          },
        ]
      : [];
  if (next.stage === "calling" && people.length === 0) {
    const cancel = { kind: "tell", what: "cancel", groupId } as const;
    if (why !== "failed") return closeGroupCall(groupId, { kind: "rejected" }, cancel);
    const [closed, effects] = closeGroupCall(groupId, { kind: "noAnswer" }, cancel);
    return [closed, [...notices, ...effects]];
  }
  if (isAlone(next)) {
    const [closed, effects] = closeAlone(groupId);
    return [closed, [...notices, ...effects]];
  }
  const disconnected = call.stage === "talking" ? removed.filter(({ isIn }) => isIn).flatMap(disconnect) : [];
  return [next, [...disconnected, ...notices]];
}

function disconnect({ userId, connection }: GroupCallPerson): GroupCallEffect[] {
  return [
    { kind: "clearRepair", userId },
    ...(hasPeer(connection) ? [{ kind: "closePeer", userId } as const] : []),
  ];
}

/** Whether I am in a call in which nobody else is, and nobody is expected. */
export function isAlone(call: OpenGroupCall): boolean {
  return (
    call.stage === "talking" && call.isConfirmed && call.list.kind === "known" && call.people.length === 0
  );
}

/** Nobody is left. The server says so as well, if it knows. */
export function closeAlone(groupId: number): GroupCallStep {
  return closeGroupCall(groupId, { kind: "ended" }, { kind: "tell", what: "quit", groupId });
}

/** The connection with somebody has changed. */
export function peerChanged(
  call: TalkingGroupCall,
  person: GroupCallPerson,
  state: "connected" | "disconnected" | "failed",
  me: number,
): GroupCallStep {
  const { userId, connection } = person;
  if (!hasPeer(connection)) return [call, []];
  switch (state) {
    case "connected":
      return [
        withPerson(call, userId, { connection: "connected", repairs: 0 }),
        [{ kind: "clearRepair", userId }],
      ];
    case "disconnected":
      return connection === "connected"
        ? [
            withPerson(call, userId, { connection: "shaky" }),
            [{ kind: "setRepair", userId, ms: LOST_AFTER_MS }],
          ]
        : [call, []];
    case "failed":
      // A connection that is being made or restored is offered again in a moment anyway.
      return connection === "connected" || connection === "shaky" ? lose(call, person, me) : [call, []];
    default:
      return state satisfies never;
  }
}

/** The connection with somebody is lost: it is made again with new candidates, while their picture stays. */
function lose(call: TalkingGroupCall, { userId }: GroupCallPerson, me: number): GroupCallStep {
  const isSmaller = me < userId;
  return [
    withPerson(call, userId, { connection: "reconnecting", repairs: 0 }),
    [
      { kind: "reconnectSocket" },
      ...(isSmaller ? [{ kind: "restart", userId } as const] : []),
      { kind: "setRepair", userId, ms: isSmaller ? RESTART_INTERVAL_MS : LARGER_RESTART_MS },
    ],
  ];
}

/** The connection with somebody was not made or restored in time. Both sides send again what may be lost, and the smaller id offers again. */
export function repair(call: TalkingGroupCall, person: GroupCallPerson, me: number): GroupCallStep {
  const { userId, connection } = person;
  switch (connection) {
    case "none":
    case "connected":
    case "failed":
      return [call, []];
    case "shaky":
      return lose(call, person, me);
    case "reconnecting":
      if (person.repairs === RESTARTS_MAX) return giveUp(call, person);
      return [
        withPerson(call, userId, { repairs: person.repairs + 1 }),
        [
          { kind: "restart", userId },
          { kind: "setRepair", userId, ms: RESTART_INTERVAL_MS },
        ],
      ];
    case "waiting":
    case "connecting":
      return offerAgain(call, person, me < userId);
    default:
      return connection satisfies never;
  }
}

function offerAgain(call: TalkingGroupCall, person: GroupCallPerson, isSmaller: boolean): GroupCallStep {
  const { userId, connection, repairs } = person;
  const again: GroupCallEffect = { kind: "setRepair", userId, ms: REPAIR_AGAIN_MS };
  // Nothing that I send arrives before the server has confirmed that I am in.
  if (!call.isConfirmed) return [call, [again]];
  if (repairs === REPAIRS_MAX) return giveUp(call, person);
  const counted = withPerson(call, userId, { repairs: repairs + 1 });
  if (connection === "connecting") return [counted, [{ kind: "repair", userId }, again]];
  if (!isSmaller) return [counted, [again]];
  return [withPerson(counted, userId, { connection: "connecting" }), [...offerTo(userId), again]];
}

function giveUp(call: TalkingGroupCall, { userId, connection }: GroupCallPerson): GroupCallStep {
  return [
    withPerson(call, userId, { connection: "failed", repairs: 0 }),
    hasPeer(connection) ? [{ kind: "closePeer", userId }] : [],
  ];
}

/**
 * Signals of connections that are being made may be lost. The side that has to offer does so again; the larger id asks for
 * it, because offers of both sides at once would cost more.
 */
export function repeatOffers(call: TalkingGroupCall, me: number): [TalkingGroupCall, GroupCallEffect[]] {
  let next = call;
  const effects: GroupCallEffect[] = [];
  for (const { userId, connection } of call.people) {
    if (connection === "connecting" || connection === "reconnecting")
      effects.push({ kind: "restart", userId });
    if (connection !== "waiting") continue;
    next = withPerson(next, userId, { connection: "connecting" });
    const ask: GroupCallEffect[] = [
      { kind: "createPeer", userId },
      { kind: "restart", userId },
    ];
    effects.push(...(me < userId ? offerTo(userId) : ask), { kind: "setRepair", userId, ms: REPAIR_MS });
  }
  return [next, effects];
}

/** The network came back or changed: connections that still look well may be broken, and those that failed may work now. */
export function restartAll(call: TalkingGroupCall): GroupCallStep {
  let next = call;
  const effects: GroupCallEffect[] = [{ kind: "reconnectSocket" }];
  for (const { userId, connection } of call.people) {
    if (connection === "failed") {
      next = withPerson(next, userId, { connection: "connecting", repairs: 0 });
      effects.push(...offerTo(userId), { kind: "setRepair", userId, ms: REPAIR_MS });
    } else if (hasPeer(connection)) effects.push({ kind: "restart", userId });
  }
  return [next, effects];
}
