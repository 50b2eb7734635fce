/** The calls of groups: what each call of a client, and each event of the server, does to the stored call. */
import { MessageType } from "@parley/protocol/codes";
import { ApiError, malformedField, refuseIfLimited } from "../../api/api-error.ts";
import type { Actor, Handlers } from "../../api/api-call.ts";
import {
  type CallClient,
  type CallMemberRow,
  type GroupCallRow,
  groupCallKey,
} from "../../ports/call-store.ts";
import { CallChange, groupSignal } from "./call-change.ts";
import {
  type CallDevices,
  clientOf,
  devicesOf,
  enteredNow,
  hasFailed,
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
} from "./call-requests.ts";
import type { CallsReads } from "./calls-store.ts";
import { end, leave, remove, settle } from "./group-call-endings.ts";
import {
  type OpenCall,
  type SignalType,
  chatOf,
  findOpen,
  idsOf,
  isIn,
  memberOf,
  peopleContent,
  requireMembers,
  requireSpeaker,
  tell,
  viewCall,
  viewPeople,
  without,
} from "./group-call-people.ts";

export interface GroupCallsDeps extends CallRequestDeps {
  /** The most people in one call. */
  maxPeople: number;
}

type GroupCallHandlers = Pick<
  Handlers,
  | "setupGroupCall"
  | "acceptGroupCall"
  | "rejectGroupCall"
  | "failGroupCall"
  | "joinGroupCall"
  | "inviteToGroupCall"
  | "sendGroupOffer"
  | "sendGroupAnswer"
  | "sendGroupCandidate"
  | "setGroupCallDevice"
  | "quitGroupCall"
  | "cancelGroupCall"
  | "beatGroupCall"
  | "findGroupCall"
>;

/** A call as a member of the group finds it. `me`: undefined for members who are not called; `isHere`: the person is in it with this client. */
interface CallHere extends OpenCall {
  me: CallMemberRow | undefined;
  client: CallClient;
  isHere: boolean;
}

type AskedCall = CallHere & Asking;

/** Part of the contract: clients show these reasons. */
const REASONS = { busy: "用户正忙", unanswered: "未进入通话", notMember: "已不在群聊" } as const;

/** Undefined also for somebody who was never in the group, so that nobody learns from its number whether it has a call. */
async function findCallHere(reads: CallsReads, actor: Actor, groupId: number): Promise<CallHere | undefined> {
  const open = await findOpen(reads, groupId);
  if (open === undefined) return undefined;
  const me = memberOf(open.members, actor.userId);
  // Only members of the group come into its call.
  if (me === undefined && (await reads.findGroupMember(groupId, actor.userId)) === undefined)
    return undefined;
  const client = clientOf(actor);
  return { ...open, me, client, isHere: isSameClient(me?.client ?? null, client) };
}

/** Creates the handlers of the calls of groups. */
export function createGroupCalls(deps: GroupCallsDeps): GroupCallHandlers {
  const { store, rateLimiter, maxPeople } = deps;
  const { changeIfRunning, changeRunning, fail, beat } = createCallRequests(deps, findCallHere);

  /** Throws unless the person may begin or join a call now. Somebody who repeats the request after a lost answer is already in the call. */
  const requireReadyFor = async (actor: Actor, groupId: number): Promise<void> => {
    const mine = await store.findCallMember(actor.userId);
    if (mine?.callKey === groupCallKey(groupId) && isSameClient(mine.client, clientOf(actor))) return;
    await requireReady(deps, actor.userId);
  };

  /** The handler of what does nothing if there is no call. */
  const ifRunning =
    (work: (asked: AskedCall) => Promise<void>) =>
    async (call: { actor: Actor; now: number; query: { groupId: number } }): Promise<null> => {
      await changeIfRunning(call, call.query.groupId, work);
      return null;
    };

  const relay = async (
    call: { actor: Actor; now: number; body: { groupId: number; userId: number } },
    type: SignalType,
    value: object | string,
  ): Promise<null> => {
    await changeIfRunning(call, call.body.groupId, (asked) => passOn(asked, call.body.userId, type, value));
    return null;
  };

  return {
    async setupGroupCall({ actor, body, now }) {
      await requireReadyFor(actor, body.groupId);
      await CallChange.run(deps, now, (change) => setUp({ change, actor }, body, maxPeople));
      return null;
    },

    acceptGroupCall: (call) => changeRunning(call, call.query.groupId, accept),

    rejectGroupCall: ifRunning(reject),

    failGroupCall(call) {
      const { groupId, reason = "" } = call.body;
      return fail(call, groupId, noteFailure, (asked) => failForAll(asked, reason));
    },

    async joinGroupCall(call) {
      const { groupId } = call.query;
      await requireReadyFor(call.actor, groupId);
      return changeRunning(call, groupId, (asked) => join(asked, maxPeople));
    },

    async inviteToGroupCall(call) {
      const { groupId, userInfos } = call.body;
      refuseIfLimited(await rateLimiter.consume("startedCalls", call.actor.userId));
      return changeRunning(call, groupId, (asked) => invite(asked, userInfos, maxPeople));
    },

    sendGroupOffer: (call) => relay(call, MessageType.RTC_GROUP_OFFER, call.body.offer),
    sendGroupAnswer: (call) => relay(call, MessageType.RTC_GROUP_ANSWER, call.body.answer),
    sendGroupCandidate: (call) => relay(call, MessageType.RTC_GROUP_CANDIDATE, call.body.candidate),

    async setGroupCallDevice(call) {
      const devices = devicesOf(call.body);
      const isDone = await changeIfRunning(call, call.body.groupId, (asked) => setDevices(asked, devices));
      if (isDone !== true) throw new ApiError("call.notIn");
      return null;
    },

    quitGroupCall: ifRunning(quit),

    cancelGroupCall: ifRunning(cancel),

    beatGroupCall(call) {
      const from = { sendId: call.actor.userId, groupId: call.query.groupId };
      return beat(call, from.groupId, takeBeat, groupSignal(MessageType.RTC_GROUP_CANCEL, from));
    },

    async findGroupCall({ actor, query }) {
      const { groupId } = query;
      const member = await store.findGroupMember(groupId, actor.userId);
      if (member === undefined) throw new ApiError("group.notFound");
      if (member.quit) throw new ApiError("group.notMember");
      return viewCall(store, groupId);
    },
  };
}

