/** Calls between two people: what each call of a client, and each event of the server, does to the stored call. */
import { ChatType, MessageType } from "@parley/protocol/codes";
import type { CallMode, PrivateCallInfo } from "@parley/protocol/entities";
import { CALL_SIGNALS_MAX } from "@parley/protocol/limits";
import type { PrivateCallSignal } from "@parley/protocol/signal";
import { isFriend } from "../../access/people.ts";
import { ApiError, malformedField } from "../../api/api-error.ts";
import type { Actor, Handlers } from "../../api/api-call.ts";
import {
  type CallClient,
  type CallMemberRow,
  type PrivateCallRow,
  privateCallKey,
} from "../../ports/call-store.ts";
import { CallChange, type CallSignal, earlyOffer, privateSignal } from "./call-change.ts";
import {
  type CallDevices,
  clientOf,
  devicesOf,
  enteredNow,
  hasFailed,
  heardNow,
  isSameClient,
  newCallMember,
  withFailed,
} from "./call-clients.ts";
import {
  type Asking,
  type CallRequestDeps,
  createCallRequests,
  noteBeat,
  requireReady,
  viewUser,
} from "./call-requests.ts";
import type { CallsReads, CallsTx } from "./calls-store.ts";

type SignalType = PrivateCallSignal["type"];

type PrivateCallHandlers = Pick<
  Handlers,
  | "setupPrivateCall"
  | "acceptPrivateCall"
  | "rejectPrivateCall"
  | "cancelPrivateCall"
  | "hangUpPrivateCall"
  | "failPrivateCall"
  | "sendPrivateOffer"
  | "sendPrivateAnswer"
  | "sendPrivateCandidate"
  | "setPrivateCallDevice"
  | "beatPrivateCall"
  | "findPrivateCall"
>;

/** A call as one of its two people sees it. */
interface OwnCall {
  call: PrivateCallRow;
  me: CallMemberRow;
  other: CallMemberRow;
  isHost: boolean;
}

/** The same for a client that asks about it. `isHere`: the person is in the call with this client. */
interface OwnCallHere extends OwnCall {
  client: CallClient;
  isHere: boolean;
}

type AskedCall = OwnCallHere & Asking;

/** What a client that accepts can do with the offer that was held, or has done. */
interface PreparedAnswer {
  canHold: boolean;
  answer: object | undefined;
  candidates: readonly object[];
}

const NOT_CHATTING: PrivateCallInfo = { isChating: false, mode: null, host: null, acceptor: null };
/** Part of the contract: clients show these reasons. */
const REASONS = { unanswered: "对方无应答", notFriend: "您已不是对方好友，无法呼叫" } as const;

/** The call that two people have with each other. */
async function findOwnCall(reads: CallsReads, userId: number, uid: number): Promise<OwnCall | undefined> {
  const me = await reads.findCallMember(userId);
  const call = me && (await reads.findCall(me.callKey));
  if (me === undefined || call === undefined || call.groupId !== null) return undefined;
  const isHost = call.hostId === userId;
  if ((isHost ? call.calleeId : call.hostId) !== uid) return undefined;
  const other = await reads.findCallMember(uid);
  return other && { call, me, other, isHost };
}

async function findCallHere(reads: CallsReads, actor: Actor, uid: number): Promise<OwnCallHere | undefined> {
  const own = await findOwnCall(reads, actor.userId, uid);
  const client = clientOf(actor);
  return own && { ...own, client, isHere: isSameClient(own.me.client, client) };
}

const isRinging = ({ acceptedAt }: PrivateCallRow) => acceptedAt === null;
const pairOf = (sendId: number, recvId: number) => ({ sendId, recvId });
const setupType = (mode: CallMode) =>
  mode === "voice" ? MessageType.RTC_SETUP_VOICE : MessageType.RTC_SETUP_VIDEO;

/** A signal from this person to the other one. */
const fromMe = ({ me, other }: OwnCall, type: SignalType, content: string | null = null): CallSignal =>
  privateSignal(type, pairOf(me.userId, other.userId), content);
