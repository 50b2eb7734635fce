/** Calls between two people: what each call of a client, and each event of the server, does to the stored call. */
import { ChatType, MessageType } from "@parley/protocol/codes";
import type { PrivateCallInfo } from "@parley/protocol/entities";
import { CALL_SIGNALS_MAX } from "@parley/protocol/limits";
import { isFriend } from "../../access/people.ts";
import { ApiError, malformedField, refuseIfLimited } from "../../api/api-error.ts";
import type { Actor, Handlers } from "../../api/api-call.ts";
import {
  type CallClient,
  type CallMemberRow,
  type PrivateCallRow,
  privateCallKey,
} from "../../ports/call-store.ts";
import type { Presence } from "../../ports/presence.ts";
import type { RateLimiter } from "../../ports/rate-limiter.ts";
import { smallPicture } from "../../presenters/small-picture.ts";
import type { PrivateCallSignal } from "@parley/protocol/signal";
import {
  CallChange,
  type CallChangeDeps,
  type CallSignal,
  earlyOffer,
  privateSignal,
} from "./call-change.ts";
import { beatOf, clientOf, heardNow, isSameClient, newCallMember, withFailed } from "./call-clients.ts";
import type { CallsReads, CallsTx } from "./calls-store.ts";

export interface PrivateCallsDeps extends CallChangeDeps {
  presence: Presence;
  rateLimiter: RateLimiter;
  /** Whether a person has a client with a socket, on any node, that is none of these. */
  hasOtherClient(userId: number, except: readonly CallClient[]): Promise<boolean>;
}

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

/** What happens to private calls without a request about them. The change is that of a person in the call. */
export interface PrivateCallEvents {
  /** A client of somebody on whose clients the call rings has opened a socket. */
  ringAgain(change: CallChange, call: PrivateCallRow, client: CallClient & { userId: number }): void;
  /** A client in the call has a new socket, and nobody has heard of the end of the one before: its node has died. */
  cameBack(change: CallChange, call: PrivateCallRow, client: CallClient & { userId: number }): Promise<void>;
  /** The time to answer is over. */
  unanswered(change: CallChange, call: PrivateCallRow): Promise<void>;
  /** The two are no longer friends, or one has blocked the other: a call that rings ends, a call that was accepted goes on. */
  parted(change: CallChange, call: PrivateCallRow): Promise<void>;
  /** A person's client has left the call for good. */
  gone(change: CallChange, call: PrivateCallRow, userId: number): Promise<void>;
}

/** A call as one of its two people sees it. */
interface OwnCall {
  call: PrivateCallRow;
  me: CallMemberRow;
  other: CallMemberRow;
  isHost: boolean;
}

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

const isRinging = ({ acceptedAt }: PrivateCallRow) => acceptedAt === null;
const pairOf = (sendId: number, recvId: number) => ({ sendId, recvId });
const setupType = (mode: PrivateCallRow["mode"]) =>
  mode === "voice" ? MessageType.RTC_SETUP_VOICE : MessageType.RTC_SETUP_VIDEO;

/** Whether this client has made this call, which rings: it has not got the answer to its first request. */
const isOwnRing = ({ call, me, isHost }: OwnCall, client: CallClient, mode: PrivateCallRow["mode"]) =>
  isHost && isRinging(call) && call.mode === mode && isSameClient(me.client, client);

/** Whether clients may answer the held offer while it rings: the first one, as long as no other has replaced it. */
const isEarlyOffer = ({ heldOffer, offerCount }: PrivateCallRow) => heldOffer !== null && offerCount === 1;

/** Gives the clients on which it rings the offer, so that they prepare their answer. Candidates follow when somebody accepts. */
function ringWithOffer(call: PrivateCallRow, send: (signal: CallSignal) => void): void {
  const { heldOffer, hostId, calleeId } = call;
  if (heldOffer !== null && isEarlyOffer(call)) send(earlyOffer(pairOf(hostId, calleeId), heldOffer));
}

/** A client makes its request again for ten seconds if nobody has answered (`packages/core/src/calls/repeat-unanswered.ts`). */
const REPEATED_SETUP_MS = 15_000;

