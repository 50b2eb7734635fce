import { GroupRole, JoinMode } from "@parley/protocol/codes";
import type { GroupMemberVO, GroupVO } from "@parley/protocol/entities";
import { isGroupLeader } from "../model/groups/groups-state.ts";
import { firstDifference } from "./first-difference.ts";
import type { Device } from "./device.ts";
import { groupVOFor, memberVOFor, membersSeenBy } from "./fake-server/group-tables.ts";
import type { FakeServer } from "./fake-server/fake-server.ts";
import type { Prng } from "./prng.ts";

/** What users of a scenario do with groups and their members. */
export const GROUP_SCENARIO_ACTIONS = [
  "groupCreated",
  "groupInvited",
  "groupApplied",
  "groupAnswered",
  "groupRemoved",
  "groupMessagesRemoved",
  "groupAdminsChanged",
  "groupMuted",
  "groupTransferred",
  "groupQuit",
  "groupDissolved",
  "groupChanged",
  "groupRights",
  "groupSettingsChanged",
  "groupNoticeRead",
  "groupMembersLoaded",
] as const;
type GroupScenarioAction = (typeof GROUP_SCENARIO_ACTIONS)[number];

/** The member list that each device has requested last, which it keeps current. */
export type WatchedMemberLists = Map<Device, number>;

/** Whether a user has left the group and is a member again, so that their devices have reloaded it. */
export function hasRejoined({ tables }: FakeServer, groupId: number, userId: number): boolean {
  const stays = tables.groups.stays.filter((stay) => stay.groupId === groupId && stay.userId === userId);
  return stays.length > 1 && stays.at(-1)?.toId === null;
}

const GROUPS_MAX = 4;

/** Performs a random action on groups; null when nothing was possible. */
export function performGroupScenarioAction(
  device: Device,
  server: FakeServer,
  random: Prng,
  watchedMemberLists: WatchedMemberLists,
): GroupScenarioAction | null {
  const { groups, chats } = device.client;
  const state = device.client.getState();
  const mine = state.groups.order;
  const all = server.tables.groups.groups;
  const userIds = server.tables.users.map((user) => user.id);
  const roll = random.below(100);
  if (all.length === 0 || (roll < 8 && all.length < GROUPS_MAX)) {
    const memberIds = state.contacts.order.filter(() => random.isTrueWithProbability(0.4));
    void groups.create({ name: `group ${all.length}`, memberIds, joinMode: JoinMode.FREE, isFindable: true });
    return "groupCreated";
  }
  const request = state.groups.requests.find(({ groupId }) => isGroupLeader(state.groups.byId[groupId]));
  if (roll < 60 && request !== undefined) {
    void (random.isTrueWithProbability(0.7) ? groups.approve(request.id) : groups.reject(request.id));
    return "groupAnswered";
  }
  if (roll < 22) {
    void groups.apply(random.pick(all).id, "please");
    return "groupApplied";
  }
  if (mine.length === 0) return null;
  const id = random.pick(mine);
  const userId = random.pick(userIds);
  const isOn = random.isTrueWithProbability(0.5);
  if (roll < 35) {
    if (state.contacts.order.length === 0) return null;
    void groups.invite(id, [random.pick(state.contacts.order)]);
    return "groupInvited";
  }
  if (roll < 45) {
    void groups.removeMembers(id, [userId], isOn);
    return isOn ? "groupMessagesRemoved" : "groupRemoved";
  }
  if (roll < 52) {
    void groups.setManagers(id, [userId], isOn);
    return "groupAdminsChanged";
  }
  if (roll < 58) {
    void (random.isTrueWithProbability(0.3)
      ? groups.setAllMuted(id, isOn)
      : groups.setMuted(id, [userId], isOn));
    return "groupMuted";
  }
  if (roll < 61) {
    void groups.transfer(id, userId);
    return "groupTransferred";
  }
  if (roll < 64) {
    void groups.quit(id);
    return "groupQuit";
  }
  if (roll < 65) {
    void groups.dissolve(id);
    return "groupDissolved";
  }
  if (roll < 73) {
    const text = `text ${roll}${random.below(9)}`;
    const part = [{ name: text }, { notice: text }, { remarkNickName: text }, { remarkGroupName: text }];
    void groups.modify(id, random.pick(part));
    return "groupChanged";
  }
  if (roll < 81) {
    const ownedId = mine.find((groupId) => state.groups.byId[groupId]?.role === GroupRole.OWNER) ?? id;
    void groups.setRights(ownedId, {
      joinMode: random.isTrueWithProbability(0.7) ? JoinMode.APPROVAL : JoinMode.FREE,
      inviteRole: random.isTrueWithProbability(0.8) ? 1 : 2,
    });
    return "groupRights";
  }
  if (roll < 87) {
    const key = `GROUP:${id}` as const;
    void (isOn
      ? chats.setTop(key, random.isTrueWithProbability(0.5))
      : chats.setAlerts(key, random.below(3)));
    return "groupSettingsChanged";
  }
  if (roll < 91) {
    groups.readNotice(id);
    return "groupNoticeRead";
  }
  void groups.loadMembers(id);
  watchedMemberLists.set(device, id);
  return "groupMembersLoaded";
}

/** Groups, and the member list that is kept current, equal those of the server. */
export function checkGroups(
  device: Device,
  server: FakeServer,
  watchedMemberLists: WatchedMemberLists,
): string[] {
  const { tables, gateway } = server;
  const { groups } = device.client.getState();
  const me = tables.users.find(({ userName }) => userName === device.userName)?.id ?? 0;
  const problems: string[] = [];
  const compare = (what: string, actual: unknown, expected: unknown) => {
    const difference = firstDifference(expected, actual);
    if (difference !== undefined) problems.push(`${device.name} ${what}: ${difference}`);
  };
  const stored = tables.groups.members
    .filter(({ userId }) => userId === me)
    .flatMap((member) => {
      const group = tables.groups.groups.find(({ id }) => id === member.groupId);
      return group === undefined ? [] : [groupVOFor(tables, group, member)];
    });
  // A user outside a group hears nothing more of it.
  const shown = (rows: readonly GroupVO[]) => byId(rows.map((row) => (row.quit ? { id: row.id } : row)));
  compare("groups", shown(Object.values(groups.byId)), shown(stored));
  const id = watchedMemberLists.get(device);
  const list = id === undefined ? undefined : groups.members[id];
  if (id !== undefined && list !== undefined) {
    // A user who has left does not hear of those who join later.
    const members = membersSeenBy(tables, id, me).map((member) =>
      memberVOFor(tables, member, gateway.isOnline(member.userId)),
    );
    // The presence of members who have left is not requested.
    const rows = (all: readonly GroupMemberVO[]) =>
      byId(all.map((member) => ({ ...member, id: member.userId, online: member.online && !member.quit })));
    compare(`members of ${id}`, rows(Object.values(list.byId)), rows(members));
  }
  return problems;
}

function byId<T extends { id: number }>(rows: readonly T[]): T[] {
  return [...rows].sort((a, b) => a.id - b.id);
}