/** A signal from the other person to this one. */
const fromOther = ({ me, other }: OwnCall, type: SignalType, content: string | null = null): CallSignal =>
  privateSignal(type, pairOf(other.userId, me.userId), content);

/** Creates the handlers of private calls. */
export function createPrivateCalls(deps: CallRequestDeps): PrivateCallHandlers {
  const { changeIfRunning, changeRunning, fail, beat } = createCallRequests(deps, findCallHere);

  const leaveOwn = async (call: { actor: Actor; now: number; query: { uid: number } }): Promise<null> => {
    await changeIfRunning(call, call.query.uid, leave);
    return null;
  };

  return {
    async setupPrivateCall({ actor, query, now }) {
      const { userId } = actor;
      if (query.uid === userId) throw malformedField("uid", "must be somebody else");
      const own = await findCallHere(deps.store, actor, query.uid);
      if (own === undefined || !isOwnRing(own, query.mode)) await requireReady(deps, userId);
      const refusal = await CallChange.run(deps, now, (change) => setUp({ change, actor }, query));
      if (refusal !== undefined) throw refusal;
      return null;
    },

    acceptPrivateCall(call) {
      const { answer, candidates = [] } = call.body ?? {};
      const prepared = { canHold: call.query.held === "1", answer, candidates };
      return changeRunning(call, call.query.uid, (own) => accept(own, prepared));
    },

    rejectPrivateCall: leaveOwn,
    cancelPrivateCall: leaveOwn,
    hangUpPrivateCall: leaveOwn,

    failPrivateCall(call) {
      const { uid, reason = "" } = call.query;
      return fail(
        call,
        uid,
        (own) => noteFailure(own, reason),
        (own) => failForAll(own, reason),
      );
    },

    sendPrivateOffer: (call) =>
      changeRunning(call, call.query.uid, (own) => relay(own, MessageType.RTC_OFFER, call.body, holdOffer)),
    sendPrivateAnswer: (call) =>
      changeRunning(call, call.query.uid, (own) => relay(own, MessageType.RTC_ANSWER, call.body)),
    sendPrivateCandidate: (call) =>
      changeRunning(call, call.query.uid, (own) =>
        relay(own, MessageType.RTC_CANDIDATE, call.body, holdCandidate),
      ),

    async setPrivateCallDevice(call) {
      await changeIfRunning(call, call.body.uid, (own) => setDevices(own, devicesOf(call.body)));
      return null;
    },

    beatPrivateCall(call) {
      const { actor, query } = call;
      const over = privateSignal(MessageType.RTC_HANDUP, pairOf(query.uid, actor.userId));
      return beat(call, query.uid, (own) => takeBeat(own, query.waiting === "1"), over);
    },

    async findPrivateCall({ actor, query }) {
      const own = await findOwnCall(deps.store, actor.userId, query.uid);
      if (own === undefined) return NOT_CHATTING;
      const { mode, hostId, calleeId } = own.call;
      const users = await deps.store.findUsers([hostId, calleeId]);
      const isChating = !isRinging(own.call);
      const acceptor = isChating ? viewUser(users.get(calleeId)) : null;
      return { isChating, mode, host: viewUser(users.get(hostId)), acceptor };
    },
  };
}

/** Whether this client has made this call, which rings: it has not got the answer to its first request. */
const isOwnRing = ({ call, isHost, isHere }: OwnCallHere, mode: CallMode) =>
  isHost && isHere && isRinging(call) && call.mode === mode;

/** Starts a call. Returns an error that is answered although the change is kept. */
async function setUp(asking: Asking, query: { uid: number; mode: CallMode }): Promise<ApiError | undefined> {
  const { change, actor } = asking;
  const { tx, now } = change;
  const { uid, mode } = query;
  const { userId } = actor;
  await requireFriends(tx, userId, uid);
  const ring = privateSignal(setupType(mode), pairOf(userId, uid));
  if (await isSetUp(asking, uid, mode)) {
    // The node of the first request may have died before it notified anybody.
    change.toPerson(uid, ring);
    return undefined;
  }
  const key = privateCallKey(userId);
  const call = { key, mode, hostId: userId, groupId: null, calleeId: uid, acceptedAt: null };
  if ((await tx.findCallMember(uid)) !== undefined) {
    if (!(await isBusyRecorded(tx, userId, uid, now))) await change.record(call, "busy");
    return new ApiError("call.busy");
  }
  await tx.insertCall({ ...call, heldOffer: null, offerCount: 0, heldCandidates: [] });
  // Until they say something else.
  const devices = { isCamera: mode === "video" };
  await tx.insertCallMember({ ...newCallMember(key, userId, clientOf(actor), now), ...devices });
  const callee = { ...newCallMember(key, uid, null, now), ...devices };
  await change.ringFor(callee, { type: ChatType.PRIVATE, targetId: userId }, userId);
  change.toPerson(uid, ring);
  return undefined;
}