async function setUp(
  { change, actor }: Asking,
  { groupId, userInfos }: { groupId: number; userInfos: readonly { id: number }[] },
  maxPeople: number,
): Promise<void> {
  const { tx, now } = change;
  const { userId } = actor;
  const client = clientOf(actor);
  await requireSpeaker(tx, groupId, userId);
  const mine = await tx.findCallMember(userId);
  const open = await findOpen(tx, groupId);
  // The client has not got the answer to its first request. Its node may have died before it notified anybody.
  if (open?.call.hostId === userId && mine !== undefined && isSameClient(mine.client, client)) {
    const called = open.members.filter((member) => !isIn(member));
    return tellOfCall(change, { sendId: userId, groupId }, called, open.members);
  }
  if (open !== undefined) throw new ApiError("call.groupRunning");
  if (mine !== undefined) throw new ApiError("call.youAreInCall");
  const ids = await requireMembers(tx, groupId, userId, userInfos);
  if (ids.length === 0) throw malformedField("userInfos", "must name somebody else");
  if (ids.length + 1 > maxPeople) throw new ApiError("call.full");
  const call = newCall(groupId, userId);
  const host = newCallMember(call.key, userId, client, now);
  await tx.insertCall(call);
  await tx.insertCallMember(host);
  const invited = await ring({ change, actor }, call, ids);
  await tellOfCall(change, { sendId: userId, groupId }, invited, [host, ...invited]);
  await change.announce(groupId, userId, "group.callStarted");
  await settle(change, call, [host, ...invited], userId);
}

const newCall = (groupId: number, hostId: number): GroupCallRow => ({
  key: groupCallKey(groupId),
  mode: "voice",
  hostId,
  groupId,
  calleeId: null,
  acceptedAt: null,
  heldOffer: null,
  offerCount: 0,
  heldCandidates: [],
});

/** Rings for those of these people who are free. Tells the inviting client who is busy, and names people who have blocked the inviter as busy too. */
async function ring(
  { change, actor }: Asking,
  { key, groupId }: GroupCallRow,
  ids: readonly number[],
): Promise<CallMemberRow[]> {
  const unreachable = new Set([
    ...(await change.tx.listPeopleInCalls(ids)),
    ...(await change.tx.listBlockers(actor.userId)),
  ]);
  const invited: CallMemberRow[] = [];
  for (const userId of ids) {
    if (unreachable.has(userId)) continue;
    const member = newCallMember(key, userId, null, change.now);
    await change.ringFor(member, chatOf(groupId), actor.userId);
    invited.push(member);
  }
  const busy = ids.filter((userId) => unreachable.has(userId));
  if (busy.length > 0) {
    const from = { sendId: actor.userId, groupId };
    const content = JSON.stringify({ userIds: busy, reason: REASONS.busy });
    change.toOne(actor, groupSignal(MessageType.RTC_GROUP_FAILED, from, content));
  }
  return invited;
}

/** Lets the clients of those who are called ring, with the list of all people. */
async function tellOfCall(
  change: CallChange,
  from: { sendId: number; groupId: number },
  called: readonly CallMemberRow[],
  all: readonly CallMemberRow[],
): Promise<void> {
  const content = await peopleContent(change.tx, from.groupId, all);
  await tell(change, called, MessageType.RTC_GROUP_SETUP, from, content);
}

