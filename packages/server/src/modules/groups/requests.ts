/** Inviting, and asking to be let in. Rule and write are one transaction; what was written is told after its commit. */
import { GroupRole, MessageType, RequestStatus } from "@parley/protocol/codes";
import type { GroupRequestVO } from "@parley/protocol/entities";
import { PENDING_REQUESTS_MAX } from "@parley/protocol/limits";
import { type Actor, type Handlers, Refusal } from "../../ports/call.ts";
import type { GroupMemberRow, GroupMessageRow, GroupRequestRow, GroupRow } from "../../ports/groups.ts";
import type { Tx, UserRow } from "../../ports/store.ts";
import type { GroupsDeps } from "./deps.ts";
import {
  type RequestOutcome,
  bringIn,
  closeRequest,
  findInvitees,
  makeRequest,
  viewRequest,
} from "./joining.ts";
import { createRequestTelling } from "./request-telling.ts";
import { findExisting, findStanding, refuseUnlessMay } from "./rights.ts";
import { createGroupTelling } from "./telling.ts";
import { createTipWriter, namingUsers } from "./tips.ts";

type RequestsHandlers = Pick<
  Handlers,
  "inviteToGroup" | "applyGroup" | "approveGroupRequest" | "rejectGroupRequest"
>;

/** What an attempt to come in has led to. */
interface Outcome {
  /** New requests, which wait. */
  asked: readonly RequestOutcome[];
  settled: readonly RequestOutcome[];
  tips: readonly GroupMessageRow[];
}

const NOTHING: Outcome = { asked: [], settled: [], tips: [] };