/** Throws unless these two may talk. */
async function requireFriends(tx: CallsTx, userId: number, uid: number): Promise<void> {
  const areFriends = isFriend(await tx.findFriend(userId, uid)) && isFriend(await tx.findFriend(uid, userId));
  if (!areFriends) throw new ApiError("call.notFriend");
  if (await tx.isBlocked(uid, userId)) throw new ApiError("call.blockedYou");
}

/** Whether this client has made the same request before. Throws if the person is in another call. */
async function isSetUp({ change: { tx }, actor }: Asking, uid: number, mode: CallMode): Promise<boolean> {
  if ((await tx.findCallMember(actor.userId)) === undefined) return false;
  const own = await findCallHere(tx, actor, uid);
  if (own !== undefined && isRinging(own.call) && !own.isHost) throw new ApiError("call.crossed");
  if (own === undefined || !isOwnRing(own, mode)) throw new ApiError("call.youAreInCall");
  return true;
}

/** A client makes its request again for ten seconds if nobody has answered (`packages/core/src/calls/repeat-unanswered.ts`). */
const REPEATED_SETUP_MS = 15_000;

/** Whether the newest message between the two is the record that the other one was busy just now: then this is the same request again. */
async function isBusyRecorded(tx: CallsTx, userId: number, uid: number, now: number): Promise<boolean> {
  const [last] = await tx.listHistory(ChatType.PRIVATE, userId, uid, { from: "newest", size: 1 });
  if (last?.sendId !== userId || last.act?.result !== "busy") return false;
  return Math.abs(await tx.messageAge(last, now)) <= REPEATED_SETUP_MS;
}

async function accept(own: AskedCall, { canHold, answer, candidates }: PreparedAnswer): Promise<void> {
  const { change, call, me, other, isHost, client, isHere } = own;
  const { tx, now } = change;
  if (isHost) throw new ApiError("call.ended");
  if (!isRinging(call)) {
    if (!isHere) throw new ApiError("call.answeredElsewhere");
    // The node of the first request may have died before it notified anybody. The host sends its offer again, unless it has heard of the accept.
    return change.toClientOf(other, fromMe(own, MessageType.RTC_ACCEPT));
  }
  await tx.updateCall(call.key, { acceptedAt: now, heldOffer: null, heldCandidates: [] });
  change.stopRinging([me.userId], { type: ChatType.PRIVATE, targetId: other.userId });
  const accepted = { ...me, ...enteredNow(client, now) };
  await tx.updateCallMember(me.userId, enteredNow(client, now));
  // The host's client sends its first heartbeat some time after it learns of this.
  if (other.detachedAt === null) await tx.updateCallMember(other.userId, heardNow(now));
  // The answer to an offer that was replaced since is worth nothing.
  const isAnswered = answer !== undefined && isEarlyOffer(call);
  const heldOffer = canHold || isAnswered ? call.heldOffer : null;
  const toHost = (type: SignalType, content: string | null) =>
    change.toClientOf(other, fromMe(own, type, content));
  await toHost(MessageType.RTC_ACCEPT, heldOffer === null ? null : "held");
  change.toPerson(me.userId, fromMe(own, MessageType.RTC_ACCEPT), client);
  if (heldOffer === null) return;
  if (isAnswered) {
    await toHost(MessageType.RTC_ANSWER, JSON.stringify(answer));
    for (const candidate of candidates) await toHost(MessageType.RTC_CANDIDATE, JSON.stringify(candidate));
  } else await change.toClientOf(accepted, fromOther(own, MessageType.RTC_OFFER, heldOffer));
  for (const candidate of call.heldCandidates)
    await change.toClientOf(accepted, fromOther(own, MessageType.RTC_CANDIDATE, candidate));
}