/** Whether the newest message between the two is the record that the other one was busy just now: then this is the same request again. */
async function isBusyRecorded(
  tx: Pick<CallsTx, "listHistory" | "messageAge">,
  userId: number,
  uid: number,
  now: number,
): Promise<boolean> {
  const [last] = await tx.listHistory(ChatType.PRIVATE, userId, uid, { from: "newest", size: 1 });
  if (last?.sendId !== userId || last.act?.result !== "busy") return false;
  return Math.abs(await tx.messageAge(last, now)) <= REPEATED_SETUP_MS;
}

/** Ends a call that one of the two has left: it is cancelled, rejected or hung up. `client`: the client that has asked for it; undefined: it is gone. */
async function leave(change: CallChange, own: OwnCall, client?: CallClient): Promise<void> {
  const { call, me, other, isHost } = own;
  const pair = pairOf(me.userId, other.userId);
  if (!isRinging(call)) {
    // A client on which it only rang has nothing to hang up.
    if (client !== undefined && !isSameClient(me.client, client)) return;
    await change.toClientOf(other, privateSignal(MessageType.RTC_HANDUP, pair));
    return change.end(call, "ended");
  }
  if (isHost) {
    change.toPerson(other.userId, privateSignal(MessageType.RTC_CANCEL, pair));
    return change.end(call, "cancelled");
  }
  const signal = privateSignal(MessageType.RTC_REJECT, pair);
  await change.toClientOf(other, signal);
  change.toPerson(me.userId, signal, client);
  return change.end(call, "rejected");
}