/** A signal of the person who asks. */
const signalOf = ({ actor, call }: AskedCall, type: SignalType, content = "") =>
  groupSignal(type, { sendId: actor.userId, groupId: call.groupId }, content);

/** Sends something about this person to everybody else in the call. */
async function tellOthers(
  { change, call, members }: AskedCall,
  { userId }: CallMemberRow,
  type: SignalType,
  content = "",
): Promise<void> {
  const from = { sendId: userId, groupId: call.groupId };
  await tell(change, without(members, [userId]), type, from, content);
}

async function accept(asked: AskedCall): Promise<void> {
  const { me, isHere } = asked;
  if (me === undefined) throw new ApiError("call.notInvited");
  if (isIn(me) && !isHere) throw new ApiError("call.joinedElsewhere");
  await enter(asked, me);
}

/** A person who was called enters the call with this client. */
async function enter(asked: AskedCall, me: CallMemberRow): Promise<void> {
  const { change, call, client } = asked;
  // The node of the first request may have died before it notified anybody. Signals that wait for the client go on waiting.
  if (!isIn(me)) await change.tx.updateCallMember(me.userId, enteredNow(client, change.now));
  change.stopRinging([me.userId], chatOf(call.groupId));
  await tellOthers(asked, me, MessageType.RTC_GROUP_ACCEPT);
  change.toPerson(me.userId, signalOf(asked, MessageType.RTC_GROUP_ACCEPT), client);
}

async function join(asked: AskedCall, maxPeople: number): Promise<void> {
  const { change, actor, call, members, me, client, isHere } = asked;
  const { tx, now } = change;
  const { userId } = actor;
  await requireSpeaker(tx, call.groupId, userId);
  if (me !== undefined && !isIn(me)) return enter(asked, me);
  if (me !== undefined && !isHere) throw new ApiError("call.joinedElsewhere");
  if (me !== undefined) return tellOfJoining(asked, me);
  if ((await tx.findCallMember(userId)) !== undefined) throw new ApiError("call.youAreInCall");
  if (members.length >= maxPeople) throw new ApiError("call.full");
  const member = newCallMember(call.key, userId, client, now);
  await tx.insertCallMember(member);
  await tellOfJoining(asked, member);
}

async function tellOfJoining(asked: AskedCall, me: CallMemberRow): Promise<void> {
  const [view] = await viewPeople(asked.change.tx, asked.call.groupId, [me]);
  await tellOthers(asked, me, MessageType.RTC_GROUP_JOIN, JSON.stringify(view));
}

async function invite(
  asked: AskedCall,
  userInfos: readonly { id: number }[],
  maxPeople: number,
): Promise<void> {
  const { change, call, members, me, isHere } = asked;
  if (me === undefined || !isHere) throw new ApiError("call.notIn");
  const from = { sendId: me.userId, groupId: call.groupId };
  const ids = await requireMembers(change.tx, call.groupId, me.userId, userInfos);
  const added = ids.filter((id) => memberOf(members, id) === undefined);
  if (members.length + added.length > maxPeople) throw new ApiError("call.full");
  const invited = await ring(asked, call, added);
  if (invited.length === 0) return;
  await tellOfCall(change, from, invited, [...members, ...invited]);
  const content = await peopleContent(change.tx, call.groupId, invited);
  await tell(change, members, MessageType.RTC_GROUP_INVITE, from, content);
}

async function reject(asked: AskedCall): Promise<void> {
  if (asked.me !== undefined && !isIn(asked.me)) await decline(asked, asked.me, MessageType.RTC_GROUP_REJECT);
}

async function quit(asked: AskedCall): Promise<void> {
  const { change, me, isHere } = asked;
  if (me !== undefined && isHere) await leave(change, asked, me.userId, MessageType.RTC_GROUP_QUIT);
  else await reject(asked);
}

/** Somebody for whom it rings does not come. Their other clients learn of it. */
async function decline(
  asked: AskedCall,
  { userId }: CallMemberRow,
  type: SignalType,
  content = "",
): Promise<void> {
  asked.change.toPerson(userId, signalOf(asked, type, content), asked.client);
  await leave(asked.change, asked, userId, type, content);
}

/** Notes that this client cannot take the call that rings. Returns all that have failed. */
async function noteFailure({ change, me, client }: AskedCall): Promise<readonly CallClient[] | undefined> {
  if (me === undefined || isIn(me)) return undefined;
  const failedClients = withFailed(me.failedClients, client);
  await change.tx.updateCallMember(me.userId, { failedClients });
  return failedClients;
}

