import { GroupRole, JoinMode, RequestStatus } from "@parley/protocol/codes";
import type { GroupCard, GroupMemberVO, GroupRequestVO, GroupVO } from "@parley/protocol/entities";
import type { Tip } from "@parley/protocol/message";
import { isSameData } from "../same-data.ts";
import type { GroupMembers, Groups } from "../state.ts";

/** Replaces all groups I am or was in with the server's list. */
export function setGroups(groups: Groups, list: readonly GroupVO[]): Groups {
  const byId = Object.fromEntries(list.map((group) => [group.id, group]));
  return withOrder({ ...groups, byId, isLoaded: true });
}

/** Adds or updates a group (push 90). */
export function putGroup(groups: Groups, group: GroupVO): Groups {
  return withOrder({ ...groups, byId: { ...groups.byId, [group.id]: group } });
}

/** Whether I am in the group, and it exists. */
export function isCurrentMember(group: GroupVO): boolean {
  return !group.quit && !group.dissolve;
}

/** How I come into a group. */
export function joinModeOf({ joinMode }: Pick<GroupCard, "joinMode">): JoinMode {
  // A server that knows more ways than this client does decides when it is asked.
  return joinMode === JoinMode.FREE || joinMode === JoinMode.INVITATION ? joinMode : JoinMode.APPROVAL;
}

/** Whether I am owner or admin of the group, and so answer requests to join it. */
export function isGroupLeader(group: GroupVO | undefined): boolean {
  return group !== undefined && isCurrentMember(group) && group.role !== GroupRole.MEMBER;
}

/** Whether the user has joined again, even if this device did not hear of the leaving. */
export function hasRejoined(group: GroupVO, before: GroupVO | undefined): boolean {
  if (before === undefined || !isCurrentMember(group)) return false;
  return before.quit || (before.stayFrom !== undefined && group.stayFrom !== before.stayFrom);
}

/**
 * Whether the member list may be stale after a push about a group. The push does not contain the list. It may have changed if the number
 * of members or my own membership changed, or if no visible field changed at all.
 */
export function canAffectMembers(previous: GroupVO, pushed: GroupVO): boolean {
  const changed = Object.keys(pushed).filter(
    (key) => !isSameData(previous[key as keyof GroupVO], pushed[key as keyof GroupVO]),
  );
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

/** Whether a tip reports a mute. For members whom it does not concern, the tip is the only sign of it. */
export function isMuteTip(tip: Tip | null): boolean {
  return tip?.key === "group.muted" || tip?.key === "group.unmuted";
}

/** Replaces all pending requests with the server's. */
export function setGroupRequests(groups: Groups, requests: readonly GroupRequestVO[], me: number): Groups {
  return { ...groups, requests: sortRequests(requests.filter(isPending), me) };
}

/** Adds or updates a pending request; removes a handled one. */
export function putGroupRequest(groups: Groups, request: GroupRequestVO, me: number): Groups {
  if (!isPending(request)) return removeGroupRequest(groups, request.id);
  const others = groups.requests.filter((known) => known.id !== request.id);
  return { ...groups, requests: sortRequests([...others, request], me) };
}

/** Removes a request from the list. */
export function removeGroupRequest(groups: Groups, requestId: number): Groups {
  const requests = groups.requests.filter((request) => request.id !== requestId);
  return requests.length === groups.requests.length ? groups : { ...groups, requests };
}

/** Replaces the member list of a group with the server's; it includes people who left. */
export function setMembers(groups: Groups, id: number, members: readonly GroupMemberVO[]): Groups {
  const byId = Object.fromEntries(members.map((member) => [member.userId, member]));
  return putMembers(groups, id, { byId, order: orderOf(byId), state: "loaded" });
}

/** Records that a member list is loading or failed to load. The list itself stays. */
export function setMembersState(groups: Groups, id: number, state: GroupMembers["state"]): Groups {
  const { byId, order } = groups.members[id] ?? EMPTY_MEMBERS;
  return putMembers(groups, id, { byId, order, state });
}

/** Changes fields of known members. */
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

/** Updates the presence of the members in `checked`; others stay as they are. */
export function setMembersOnline(
  groups: Groups,
  checked: ReadonlySet<number>,
  isOnline: (userId: number) => boolean,
): Groups {
  let result = groups;
  for (const [id, members] of Object.entries(groups.members)) {
    const changedMembers = Object.values(members.byId).filter(
      ({ userId, online }) => checked.has(userId) && online !== isOnline(userId),
    );
    if (changedMembers.length === 0) continue;
    const byId = { ...members.byId };
    for (const member of changedMembers) byId[member.userId] = { ...member, online: !member.online };
    result = putMembers(result, Number(id), { ...members, byId, order: orderOf(byId) });
  }
  return result;
}

/** Forgets the member lists of these groups. */
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

/** Requests of others first, then newest first. */
function sortRequests(requests: GroupRequestVO[], me: number): GroupRequestVO[] {
  const isMine = (request: GroupRequestVO) => requesterOf(request) === me;
  return requests.sort(
    (a, b) => Number(isMine(a)) - Number(isMine(b)) || b.applyTime - a.applyTime || b.id - a.id,
  );
}

/** The person who made a request: the inviter, else the person who wants to join. */
function requesterOf({ sendId, inviterId }: GroupRequestVO): number {
  return inviterId ?? sendId;
}
