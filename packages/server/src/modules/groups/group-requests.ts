/** Invitations and requests to join. Checks and writes are one transaction; pushes are sent after its commit. */
import { MessageType, RequestStatus } from "@parley/protocol/codes";
import { visibleOrEmpty } from "@parley/protocol/text";
import { requireOpenAccount } from "../../access/people.ts";
import { ApiError, refuseIfLimited } from "../../api/api-error.ts";
import type { Actor, Handlers } from "../../api/api-call.ts";
import type { GroupRequestRow, GroupRow } from "../../ports/group-store.ts";
import type { GroupsTx } from "./groups-store.ts";
import type { GroupsDeps } from "./groups-deps.ts";
import { type JoinOutcome, createJoinGroup } from "./join-group.ts";
import { closeGroupRequest, findInvitees, mayInvite } from "./membership.ts";
import { createNotifyGroupRequests } from "./notify-group-requests.ts";
import { authorize, requireOpenGroup } from "../../access/group-access.ts";
import { authorizeMember, requireKnownGroup } from "./authorize.ts";
import { createNotifyGroup } from "./notify-group.ts";

type GroupRequestsHandlers = Pick<
  Handlers,
  "inviteToGroup" | "applyGroup" | "approveGroupRequest" | "rejectGroupRequest"
>;

export function createGroupRequests(deps: GroupsDeps): GroupRequestsHandlers {
  const { store, rateLimiter, defaultLanguage } = deps;
  const notifyGroup = createNotifyGroup(deps);
  const notifyRequests = createNotifyGroupRequests(deps);
  const { admit, invite, apply } = createJoinGroup(defaultLanguage);

  const notify = async (actor: Actor | undefined, groupId: number, outcome: JoinOutcome): Promise<void> => {
    for (const requested of outcome.requested) await notifyRequests.requestSent(requested);
    for (const settled of outcome.settled) {
      await notifyRequests.requestClosed(actor, settled, MessageType.GROUP_REQ_APPROVE);
    }
    if (outcome.tips.length > 0) await notifyGroup.groupChanged({ groupId, tips: outcome.tips });
  };

  return {
    async inviteToGroup({ actor, body, now }) {
      refuseIfLimited(await rateLimiter.consume("groupChanges", actor.userId));
      const outcome = await store.write(async (tx) => {
        const membership = await authorizeMember(tx, body.groupId, actor.userId, "invite");
        const people = await findInvitees(tx, actor.userId, body.friendIds);
        return invite(tx, membership, people, now);
      });
      await notify(actor, body.groupId, outcome);
      return null;
    },

    async applyGroup({ actor, body, now }) {
      refuseIfLimited(await rateLimiter.consume("friendRequests", actor.userId));
      const outcome = await store.write(async (tx) => {
        const person = await tx.findUser(actor.userId);
        if (person === undefined) throw new ApiError("user.notFound");
        const { group, member, pending } = await requireKnownGroup(tx, body.groupId, person.id);
        requireOpenGroup(group);
        if (member?.quit === false) throw new ApiError("group.already");
        if (await tx.isBlocked(group.ownerId, person.id)) throw new ApiError("group.cannotJoin");
        return apply(tx, { group, member, pending }, person, visibleOrEmpty(body.remark ?? ""), now);
      });
      await notify(undefined, body.groupId, outcome);
      return outcome.vo;
    },

    async approveGroupRequest({ actor, query, now }) {
      const { groupId, ...outcome } = await store.write(async (tx) => {
        const { request, group } = await findPendingRequest(tx, query.id, actor.userId);
        const { inviterId, sendId } = request;
        const person = requireOpenAccount(await tx.findUser(sendId));
        // The invited person may have ended the friendship, or blocked the inviter, since.
        if (inviterId !== null && !(await mayInvite(tx, inviterId, sendId)))
          throw new ApiError("group.inviterNotFriend");
        const inviter = inviterId === null ? undefined : await tx.findGroupMember(group.id, inviterId);
        return { groupId: group.id, ...(await admit(tx, group, [person], now, inviter)) };
      });
      await notify(actor, groupId, outcome);
      return null;
    },

    async rejectGroupRequest({ actor, query }) {
      const outcome = await store.write(async (tx) => {
        const { request } = await findPendingRequest(tx, query.id, actor.userId);
        return closeGroupRequest(tx, request, RequestStatus.REJECTED);
      });
      await notifyRequests.requestClosed(actor, outcome, MessageType.GROUP_REQ_REJECT);
      return null;
    },
  };
}

/** Finds a pending request that `userId` may handle, and its group. */
async function findPendingRequest(
  tx: GroupsTx,
  id: number,
  userId: number,
): Promise<{ request: GroupRequestRow; group: GroupRow }> {
  const request = await tx.findGroupRequest(id);
  const me = request && (await tx.findGroupMember(request.groupId, userId));
  const group = request && (await tx.findGroup(request.groupId));
  if (request === undefined || group === undefined || me === undefined || me.quit)
    throw new ApiError("group.requestUnknown");
  authorize("handleRequests", group, me);
  if (request.status !== RequestStatus.PENDING) throw new ApiError("group.requestHandled");
  return { request, group };
}
