/** Reads groups, their members and their requests. */
import { GROUP_SEARCH_MAX } from "@parley/protocol/limits";
import { refuseIfLimited } from "../../api/api-error.ts";
import type { Handlers } from "../../api/api-call.ts";
import type { Presence } from "../../ports/presence.ts";
import type { RateLimiter } from "../../ports/rate-limiter.ts";
import { groupCard, groupMemberVO, groupVO } from "../../presenters/group-presenter.ts";
import { findVisiblePresence } from "../../presenters/visible-presence.ts";
import type { GroupsStore } from "./groups-store.ts";
import { requireKnownGroup, requireOwnGroup } from "./authorize.ts";
import { viewGroup, viewGroupRequests, groupsWithCall } from "./view-group.ts";

export interface GroupQueriesDeps {
  store: GroupsStore;
  presence: Presence;
  rateLimiter: RateLimiter;
}

type GroupQueriesHandlers = Pick<
  Handlers,
  "listGroups" | "findGroup" | "findGroupsByName" | "listGroupMembers" | "listGroupRequests"
>;

export function createGroupQueries({ store, presence, rateLimiter }: GroupQueriesDeps): GroupQueriesHandlers {
  return {
    async listGroups({ actor }) {
      const memberships = await store.listMembershipsOf(actor.userId);
      const ids = memberships.map((member) => member.groupId);
      const [user, groups, counts, withCall] = await Promise.all([
        store.findUser(actor.userId),
        store.findGroups(ids),
        store.countGroupMembers(ids),
        groupsWithCall(store, ids),
      ]);
      return memberships.flatMap((member) => {
        const group = groups.get(member.groupId);
        if (group === undefined || user === undefined) return [];
        return [groupVO(group, member, user, counts.get(group.id) ?? 0, withCall.has(group.id))];
      });
    },

    async findGroup({ actor, params }) {
      const { group, member } = await requireKnownGroup(store, params.id, actor.userId);
      return member === undefined ? groupCard(group) : viewGroup(store, group.id, actor.userId);
    },

    async findGroupsByName({ actor, query }) {
      refuseIfLimited(await rateLimiter.consume("searches", actor.userId));
      const me = actor.userId;
      const groups = await store.searchGroups(query.name.trim(), GROUP_SEARCH_MAX, me);
      const memberships = new Map(
        (await store.listMembershipsOf(me)).map((member) => [member.groupId, member]),
      );
      const counts = await store.countGroupMembers(
        groups.map(({ id }) => id).filter((id) => memberships.has(id)),
      );
      return groups.map((group) => groupCard(group, memberships.get(group.id), counts.get(group.id)));
    },

    async listGroupMembers({ actor, params }) {
      await requireOwnGroup(store, params.id, actor.userId);
      const members = await store.listGroupMembersSeenBy(actor.userId, params.id);
      const ids = members.map((member) => member.userId);
      const [users, online] = await Promise.all([
        store.findUsers(ids),
        findVisiblePresence(store, presence, actor.userId, ids),
      ]);
      return members.flatMap((member) => {
        const user = users.get(member.userId);
        return user === undefined ? [] : [groupMemberVO(member, user, online.has(user.id))];
      });
    },

    async listGroupRequests({ actor }) {
      return viewGroupRequests(store, await store.listPendingGroupRequests(actor.userId));
    },
  };
}
