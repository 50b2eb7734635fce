/** Joining a group: what creating, inviting, applying and approving share. */
import { GroupRole, MessageType, RequestStatus } from "@parley/protocol/codes";
import type { GroupRequestVO } from "@parley/protocol/entities";
import { isFriend } from "../../access/people.ts";
import { ApiError } from "../../api/api-error.ts";
import type { UserRow } from "../../ports/account-store.ts";
import type { GroupMemberRow, GroupRequestRow, GroupRow } from "../../ports/group-store.ts";
import type { SystemRow } from "../../ports/system-message-store.ts";
import { membersMax } from "../../presenters/group-presenter.ts";
import type { GroupsTx } from "./groups-store.ts";
import { viewGroupRequests } from "./view-group.ts";

/** A request after it was created or handled, with the messages that were stored along with it. */
export interface GroupRequestOutcome {
  vo: GroupRequestVO;
  /** The messages in the system chats of those who were owner or admin when the request was created. */
  systemRows: readonly SystemRow[];
  /** The current owner and admins. */
  leaderIds: readonly number[];
}

/** Adds these people. Returns the new members, and the pending requests that were approved by it. */
export async function addMembers(
  tx: GroupsTx,
  group: GroupRow,
  people: readonly UserRow[],
  now: number,
): Promise<{ members: GroupMemberRow[]; settled: GroupRequestOutcome[] }> {
  const count = (await tx.countGroupMembers([group.id])).get(group.id) ?? 0;
  const max = membersMax(group);
  if (count + people.length > max) throw new ApiError("group.full", { max });
  const members: GroupMemberRow[] = [];
  const settled: GroupRequestOutcome[] = [];
  for (const person of people) {
    members.push(await tx.upsertGroupMember(group.id, person.id, GroupRole.MEMBER, now));
    const request = await tx.findPendingGroupRequest(group.id, person.id);
    if (request !== undefined) settled.push(await closeGroupRequest(tx, request, RequestStatus.APPROVED));
  }
  return { members, settled };
}

/** Whether somebody may bring this person into groups: both are friends, and the person has not blocked them. */
export async function mayInvite(tx: GroupsTx, inviterId: number, personId: number): Promise<boolean> {
  const [mine, theirs] = [await tx.findFriend(inviterId, personId), await tx.findFriend(personId, inviterId)];
  return isFriend(mine) && isFriend(theirs) && !(await tx.isBlocked(personId, inviterId));
}

/** Finds the people to invite. Throws unless each is a friend on both sides and has not blocked `userId`. */
export async function findInvitees(tx: GroupsTx, userId: number, ids: readonly number[]): Promise<UserRow[]> {
  const people: UserRow[] = [];
  for (const id of new Set(ids)) {
    if (id === userId) continue;
    const user = await tx.findUser(id);
    if (user === undefined || !(await mayInvite(tx, userId, id))) throw new ApiError("group.notFriends");
    people.push(user);
  }
  return people;
}

async function listLeaders(tx: GroupsTx, groupId: number): Promise<number[]> {
  const members = await tx.listGroupMembers(groupId);
  const leaderIds = members.filter((member) => !member.quit && member.role !== GroupRole.MEMBER);
  return leaderIds.map((member) => member.userId);
}

/** Stores a request, and a system message about it for the owner and each admin. */
export async function storeGroupRequest(
  tx: GroupsTx,
  details: Omit<GroupRequestRow, "id" | "status">,
): Promise<GroupRequestOutcome> {
  const request = await tx.insertGroupRequest({ ...details, status: RequestStatus.PENDING });
  const vo = await viewGroupRequest(tx, request);
  const leaderIds = await listLeaders(tx, request.groupId);
  const systemRows: SystemRow[] = [];
  for (const userId of leaderIds) {
    const systemRow = await tx.appendSystem({
      userId,
      type: MessageType.GROUP_APPLY,
      content: JSON.stringify(vo),
      sendTime: request.applyTime,
      groupRequestId: request.id,
    });
    systemRows.push(systemRow);
  }
  return { vo, systemRows, leaderIds };
}

/** Gives a request its final state, also in the system messages about it. */
export async function closeGroupRequest(
  tx: GroupsTx,
  request: GroupRequestRow,
  status: RequestStatus,
): Promise<GroupRequestOutcome> {
  return finishRequest(tx, request, status, await listLeaders(tx, request.groupId));
}

/** Dissolves a group, and closes its pending requests, because nobody can answer them now. */
export async function dissolveGroup(
  tx: GroupsTx,
  groupId: number,
  now: number,
): Promise<GroupRequestOutcome[]> {
  await tx.updateGroup(groupId, { dissolvedAt: now });
  const leaderIds = await listLeaders(tx, groupId);
  const outcomes: GroupRequestOutcome[] = [];
  for (const request of await tx.listPendingRequestsOfGroup(groupId)) {
    outcomes.push(await finishRequest(tx, request, RequestStatus.EXPIRED, leaderIds));
  }
  return outcomes;
}

async function finishRequest(
  tx: GroupsTx,
  request: GroupRequestRow,
  status: RequestStatus,
  leaderIds: readonly number[],
): Promise<GroupRequestOutcome> {
  await tx.setGroupRequestStatus(request.id, status);
  const vo = await viewGroupRequest(tx, { ...request, status });
  const systemRows: SystemRow[] = [];
  for (const { id } of await tx.listSystemByGroupRequest(request.id)) {
    systemRows.push(await tx.updateSystem(id, JSON.stringify(vo)));
  }
  return { vo, systemRows, leaderIds };
}

/** A request as clients get it. */
export async function viewGroupRequest(tx: GroupsTx, request: GroupRequestRow): Promise<GroupRequestVO> {
  const [vo] = await viewGroupRequests(tx, [request]);
  if (vo === undefined) throw new ApiError("user.notFound");
  return vo;
}
