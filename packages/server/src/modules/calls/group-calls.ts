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
import type { Presence } from "../../ports/presence.ts";
import type { RateLimiter } from "../../ports/rate-limiter.ts";
import { CallChange, type CallChangeDeps, groupSignal } from "./call-change.ts";
import { beatOf, clientOf, heardNow, isSameClient, newCallMember, withFailed } from "./call-clients.ts";
import { type GroupCallEndingsDeps, createGroupCallEndings } from "./group-call-endings.ts";
import {
  type OpenCall,
  type SignalType,
  chatOf,
  findOpen,
  idsOf,
  isIn,
  memberOf,
  requireMembers,
  requireSpeaker,
  tell,
  viewCall,
  viewPeople,
  without,
} from "./group-call-people.ts";

export interface GroupCallsDeps extends CallChangeDeps, GroupCallEndingsDeps {
  presence: Presence;
  rateLimiter: RateLimiter;
  /** Whether a person has a client with a socket, on any node, that is none of these. */
  hasOtherClient(userId: number, except: readonly CallClient[]): Promise<boolean>;
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

/** What happens to the calls of groups without a request about them. */
export interface GroupCallEvents {
  /** A client of somebody on whose clients the call rings has opened a socket. */
  ringAgain(change: CallChange, call: GroupCallRow, client: CallClient & { userId: number }): Promise<void>;
  /** The time of everybody who is due is over: they have not answered. */
  unanswered(change: CallChange, call: GroupCallRow): Promise<void>;
  /** A person's client has left the call for good. */
  gone(change: CallChange, call: GroupCallRow, userId: number): Promise<void>;
  /** The group has changed: people who are no longer members leave the call, and the call of a closed group ends. */
  groupChanged(change: CallChange, call: GroupCallRow): Promise<void>;
}

/** Part of the contract: clients show these reasons. */
const REASONS = { busy: "用户正忙", unanswered: "未进入通话", notMember: "已不在群聊" } as const;

/** Creates the handlers and events of the calls of groups. */
export function createGroupCalls(deps: GroupCallsDeps): {
  handlers: GroupCallHandlers;
  events: GroupCallEvents;
} {
  const { store, presence, rateLimiter, hasOtherClient, maxPeople } = deps;

  const { announce, end, settle, remove, leave } = createGroupCallEndings(deps);

  /**
   * Runs a change of the running call of a group; undefined if there is none. Also undefined for somebody who was never in the
   * group, so that nobody learns from its number whether it has a call.
   */
  const changeCall = <R>(
    { actor, now }: { actor: Actor; now: number },
    groupId: number,
    work: (
      change: CallChange,
      open: OpenCall & { me: CallMemberRow | undefined; client: CallClient },
    ) => Promise<R>,
  ): Promise<R | undefined> =>
    CallChange.run(deps, now, async (change) => {
      const open = await findOpen(change.tx, groupId);
      if (open === undefined) return undefined;
      const me = memberOf(open.members, actor.userId);
      // Only members of the group come into its call.
      if (me === undefined && (await change.tx.findGroupMember(groupId, actor.userId)) === undefined)
        return undefined;
      return work(change, { ...open, me, client: clientOf(actor) });
    });

  /** Throws unless the person may begin or join a call now. Somebody who repeats the request after a lost answer is already in the call. */
  const requireReady = async (actor: Actor, groupId: number): Promise<void> => {
    const { userId } = actor;
    const mine = await store.findCallMember(userId);
    if (mine?.callKey === groupCallKey(groupId) && isSameClient(mine.client, clientOf(actor))) return;
    refuseIfLimited(await rateLimiter.consume("startedCalls", userId));
    if (!(await presence.online([userId])).has(userId)) throw new ApiError("call.offline");
  };

  /** Rings for those of these people who are free. Tells the inviting client who is busy, and names people who have blocked the inviter as busy too. */
  const ring = async (
    change: CallChange,
    { key, groupId }: GroupCallRow,
    ids: readonly number[],
    inviter: Actor,
  ): Promise<CallMemberRow[]> => {
    const unreachable = new Set([
      ...(await change.tx.listPeopleInCalls(ids)),
      ...(await change.tx.listBlockers(inviter.userId)),
    ]);
    const invited: CallMemberRow[] = [];
    for (const userId of ids) {
      if (unreachable.has(userId)) continue;
      const member = newCallMember(key, userId, null, change.now);
      await change.ringFor(member, chatOf(groupId), inviter.userId);
      invited.push(member);
    }
    const busy = ids.filter((userId) => unreachable.has(userId));
    if (busy.length > 0) {
      const content = JSON.stringify({ userIds: busy, reason: REASONS.busy });
      const from = { sendId: inviter.userId, groupId };
      change.toOne(inviter, groupSignal(MessageType.RTC_GROUP_FAILED, from, content));
    }
    return invited;
  };

  const setUp = async (
    change: CallChange,
    actor: Actor,
    { groupId, userInfos }: { groupId: number; userInfos: readonly { id: number }[] },
  ): Promise<void> => {
    const { tx, now } = change;
    const { userId } = actor;
    const client = clientOf(actor);
    await requireSpeaker(tx, groupId, userId);
    const mine = await tx.findCallMember(userId);
    const open = await findOpen(tx, groupId);
    // The client has not got the answer to its first request. Its node may have died before it notified anybody.
    if (open?.call.hostId === userId && mine !== undefined && isSameClient(mine.client, client)) {
      const people = JSON.stringify(await viewPeople(tx, groupId, open.members));
      const called = open.members.filter((member) => !isIn(member));
      return tell(change, called, MessageType.RTC_GROUP_SETUP, { sendId: userId, groupId }, people);
    }
    if (open !== undefined) throw new ApiError("call.groupRunning");
    if (mine !== undefined) throw new ApiError("call.youAreInCall");
    const ids = await requireMembers(tx, groupId, userId, userInfos);
    if (ids.length === 0) throw malformedField("userInfos", "must name somebody else");
    if (ids.length + 1 > maxPeople) throw new ApiError("call.full");
    const call: GroupCallRow = {
      key: groupCallKey(groupId),
      mode: "voice",
      hostId: userId,
      groupId,
      calleeId: null,
      acceptedAt: null,
      heldOffer: null,
      offerCount: 0,
      heldCandidates: [],
    };
    const host = newCallMember(call.key, userId, client, now);
    await tx.insertCall(call);
    await tx.insertCallMember(host);
    const invited = await ring(change, call, ids, actor);
    const content = JSON.stringify(await viewPeople(tx, groupId, [host, ...invited]));
    await tell(change, invited, MessageType.RTC_GROUP_SETUP, { sendId: userId, groupId }, content);
    await announce(change, groupId, userId, "group.callStarted");
    await settle(change, call, [host, ...invited], userId);
  };

  /** A person enters the call with this client. */
  const enter = async (
    change: CallChange,
    open: OpenCall & { me: CallMemberRow; client: CallClient },
  ): Promise<void> => {
    const { me, client } = open;
    await change.tx.updateCallMember(me.userId, { client, failedClients: [], ...heardNow(change.now) });
    await tellOfEntering(change, open);
  };

  const tellOfEntering = async (
    change: CallChange,
    { call, members, me, client }: OpenCall & { me: CallMemberRow; client: CallClient },
  ): Promise<void> => {
    change.stopRinging([me.userId], chatOf(call.groupId));
    const from = { sendId: me.userId, groupId: call.groupId };
    await tell(change, without(members, [me.userId]), MessageType.RTC_GROUP_ACCEPT, from);
    change.toPerson(me.userId, groupSignal(MessageType.RTC_GROUP_ACCEPT, from), client);
  };

  const tellOfJoining = async (
    change: CallChange,
    { call: { groupId }, members }: OpenCall,
    me: CallMemberRow,
  ): Promise<void> => {
    const [view] = await viewPeople(change.tx, groupId, [me]);
    const from = { sendId: me.userId, groupId };
    await tell(change, without(members, [me.userId]), MessageType.RTC_GROUP_JOIN, from, JSON.stringify(view));
  };

  /** Somebody for whom it rings does not come. Their other clients learn of it. */
  const decline = async (
    change: CallChange,
    open: OpenCall,
    me: CallMemberRow,
    client: CallClient | undefined,
    type: SignalType,
    content = "",
  ): Promise<void> => {
    const from = { sendId: me.userId, groupId: open.call.groupId };
    change.toPerson(me.userId, groupSignal(type, from, content), client);
    await leave(change, open, me.userId, type, content);
  };

  /** Passes something on from one person in the call to another; without effect if one of them is not in it. */
  const relay = async (
    call: { actor: Actor; now: number; body: { groupId: number; userId: number } },
    type: SignalType,
    value: object | string,
  ): Promise<null> => {
    const { groupId, userId } = call.body;
    await changeCall(call, groupId, async (change, { members, me, client }) => {
      const other = memberOf(members, userId);
      if (me === undefined || other === undefined || !isSameClient(me.client, client)) return;
      const content = typeof value === "string" ? value : JSON.stringify(value);
      const signal = groupSignal(type, { sendId: me.userId, groupId }, content);
      await change.toClientOf(other, signal);
    });
    return null;
  };

  const handlers: GroupCallHandlers = {
    async setupGroupCall({ actor, body, now }) {
      await requireReady(actor, body.groupId);
      await CallChange.run(deps, now, (change) => setUp(change, actor, body));
      return null;
    },

    async acceptGroupCall(call) {
      const isDone = await changeCall(call, call.query.groupId, async (change, { me, client, ...open }) => {
        if (me === undefined) throw new ApiError("call.notInvited");
        if (isIn(me) && !isSameClient(me.client, client)) throw new ApiError("call.joinedElsewhere");
        // The node of the first request may have died before it notified anybody. Signals that wait for the client go on waiting.
        if (isIn(me)) await tellOfEntering(change, { ...open, me, client });
        else await enter(change, { ...open, me, client });
        return true;
      });
      if (isDone !== true) throw new ApiError("call.ended");
      return null;
    },

    async rejectGroupCall(call) {
      await changeCall(call, call.query.groupId, async (change, { me, client, ...open }) => {
        if (me !== undefined && !isIn(me))
          await decline(change, open, me, client, MessageType.RTC_GROUP_REJECT);
      });
      return null;
    },

    async failGroupCall(call) {
      const { groupId, reason = "" } = call.body;
      const failedClients = await changeCall(call, groupId, async ({ tx }, { me, client }) => {
        if (me === undefined || isIn(me)) return undefined;
        const failed = withFailed(me.failedClients, client);
        await tx.updateCallMember(me.userId, { failedClients: failed });
        return failed;
      });
      // Outside of the transaction, because other nodes are asked. Those who fail at the same time are noted by now.
      if (failedClients === undefined || (await hasOtherClient(call.actor.userId, failedClients)))
        return null;
      await changeCall(call, groupId, async (change, { me, client, ...open }) => {
        if (me === undefined || isIn(me) || !me.failedClients.some((one) => isSameClient(one, client)))
          return;
        const content = JSON.stringify({ userIds: [me.userId], reason });
        await decline(change, open, me, client, MessageType.RTC_GROUP_FAILED, content);
      });
      return null;
    },

    async joinGroupCall(call) {
      const { actor, query } = call;
      const { groupId } = query;
      await requireReady(actor, groupId);
      const isDone = await changeCall(call, groupId, async (change, { me, client, ...open }) => {
        const { tx, now } = change;
        await requireSpeaker(tx, groupId, actor.userId);
        if (me !== undefined && !isIn(me)) await enter(change, { ...open, me, client });
        else if (me !== undefined) {
          if (!isSameClient(me.client, client)) throw new ApiError("call.joinedElsewhere");
          await tellOfJoining(change, open, me);
        } else {
          if ((await tx.findCallMember(actor.userId)) !== undefined) throw new ApiError("call.youAreInCall");
          if (open.members.length >= maxPeople) throw new ApiError("call.full");
          const member = newCallMember(open.call.key, actor.userId, client, now);
          await tx.insertCallMember(member);
          await tellOfJoining(change, open, member);
        }
        return true;
      });
      if (isDone !== true) throw new ApiError("call.ended");
      return null;
    },

    async inviteToGroupCall(call) {
      const { actor, body } = call;
      const { groupId } = body;
      refuseIfLimited(await rateLimiter.consume("startedCalls", actor.userId));
      const isDone = await changeCall(call, groupId, async (change, { call: open, members, me, client }) => {
        if (me === undefined || !isSameClient(me.client, client)) throw new ApiError("call.notIn");
        const ids = await requireMembers(change.tx, groupId, me.userId, body.userInfos);
        const added = ids.filter((id) => memberOf(members, id) === undefined);
        if (members.length + added.length > maxPeople) throw new ApiError("call.full");
        const invited = await ring(change, open, added, actor);
        if (invited.length === 0) return true;
        const from = { sendId: me.userId, groupId };
        const all = JSON.stringify(await viewPeople(change.tx, groupId, [...members, ...invited]));
        await tell(change, invited, MessageType.RTC_GROUP_SETUP, from, all);
        const fresh = JSON.stringify(await viewPeople(change.tx, groupId, invited));
        await tell(change, members, MessageType.RTC_GROUP_INVITE, from, fresh);
        return true;
      });
      if (isDone !== true) throw new ApiError("call.ended");
      return null;
    },

    sendGroupOffer: (call) => relay(call, MessageType.RTC_GROUP_OFFER, call.body.offer),
    sendGroupAnswer: (call) => relay(call, MessageType.RTC_GROUP_ANSWER, call.body.answer),
    sendGroupCandidate: (call) => relay(call, MessageType.RTC_GROUP_CANDIDATE, call.body.candidate),

    async setGroupCallDevice(call) {
      const { groupId, isCamera, isMicroPhone, isShareScreen = false } = call.body;
      const devices = { isCamera, isMicroPhone, isShareScreen };
      const isDone = await changeCall(call, groupId, async (change, { members, me, client }) => {
        if (me === undefined || !isSameClient(me.client, client)) return false;
        await change.tx.updateCallMember(me.userId, devices);
        const content = JSON.stringify(devices);
        const from = { sendId: me.userId, groupId };
        await tell(change, without(members, [me.userId]), MessageType.RTC_GROUP_DEVICE, from, content);
        return true;
      });
      if (isDone !== true) throw new ApiError("call.notIn");
      return null;
    },

    async quitGroupCall(call) {
      await changeCall(call, call.query.groupId, async (change, { me, client, ...open }) => {
        if (me === undefined) return;
        if (!isIn(me)) await decline(change, open, me, client, MessageType.RTC_GROUP_REJECT);
        else if (isSameClient(me.client, client))
          await leave(change, open, me.userId, MessageType.RTC_GROUP_QUIT);
      });
      return null;
    },

    async cancelGroupCall(call) {
      const { userId } = call.actor;
      await changeCall(call, call.query.groupId, async (change, { call: open, members, me, client }) => {
        if (open.hostId !== userId) throw new ApiError("call.notHost");
        // A late request of a client that has left, or has never been in it, must not end it for those who talk.
        if (me === undefined || !isSameClient(me.client, client)) return;
        await end(change, open, without(members, [userId]), userId);
      });
      return null;
    },

    async beatGroupCall(call) {
      const { actor, now, query } = call;
      const isStillIn = await changeCall(call, query.groupId, async (change, { me, client }) => {
        if (me === undefined) return false;
        if (!isSameClient(me.client, client)) {
          // It has missed that another client answered.
          const from = { sendId: me.userId, groupId: query.groupId };
          if (isIn(me)) change.toOne(actor, groupSignal(MessageType.RTC_GROUP_ACCEPT, from));
          return !isIn(me);
        }
        await change.tx.updateCallMember(me.userId, beatOf(me, change.now));
        if (me.detachedAt !== null) change.findSocketOf(actor);
        return true;
      });
      // A client that has missed the end learns of it.
      if (isStillIn !== true) {
        const from = { sendId: actor.userId, groupId: query.groupId };
        const signal = groupSignal(MessageType.RTC_GROUP_CANCEL, from);
        await CallChange.run(deps, now, async (change) => change.toOne(actor, signal));
      }
      return null;
    },

    async findGroupCall({ actor, query }) {
      const { groupId } = query;
      const member = await store.findGroupMember(groupId, actor.userId);
      if (member === undefined) throw new ApiError("group.notFound");
      if (member.quit) throw new ApiError("group.notMember");
      return viewCall(store, groupId);
    },
  };

  const events: GroupCallEvents = {
    async ringAgain(change, { key, hostId, groupId }, client) {
      const members = await change.tx.listCallMembers(key);
      const content = JSON.stringify(await viewPeople(change.tx, groupId, members));
      change.toOne(client, groupSignal(MessageType.RTC_GROUP_SETUP, { sendId: hostId, groupId }, content));
    },

    async unanswered(change, call) {
      const members = await change.tx.listCallMembers(call.key);
      const due = members.filter((member) => !isIn(member) && member.deadline <= change.now);
      const userIds = idsOf(due);
      const content = JSON.stringify({ userIds, reason: REASONS.unanswered });
      const signal = { type: MessageType.RTC_GROUP_FAILED, by: call.hostId, content } as const;
      const from = { sendId: call.hostId, groupId: call.groupId };
      await tell(change, due, signal.type, from, content);
      const rest = await remove(change, { call, members }, userIds, signal);
      await settle(change, call, rest, call.hostId);
    },

    async gone(change, call, userId) {
      const members = await change.tx.listCallMembers(call.key);
      const others = without(members, [userId]);
      // The host has left before anybody came.
      if (userId === call.hostId && !others.some(isIn)) await end(change, call, others, userId);
      else await leave(change, { call, members }, userId, MessageType.RTC_GROUP_QUIT);
    },

    async groupChanged(change, call) {
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

  return { handlers, events };
}
