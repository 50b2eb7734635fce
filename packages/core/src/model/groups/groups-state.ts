import { GroupRole, RequestStatus } from "@parley/protocol/codes";
import type { GroupMemberVO, GroupRequestVO, GroupVO } from "@parley/protocol/entities";
import type { Tip } from "@parley/protocol/message";
import type { GroupMembers, Groups } from "../state.ts";

/** All groups I am or was in, as the server has them. */
export function setGroups(groups: Groups, list: readonly GroupVO[]): Groups {
  const byId = Object.fromEntries(list.map((group) => [group.id, group]));
  return withOrder({ ...groups, byId, isLoaded: true });
}

/** A new group, or new facts about one (push 90). */
export function putGroup(groups: Groups, group: GroupVO): Groups {
  return withOrder({ ...groups, byId: { ...groups.byId, [group.id]: group } });
}

export function isCurrentMember(group: GroupVO): boolean {
  return !group.quit && !group.dissolve;
}

/** Whether I answer those who want to join. */
export function isGroupLeader(group: GroupVO | undefined): boolean {
  return group !== undefined && isCurrentMember(group) && group.role !== GroupRole.MEMBER;
}

/**
 * Whether a push about a group may tell of its people, whom it does not name: since the push before, their number has changed, my own place
 * among them, or nothing that I can see.
 */
export function canAffectMembers(last: GroupVO, pushed: GroupVO): boolean {
  const changed = Object.keys(pushed).filter((key) => {
    const [before, after] = [last[key as keyof GroupVO], pushed[key as keyof GroupVO]];
    return before !== after && JSON.stringify(before) !== JSON.stringify(after);
  });
  return changed.length === 0 || changed.some((key) => MEMBER_FIELDS.has(key));
}

const MEMBER_FIELDS: ReadonlySet<string> = new Set<keyof GroupVO>([
  "membersCount",
  "ownerId",
  "role",
  "isMuted",
  "showNickName",
  "remarkNickName",
]);

/** Who is muted is told by a tip alone to all but those concerned. */
export function isMuteTip(tip: Tip | null): boolean {
  return tip?.key === "group.muted" || tip?.key === "group.unmuted";
}

/** Everything pending, as the server has it. */
export function setGroupRequests(groups: Groups, requests: readonly GroupRequestVO[], me: number): Groups {
  return { ...groups, requests: sortRequests(requests.filter(isPending), me) };
}

/** A request that came, or one that was handled and goes. */
export function putGroupRequest(groups: Groups, request: GroupRequestVO, me: number): Groups {
  if (!isPending(request)) return removeGroupRequest(groups, request.id);
  const others = groups.requests.filter((known) => known.id !== request.id);
  return { ...groups, requests: sortRequests([...others, request], me) };
}

export function removeGroupRequest(groups: Groups, requestId: number): Groups {
  const requests = groups.requests.filter((request) => request.id !== requestId);
  return requests.length === groups.requests.length ? groups : { ...groups, requests };
}

/** All who are or were in a group, as the server has them. */
export function setMembers(groups: Groups, id: number, members: readonly GroupMemberVO[]): Groups {
  const byId = Object.fromEntries(members.map((member) => [member.userId, member]));
  return putMembers(groups, id, { byId, order: orderOf(byId), state: "loaded" });
}

/** A list is asked for, or could not be had; what is there stays. */
export function setMembersState(groups: Groups, id: number, state: GroupMembers["state"]): Groups {
  const { byId, order } = groups.members[id] ?? EMPTY_MEMBERS;
  return putMembers(groups, id, { byId, order, state });
}

/** New facts about members that are known. */
export function patchMembers(
  groups: Groups,
  id: number,
  userIds: readonly number[],
  part: Partial<GroupMemberVO>,
): Groups {
  const members = groups.members[id];
  if (members === undefined) return groups;
  const byId = { ...members.byId };
  for (const userId of userIds) {
    const member = byId[userId];
    if (member !== undefined) byId[userId] = { ...member, ...part };
  }
  return putMembers(groups, id, { ...members, byId, order: orderOf(byId) });
}

/** Who of those that were asked about is online. */
export function setMembersOnline(
  groups: Groups,
  asked: ReadonlySet<number>,
  isOnline: (userId: number) => boolean,
): Groups {
  let changed = groups;
  for (const [id, members] of Object.entries(groups.members)) {
    const changedMembers = Object.values(members.byId).filter(
      ({ userId, online }) => asked.has(userId) && online !== isOnline(userId),
    );
    if (changedMembers.length === 0) continue;
    const byId = { ...members.byId };
    for (const member of changedMembers) byId[member.userId] = { ...member, online: !member.online };
    changed = putMembers(changed, Number(id), { ...members, byId, order: orderOf(byId) });
  }
  return changed;
}

/** Nothing is known of these members any more. */
export function removeMemberLists(groups: Groups, ids: readonly number[]): Groups {
  const members = { ...groups.members };
  for (const id of ids) delete members[id];
  return { ...groups, members };
}

const EMPTY_MEMBERS: GroupMembers = { byId: {}, order: [], state: "loading" };

const nameCollator = new Intl.Collator("zh-CN", { numeric: true });

function withOrder(groups: Groups): Groups {
  const order = Object.values(groups.byId)
    .filter(isCurrentMember)
    .sort((a, b) => nameCollator.compare(a.showGroupName, b.showGroupName) || a.id - b.id)
    .map((group) => group.id);
  return { ...groups, order };
}

function putMembers(groups: Groups, id: number, members: GroupMembers): Groups {
  return { ...groups, members: { ...groups.members, [id]: members } };
}

function orderOf(byId: GroupMembers["byId"]): number[] {
  return Object.values(byId)
    .filter((member) => !member.quit)
    .sort(
      (a, b) =>
        b.role - a.role ||
        Number(b.online) - Number(a.online) ||
        nameCollator.compare(a.showNickName, b.showNickName) ||
        a.userId - b.userId,
    )
    .map((member) => member.userId);
}

function isPending(request: GroupRequestVO): boolean {
  return request.status === RequestStatus.PENDING;
}

/** Those of others first, the newest first. */
function sortRequests(requests: GroupRequestVO[], me: number): GroupRequestVO[] {
  const isMine = (request: GroupRequestVO) => Number(requesterOf(request) === me);
  return requests.sort((a, b) => isMine(a) - isMine(b) || b.applyTime - a.applyTime || b.id - a.id);
}

/** Who has made a request: the one who invites, else the person who would join. */
function requesterOf({ sendId, inviterId }: GroupRequestVO): number {
  return inviterId ?? sendId;
}