/** Creates the handlers and events of private calls. */
export function createPrivateCalls(deps: PrivateCallsDeps): {
  handlers: PrivateCallHandlers;
  events: PrivateCallEvents;
} {
  const { store, presence, rateLimiter, hasOtherClient } = deps;

  /** Runs a change of the call that the caller has with `uid`; undefined if there is none. */
  const changeOwn = <R>(
    { actor, now }: { actor: Actor; now: number },
    uid: number,
    work: (change: CallChange, own: OwnCall, client: CallClient) => Promise<R>,
  ): Promise<R | undefined> =>
    CallChange.run(deps, now, async (change) => {
      const own = await findOwnCall(change.tx, actor.userId, uid);
      return own && work(change, own, clientOf(actor));
    });

  const leaveOwn = async (call: { actor: Actor; now: number; query: { uid: number } }): Promise<null> => {
    await changeOwn(call, call.query.uid, leave);
    return null;
  };

  /** Passes a description or a candidate on to the other person, or keeps it while it rings. */
  const relay = async (
    call: { actor: Actor; now: number; query: { uid: number }; body: object },
    type: PrivateCallSignal["type"],
    /** Keeps that of the host while it rings; without this function it is refused. */
    hold?: (change: CallChange, call: PrivateCallRow, content: string) => Promise<void>,
  ): Promise<null> => {
    const content = JSON.stringify(call.body);
    const isDone = await changeOwn(call, call.query.uid, async (change, own, client) => {
      const { me, other, isHost } = own;
      if (isRinging(own.call)) {
        if (!isHost || hold === undefined || !isSameClient(me.client, client)) return false;
        await hold(change, own.call, content);
        return true;
      }
      if (!isSameClient(me.client, client)) throw new ApiError("call.answeredElsewhere");
      await change.toClientOf(other, privateSignal(type, pairOf(me.userId, other.userId), content));
      return true;
    });
    if (isDone !== true) throw new ApiError("call.ended");
    return null;
  };

  /** Throws unless these two may talk. */
  const requireFriends = async (tx: CallsTx, userId: number, uid: number): Promise<void> => {
    const areFriends =
      isFriend(await tx.findFriend(userId, uid)) && isFriend(await tx.findFriend(uid, userId));
    if (!areFriends) throw new ApiError("call.notFriend");
    if (await tx.isBlocked(uid, userId)) throw new ApiError("call.blockedYou");
  };

  /** Starts a call. Returns an error that is answered although the change is kept. */
  const setUp = async (
    change: CallChange,
    actor: Actor,
    { uid, mode }: { uid: number; mode: PrivateCallRow["mode"] },
  ): Promise<ApiError | undefined> => {
    const { tx, now } = change;
    const { userId } = actor;
    const client = clientOf(actor);
    await requireFriends(tx, userId, uid);
    const me = await tx.findCallMember(userId);
    if (me !== undefined) {
      const own = await findOwnCall(tx, userId, uid);
      if (own === undefined || !isRinging(own.call)) throw new ApiError("call.youAreInCall");
      if (!own.isHost) throw new ApiError("call.crossed");
      // The node of the first request may have died before it notified anybody.
      if (isOwnRing(own, client, mode)) {
        change.toPerson(uid, privateSignal(setupType(mode), pairOf(userId, uid)));
        return undefined;
      }
      throw new ApiError("call.youAreInCall");
    }
    const call = {
      key: privateCallKey(userId),
      mode,
      hostId: userId,
      groupId: null,
      calleeId: uid,
      acceptedAt: null,
    };
    if ((await tx.findCallMember(uid)) !== undefined) {
      if (!(await isBusyRecorded(tx, userId, uid, now))) await change.record(call, "busy");
      return new ApiError("call.busy");
    }
    await tx.insertCall({ ...call, heldOffer: null, offerCount: 0, heldCandidates: [] });
    // Until they say something else.
    const devices = { isCamera: mode === "video" };
    await tx.insertCallMember({ ...newCallMember(call.key, userId, client, now), ...devices });
    const from = { type: ChatType.PRIVATE, targetId: userId };
    await change.ringFor({ ...newCallMember(call.key, uid, null, now), ...devices }, from, userId);
    change.toPerson(uid, privateSignal(setupType(mode), pairOf(userId, uid)));
    return undefined;
  };

  const accept = async (
    change: CallChange,
    { call, me, other, isHost }: OwnCall,
    client: CallClient,
    { canHold, answer, candidates }: PreparedAnswer,
  ): Promise<void> => {
    const { tx, now } = change;
    if (isHost) throw new ApiError("call.ended");
    if (!isRinging(call)) {
      if (!isSameClient(me.client, client)) throw new ApiError("call.answeredElsewhere");
      // As above. The host sends its offer again, unless it has heard of the accept.
      const accepted = privateSignal(MessageType.RTC_ACCEPT, pairOf(me.userId, other.userId));
      return change.toClientOf(other, accepted);
    }
    await tx.updateCall(call.key, { acceptedAt: now, heldOffer: null, heldCandidates: [] });
    change.stopRinging([me.userId], { type: ChatType.PRIVATE, targetId: other.userId });
    const accepted = { ...me, client, ...heardNow(now) };
    await tx.updateCallMember(me.userId, { client, failedClients: [], ...heardNow(now) });
    // The host's client sends its first heartbeat some time after it learns of this.
    if (other.detachedAt === null) await tx.updateCallMember(other.userId, heardNow(now));
    // The answer to an offer that was replaced since is worth nothing.
    const isAnswered = answer !== undefined && isEarlyOffer(call);
    const { heldOffer } = canHold || isAnswered ? call : { heldOffer: null };
    const pair = pairOf(me.userId, other.userId);
    const toHost = (type: PrivateCallSignal["type"], content: string | null) =>
      change.toClientOf(other, privateSignal(type, pair, content));
    await toHost(MessageType.RTC_ACCEPT, heldOffer === null ? null : "held");
    change.toPerson(me.userId, privateSignal(MessageType.RTC_ACCEPT, pair), client);
    if (heldOffer === null) return;
    const fromHost = pairOf(other.userId, me.userId);
    if (isAnswered) {
      await toHost(MessageType.RTC_ANSWER, JSON.stringify(answer));
      for (const candidate of candidates) await toHost(MessageType.RTC_CANDIDATE, JSON.stringify(candidate));
    } else await change.toClientOf(accepted, privateSignal(MessageType.RTC_OFFER, fromHost, heldOffer));
    for (const candidate of call.heldCandidates)
      await change.toClientOf(accepted, privateSignal(MessageType.RTC_CANDIDATE, fromHost, candidate));
  };

  const failed = ({ me, other }: OwnCall, reason: string): CallSignal =>
    privateSignal(MessageType.RTC_FAILED, pairOf(me.userId, other.userId), reason);

  /**
   * A device cannot take the call. While it rings, others of the callee may still take it: then it is only noted, and the result is the
   * clients that have failed so far.
   */
  const fail = async (
    change: CallChange,
    own: OwnCall,
    client: CallClient,
    reason: string,
  ): Promise<readonly CallClient[] | undefined> => {
    const { call, me, other, isHost } = own;
    if (isRinging(call) && !isHost) {
      const failedClients = withFailed(me.failedClients, client);
      await change.tx.updateCallMember(me.userId, { failedClients });
      return failedClients;
    }
    if (isRinging(call)) change.toPerson(other.userId, failed(own, reason));
    else if (isSameClient(me.client, client)) await change.toClientOf(other, failed(own, reason));
    else return undefined;
    await change.end(call, "failed");
    return undefined;
  };

  /** Ends the call because no client of the callee can take it, unless the call has changed since. */
  const failForAll = async (
    change: CallChange,
    own: OwnCall,
    client: CallClient,
    reason: string,
  ): Promise<void> => {
    const { call, me, other, isHost } = own;
    const isNoted = me.failedClients.some((one) => isSameClient(one, client));
    if (!isRinging(call) || isHost || !isNoted) return;
    await change.toClientOf(other, failed(own, reason));
    change.toPerson(me.userId, failed(own, reason), client);
    await change.end(call, "failed");
  };

  const handlers: PrivateCallHandlers = {
    async setupPrivateCall({ actor, query, now }) {
      const { userId } = actor;
      if (query.uid === userId) throw malformedField("uid", "must be somebody else");
      const own = await findOwnCall(store, userId, query.uid);
      if (own === undefined || !isOwnRing(own, clientOf(actor), query.mode)) {
        refuseIfLimited(await rateLimiter.consume("startedCalls", userId));
        if (!(await presence.online([userId])).has(userId)) throw new ApiError("call.offline");
      }
      const refusal = await CallChange.run(deps, now, (change) => setUp(change, actor, query));
      if (refusal !== undefined) throw refusal;
      return null;
    },

    async acceptPrivateCall(call) {
      const { uid, held } = call.query;
      const { answer, candidates = [] } = call.body ?? {};
      const isDone = await changeOwn(call, uid, async (change, own, client) => {
        await accept(change, own, client, { canHold: held === "1", answer, candidates });
        return true;
      });
      if (isDone !== true) throw new ApiError("call.ended");
      return null;
    },

    rejectPrivateCall: leaveOwn,
    cancelPrivateCall: leaveOwn,
    hangUpPrivateCall: leaveOwn,

    async failPrivateCall(call) {
      const { uid, reason = "" } = call.query;
      const failedClients = await changeOwn(call, uid, (change, own, client) =>
        fail(change, own, client, reason),
      );
      // Outside of the transaction, because other nodes are asked. Those who fail at the same time are noted by now.
      if (failedClients === undefined || (await hasOtherClient(call.actor.userId, failedClients)))
        return null;
      await changeOwn(call, uid, (change, own, client) => failForAll(change, own, client, reason));
      return null;
    },

    sendPrivateOffer: (call) =>
      relay(call, MessageType.RTC_OFFER, async (change, row, heldOffer) => {
        // A client that got no answer sends it again, which replaces nothing.
        const offerCount = row.heldOffer === heldOffer ? row.offerCount : row.offerCount + 1;
        await change.tx.updateCall(row.key, { heldOffer, offerCount });
        ringWithOffer({ ...row, heldOffer, offerCount }, (signal) => change.toPerson(row.calleeId, signal));
      }),
    sendPrivateAnswer: (call) => relay(call, MessageType.RTC_ANSWER),
    sendPrivateCandidate: (call) =>
      relay(call, MessageType.RTC_CANDIDATE, async ({ tx }, { key, heldCandidates }, candidate) => {
        if (heldCandidates.length < CALL_SIGNALS_MAX && !heldCandidates.includes(candidate))
          await tx.updateCall(key, { heldCandidates: [...heldCandidates, candidate] });
      }),

    async setPrivateCallDevice(call) {
      const { uid, isCamera, isMicroPhone, isShareScreen = false } = call.body;
      const content = JSON.stringify({ isCamera, isMicroPhone, isShareScreen });
      await changeOwn(call, uid, async (change, own, client) => {
        const { me, other } = own;
        if (isRinging(own.call) || !isSameClient(me.client, client)) return;
        await change.tx.updateCallMember(me.userId, { isCamera, isMicroPhone, isShareScreen });
        await change.toClientOf(
          other,
          privateSignal(MessageType.RTC_DEVICE, pairOf(me.userId, uid), content),
        );
      });
      return null;
    },

    async beatPrivateCall(call) {
      const { actor, now, query } = call;
      const isWaiting = query.waiting === "1";
      const isIn = await changeOwn(
        call,
        query.uid,
        async (change, { call: row, me, other, isHost }, client) => {
          if (!isSameClient(me.client, client)) {
            if (me.client !== null && isWaiting)
              change.toOne(actor, privateSignal(MessageType.RTC_ACCEPT, pairOf(me.userId, other.userId)));
            return me.client === null || isWaiting;
          }
          await change.tx.updateCallMember(me.userId, beatOf(me, now));
          if (me.detachedAt !== null) change.findSocketOf(actor);
          // Without the offer and the answer that it may have missed as well: the host sends its offer again.
          if (isWaiting && isHost && !isRinging(row))
            change.toOne(actor, privateSignal(MessageType.RTC_ACCEPT, pairOf(other.userId, me.userId)));
          return true;
        },
      );
      // A client that has missed the end learns of it.
      if (isIn !== true) {
        const signal = privateSignal(MessageType.RTC_HANDUP, pairOf(query.uid, actor.userId));
        await CallChange.run(deps, now, async (change) => change.toOne(actor, signal));
      }
      return null;
    },

    async findPrivateCall({ actor, query }) {
      const own = await findOwnCall(store, actor.userId, query.uid);
      if (own === undefined) return NOT_CHATTING;
      const { mode, hostId, calleeId } = own.call;
      const users = await store.findUsers([hostId, calleeId]);
      const view = (id: number) => {
        const user = users.get(id);
        return user === undefined ? null : { id, nickName: user.nickName, headImage: smallPicture(user) };
      };
      const isChating = !isRinging(own.call);
      return { isChating, mode, host: view(hostId), acceptor: isChating ? view(calleeId) : null };
    },
  };

  const events: PrivateCallEvents = {
    ringAgain(change, call, client) {
      const { mode, hostId, calleeId } = call;
      change.toOne(client, privateSignal(setupType(mode), pairOf(hostId, calleeId)));
      ringWithOffer(call, (signal) => change.toOne(client, signal));
    },

    async cameBack(change, { hostId, calleeId, acceptedAt }, client) {
      const otherId = client.userId === hostId ? calleeId : hostId;
      const other = await change.tx.findCallMember(otherId);
      if (other === undefined || acceptedAt === null) return;
      const { isCamera, isMicroPhone, isShareScreen } = other;
      const content = JSON.stringify({ isCamera, isMicroPhone, isShareScreen });
      change.toOne(client, privateSignal(MessageType.RTC_DEVICE, pairOf(otherId, client.userId), content));
    },

    async unanswered(change, call) {
      const { hostId, calleeId } = call;
      const signal = privateSignal(MessageType.RTC_FAILED, pairOf(calleeId, hostId), REASONS.unanswered);
      const host = await change.tx.findCallMember(hostId);
      if (host !== undefined) await change.toClientOf(host, signal);
      change.toPerson(calleeId, signal);
      await change.end(call, "unanswered");
    },

    async parted(change, call) {
      if (!isRinging(call)) return;
      const { hostId, calleeId } = call;
      const host = await change.tx.findCallMember(hostId);
      change.toPerson(calleeId, privateSignal(MessageType.RTC_CANCEL, pairOf(hostId, calleeId)));
      if (host !== undefined) {
        const pair = pairOf(calleeId, hostId);
        await change.toClientOf(host, privateSignal(MessageType.RTC_FAILED, pair, REASONS.notFriend));
      }
      await change.end(call, "cancelled");
    },

    async gone(change, { hostId, calleeId }, userId) {
      const own = await findOwnCall(change.tx, userId, userId === hostId ? calleeId : hostId);
      if (own !== undefined) await leave(change, own);
    },
  };

  return { handlers, events };
}