/** No client of this person can take the call, unless it has changed since. */
async function failForAll(asked: AskedCall, reason: string): Promise<void> {
  const { me, client } = asked;
  if (me === undefined || isIn(me) || !hasFailed(me, client)) return;
  const content = JSON.stringify({ userIds: [me.userId], reason });
  await decline(asked, me, MessageType.RTC_GROUP_FAILED, content);
}

/** Passes something on from one person in the call to another; without effect if one of them is not in it. */
async function passOn(
  asked: AskedCall,
  userId: number,
  type: SignalType,
  value: object | string,
): Promise<void> {
  const other = memberOf(asked.members, userId);
  const content = typeof value === "string" ? value : JSON.stringify(value);
  if (other !== undefined && asked.isHere)
    await asked.change.toClientOf(other, signalOf(asked, type, content));
}

/** Returns whether the person is in the call with this client. */
async function setDevices(asked: AskedCall, devices: CallDevices): Promise<boolean> {
  const { change, me, isHere } = asked;
  if (me === undefined || !isHere) return false;
  await change.tx.updateCallMember(me.userId, devices);
  await tellOthers(asked, me, MessageType.RTC_GROUP_DEVICE, JSON.stringify(devices));
  return true;
}

async function cancel({ change, actor: { userId }, call, members, isHere }: AskedCall): Promise<void> {
  if (call.hostId !== userId) throw new ApiError("call.notHost");
  // A late request of a client that has left, or has never been in it, must not end it for those who talk.
  if (isHere) await end(change, call, without(members, [userId]), userId);
}

/** Returns whether the client is in the call, or it rings there. */
async function takeBeat(asked: AskedCall): Promise<boolean> {
  const { change, actor, me, isHere } = asked;
  if (me === undefined) return false;
  if (isHere) {
    await noteBeat(asked, me);
    return true;
  }
  // It has missed that another client answered.
  if (isIn(me)) change.toOne(actor, signalOf(asked, MessageType.RTC_GROUP_ACCEPT));
  return !isIn(me);
}

/** What happens to the calls of groups without a request about them. */
export const groupCallEvents = {
  /** A client of somebody on whose clients the call rings has opened a socket. */
  async ringAgain(
    change: CallChange,
    { key, hostId, groupId }: GroupCallRow,
    client: CallClient & { userId: number },
  ): Promise<void> {
    const content = await peopleContent(change.tx, groupId, await change.tx.listCallMembers(key));
    change.toOne(client, groupSignal(MessageType.RTC_GROUP_SETUP, { sendId: hostId, groupId }, content));
  },

  /** The time of everybody who is due is over: they have not answered. */
  async unanswered(change: CallChange, call: GroupCallRow): Promise<void> {
    const { hostId, groupId } = call;
    const members = await change.tx.listCallMembers(call.key);
    const due = members.filter((member) => !isIn(member) && member.deadline <= change.now);
    const userIds = idsOf(due);
    const content = JSON.stringify({ userIds, reason: REASONS.unanswered });
    const signal = { type: MessageType.RTC_GROUP_FAILED, by: hostId, content } as const;
    await tell(change, due, signal.type, { sendId: hostId, groupId }, content);
    const rest = await remove(change, { call, members }, userIds, signal);
    await settle(change, call, rest, hostId);
  },

  /** A person's client has left the call for good. */
  async gone(change: CallChange, call: GroupCallRow, userId: number): Promise<void> {
    const members = await change.tx.listCallMembers(call.key);
    const others = without(members, [userId]);
    // The host has left before anybody came.
    if (userId === call.hostId && !others.some(isIn)) await end(change, call, others, userId);
    else await leave(change, { call, members }, userId, MessageType.RTC_GROUP_QUIT);
  },

  /** The group has changed: people who are no longer members leave the call, and the call of a closed group ends. */
  async groupChanged(change: CallChange, call: GroupCallRow): Promise<void> {
    const { groupId, hostId } = call;
    const group = await change.tx.findGroup(groupId);
    let members: readonly CallMemberRow[] = await change.tx.listCallMembers(call.key);
    if (group === undefined || group.dissolvedAt !== null || group.banReason !== null)
      return end(change, call, members, hostId, false);
    for (const { userId } of members) {
      const member = await change.tx.findGroupMember(groupId, userId);
      if (member !== undefined && !member.quit) continue;
      const removed = members.filter((one) => one.userId === userId);
      const content = JSON.stringify({ userIds: [userId], reason: REASONS.notMember });
      const signal = { type: MessageType.RTC_GROUP_FAILED, by: userId, content } as const;
      // Send the reason first, which a client shows. Clients that do not know this reason act on the second signal.
      await tell(change, removed, signal.type, { sendId: hostId, groupId }, content);
      await tell(change, removed, MessageType.RTC_GROUP_CANCEL, { sendId: hostId, groupId });
      members = await remove(change, { call, members }, [userId], signal);
      if (await settle(change, call, members, userId)) return;
    }
  },
};