type LeftCall = OwnCall & Pick<Asking, "change"> & { client?: CallClient };

/** Ends a call that one of the two has left: it is cancelled, rejected or hung up. `client`: the client that has asked for it; undefined: it is gone. */
async function leave(own: LeftCall): Promise<void> {
  const { change, call, me, other, isHost, client } = own;
  if (!isRinging(call)) {
    // A client on which it only rang has nothing to hang up.
    if (client !== undefined && !isSameClient(me.client, client)) return;
    await change.toClientOf(other, fromMe(own, MessageType.RTC_HANDUP));
    return change.end(call, "ended");
  }
  if (isHost) {
    change.toPerson(other.userId, fromMe(own, MessageType.RTC_CANCEL));
    return change.end(call, "cancelled");
  }
  await change.toClientOf(other, fromMe(own, MessageType.RTC_REJECT));
  change.toPerson(me.userId, fromMe(own, MessageType.RTC_REJECT), client);
  return change.end(call, "rejected");
}

/** A client cannot take the call: ends it, or notes that if it rings on clients of the callee. Returns those that have failed then. */
async function noteFailure(own: AskedCall, reason: string): Promise<readonly CallClient[] | undefined> {
  const { change, call, me, other, isHost, client, isHere } = own;
  if (isRinging(call) && !isHost) {
    const failedClients = withFailed(me.failedClients, client);
    await change.tx.updateCallMember(me.userId, { failedClients });
    return failedClients;
  }
  const failed = fromMe(own, MessageType.RTC_FAILED, reason);
  if (isRinging(call)) change.toPerson(other.userId, failed);
  else if (isHere) await change.toClientOf(other, failed);
  else return undefined;
  await change.end(call, "failed");
  return undefined;
}

/** Ends the call because no client of the callee can take it, unless the call has changed since. */
async function failForAll(own: AskedCall, reason: string): Promise<void> {
  const { change, call, me, other, isHost, client } = own;
  if (!isRinging(call) || isHost || !hasFailed(me, client)) return;
  const failed = fromMe(own, MessageType.RTC_FAILED, reason);
  await change.toClientOf(other, failed);
  change.toPerson(me.userId, failed, client);
  await change.end(call, "failed");
}

/** Keeps what the host has sent while it rings. */
type Hold = (own: AskedCall, content: string) => Promise<void>;

/** Passes a description or a candidate on to the other person. While it rings, that of the host is held, and others are refused. */
async function relay(own: AskedCall, type: SignalType, body: object, hold?: Hold): Promise<void> {
  const content = JSON.stringify(body);
  if (isRinging(own.call)) {
    if (!own.isHost || hold === undefined || !own.isHere) throw new ApiError("call.ended");
    return hold(own, content);
  }
  if (!own.isHere) throw new ApiError("call.answeredElsewhere");
  await own.change.toClientOf(own.other, fromMe(own, type, content));
}

const holdOffer: Hold = async ({ change, call }, heldOffer) => {
  // A client that got no answer sends it again, which replaces nothing.
  const offerCount = call.heldOffer === heldOffer ? call.offerCount : call.offerCount + 1;
  await change.tx.updateCall(call.key, { heldOffer, offerCount });
  ringWithOffer({ ...call, heldOffer, offerCount }, (signal) => change.toPerson(call.calleeId, signal));
};

const holdCandidate: Hold = async ({ change, call: { key, heldCandidates } }, candidate) => {
  if (heldCandidates.length < CALL_SIGNALS_MAX && !heldCandidates.includes(candidate))
    await change.tx.updateCall(key, { heldCandidates: [...heldCandidates, candidate] });
};

/** Whether clients may answer the held offer while it rings: the first one, as long as no other has replaced it. */
const isEarlyOffer = ({ heldOffer, offerCount }: PrivateCallRow) => heldOffer !== null && offerCount === 1;