export function createGroupRequests(deps: GroupsDeps): RequestsHandlers {
  const { store, limits, defaultLanguage } = deps;
  const telling = createGroupTelling(deps);
  const requestTelling = createRequestTelling(deps);
  const writeTip = createTipWriter(defaultLanguage);

  const letIn = async (
    tx: Tx,
    group: GroupRow,
    people: readonly UserRow[],
    now: number,
    inviter?: GroupMemberRow,
  ): Promise<Outcome> => {
    const { members, settled } = await bringIn(tx, group, people, now);
    const tips: GroupMessageRow[] = [];
    if (inviter !== undefined) {
      const params = namingUsers(people);
      tips.push(await writeTip(tx, { by: inviter, key: "group.invited", params, now }));
    } else {
      for (const by of members) tips.push(await writeTip(tx, { by, key: "group.joined", now }));
    }
    return { asked: [], settled, tips };
  };

  const tell = async (actor: Actor | undefined, groupId: number, outcome: Outcome): Promise<void> => {
    for (const asked of outcome.asked) await requestTelling.asked(asked);
    for (const settled of outcome.settled) {
      await requestTelling.closed(actor, settled, MessageType.GROUP_REQ_APPROVE);
    }
    if (outcome.tips.length > 0) await telling.changed({ groupId, tips: outcome.tips });
  };

  const invite = async (
    tx: Tx,
    { group, me }: { group: GroupRow; me: GroupMemberRow },
    people: readonly UserRow[],
    now: number,
  ): Promise<Outcome> => {
    if (people.length === 0) return NOTHING;
    if (!group.joinApproval || me.role !== GroupRole.MEMBER) return letIn(tx, group, people, now, me);
    const asked: RequestOutcome[] = [];
    for (const person of people) {
      if ((await tx.findPendingGroupRequest(group.id, person.id)) !== undefined) continue;
      const wish = { groupId: group.id, sendId: person.id, inviterId: me.userId, remark: "", applyTime: now };
      asked.push(await makeRequest(tx, wish));
    }
    return { ...NOTHING, asked };
  };

  const apply = async (
    tx: Tx,
    group: GroupRow,
    person: UserRow,
    remark: string,
    now: number,
  ): Promise<Outcome & { vo: GroupRequestVO }> => {
    const pending = await tx.findPendingGroupRequest(group.id, person.id);
    const wish = { groupId: group.id, sendId: person.id, inviterId: null, remark, applyTime: now };
    if (group.joinApproval) {
      if (pending !== undefined) throw new Refusal("group.requestPending");
      if ((await tx.countPendingGroupRequests(person.id)) >= PENDING_REQUESTS_MAX) {
        throw new Refusal("group.requestsFull");
      }
      const asked = await makeRequest(tx, wish);
      return { ...NOTHING, asked: [asked], vo: asked.vo };
    }
    const status = RequestStatus.APPROVED;
    const request = pending ?? (await tx.insertGroupRequest({ ...wish, status }));
    const outcome = await letIn(tx, group, [person], now);
    return { ...outcome, vo: await viewRequest(tx, { ...request, status }) };
  };

  /** A pending request of a group that the acting person leads. */
  const findOpen = async (
    tx: Tx,
    id: number,
    userId: number,
  ): Promise<{ request: GroupRequestRow; group: GroupRow }> => {
    const request = await tx.findGroupRequest(id);
    const me = request && (await tx.findGroupMember(request.groupId, userId));
    if (request === undefined || me === undefined || me.quit) throw new Refusal("group.requestUnknown");
    const group = await findExisting(tx, request.groupId);
    refuseUnlessMay("handleRequests", group, me);
    if (request.status !== RequestStatus.PENDING) throw new Refusal("group.requestHandled");
    return { request, group };
  };

  return {
    async inviteToGroup({ actor, body, now }) {
      const outcome = await store.write(async (tx) => {
        const standing = await findStanding(tx, body.groupId, actor.userId, "invite");
        const people = await findInvitees(tx, actor.userId, body.friendIds);
        return invite(tx, standing, await findOutside(tx, body.groupId, people), now);
      });
      await tell(actor, body.groupId, outcome);
      return null;
    },

    async applyGroup({ actor, body, now }) {
      await limits.take("friendRequests", actor.userId);
      const outcome = await store.write(async (tx) => {
        const group = await findOpenGroup(tx, body.groupId);
        const person = await tx.findUser(actor.userId);
        if (person === undefined) throw new Refusal("user.notFound");
        const [outsider] = await findOutside(tx, group.id, [person]);
        if (outsider === undefined) throw new Refusal("group.already");
        if (await tx.isBlocked(group.ownerId, person.id)) throw new Refusal("group.cannotJoin");
        return apply(tx, group, person, body.remark ?? "", now);
      });
      await tell(undefined, body.groupId, outcome);
      return outcome.vo;
    },

    async approveGroupRequest({ actor, query, now }) {
      const { groupId, ...outcome } = await store.write(async (tx) => {
        const { request, group } = await findOpen(tx, query.id, actor.userId);
        const person = await tx.findUser(request.sendId);
        if (person === undefined || person.unregisteredAt !== null) throw new Refusal("user.notFound");
        const inviter =
          request.inviterId === null ? undefined : await tx.findGroupMember(group.id, request.inviterId);
        return { groupId: group.id, ...(await letIn(tx, group, [person], now, inviter)) };
      });
      await tell(actor, groupId, outcome);
      return null;
    },

    async rejectGroupRequest({ actor, query }) {
      const outcome = await store.write(async (tx) => {
        const { request } = await findOpen(tx, query.id, actor.userId);
        return closeRequest(tx, request, RequestStatus.REJECTED);
      });
      await requestTelling.closed(actor, outcome, MessageType.GROUP_REQ_REJECT);
      return null;
    },
  };
}

/** A group that takes people. */
async function findOpenGroup(tx: Tx, groupId: number): Promise<GroupRow> {
  const group = await findExisting(tx, groupId);
  if (group.dissolvedAt !== null) throw new Refusal("group.dissolved", { name: group.name });
  if (group.banReason !== null) {
    throw new Refusal("group.banned", { name: group.name, reason: group.banReason });
  }
  return group;
}

/** Those of these people who are not in the group. */
async function findOutside(tx: Tx, groupId: number, people: readonly UserRow[]): Promise<UserRow[]> {
  const outside: UserRow[] = [];
  for (const person of people) {
    const member = await tx.findGroupMember(groupId, person.id);
    if (member === undefined || member.quit) outside.push(person);
  }
  return outside;
}