/** Gives the clients on which it rings the offer, so that they prepare their answer. Candidates follow when somebody accepts. */
function ringWithOffer(call: PrivateCallRow, send: (signal: CallSignal) => void): void {
  const { heldOffer, hostId, calleeId } = call;
  if (heldOffer !== null && isEarlyOffer(call)) send(earlyOffer(pairOf(hostId, calleeId), heldOffer));
}

async function setDevices(own: AskedCall, devices: CallDevices): Promise<void> {
  const { change, call, me, other, isHere } = own;
  if (isRinging(call) || !isHere) return;
  await change.tx.updateCallMember(me.userId, devices);
  await change.toClientOf(other, fromMe(own, MessageType.RTC_DEVICE, JSON.stringify(devices)));
}

/** `isWaiting`: the client believes that it still rings. Returns whether the client is in the call, or it rings there. */
async function takeBeat(own: AskedCall, isWaiting: boolean): Promise<boolean> {
  const { change, actor, call, me, isHost, isHere } = own;
  if (!isHere) {
    if (me.client !== null && isWaiting) change.toOne(actor, fromMe(own, MessageType.RTC_ACCEPT));
    return me.client === null || isWaiting;
  }
  await noteBeat(own, me);
  // Without the offer and the answer that it may have missed as well: the host sends its offer again.
  if (isWaiting && isHost && !isRinging(call)) change.toOne(actor, fromOther(own, MessageType.RTC_ACCEPT));
  return true;
}

/** What happens to private calls without a request about them. The change is that of a person in the call. */
export const privateCallEvents = {
  /** A client of somebody on whose clients the call rings has opened a socket. */
  ringAgain(change: CallChange, call: PrivateCallRow, client: CallClient & { userId: number }): void {
    const { mode, hostId, calleeId } = call;
    change.toOne(client, privateSignal(setupType(mode), pairOf(hostId, calleeId)));
    ringWithOffer(call, (signal) => change.toOne(client, signal));
  },

  /** A client in the call has a new socket, and nobody has heard of the end of the one before: its node has died. */
  async cameBack(
    change: CallChange,
    { hostId, calleeId, acceptedAt }: PrivateCallRow,
    client: CallClient & { userId: number },
  ): Promise<void> {
    const otherId = client.userId === hostId ? calleeId : hostId;
    const other = await change.tx.findCallMember(otherId);
    if (other === undefined || acceptedAt === null) return;
    const content = JSON.stringify(devicesOf(other));
    change.toOne(client, privateSignal(MessageType.RTC_DEVICE, pairOf(otherId, client.userId), content));
  },

  /** The time to answer is over. */
  async unanswered(change: CallChange, call: PrivateCallRow): Promise<void> {
    const { hostId, calleeId } = call;
    const signal = privateSignal(MessageType.RTC_FAILED, pairOf(calleeId, hostId), REASONS.unanswered);
    const host = await change.tx.findCallMember(hostId);
    if (host !== undefined) await change.toClientOf(host, signal);
    change.toPerson(calleeId, signal);
    await change.end(call, "unanswered");
  },

  /** The two are no longer friends, or one has blocked the other: a call that rings ends, a call that was accepted goes on. */
  async parted(change: CallChange, call: PrivateCallRow): Promise<void> {
    if (!isRinging(call)) return;
    const { hostId, calleeId } = call;
    const host = await change.tx.findCallMember(hostId);
    change.toPerson(calleeId, privateSignal(MessageType.RTC_CANCEL, pairOf(hostId, calleeId)));
    const failed = privateSignal(MessageType.RTC_FAILED, pairOf(calleeId, hostId), REASONS.notFriend);
    if (host !== undefined) await change.toClientOf(host, failed);
    await change.end(call, "cancelled");
  },

  /** A person's client has left the call for good. */
  async gone(change: CallChange, { hostId, calleeId }: PrivateCallRow, userId: number): Promise<void> {
    const own = await findOwnCall(change.tx, userId, userId === hostId ? calleeId : hostId);
    if (own !== undefined) await leave({ ...own, change });
  },
};
