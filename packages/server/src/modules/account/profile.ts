/** Profiles of oneself and of others, search for people, presence. */
import type { BodyOf } from "@parley/protocol/endpoint";
import type { updateUser } from "@parley/protocol/endpoints/users";
import { isBirthday } from "@parley/protocol/fields";
import { FRIEND_SEARCH_MAX } from "@parley/protocol/limits";
import { CHANGED_PEOPLE } from "@parley/protocol/message";
import { visibleOrNull } from "@parley/protocol/text";
import { FindableBy } from "@parley/protocol/codes";
import { findVisibleLastSeen } from "../../access/last-seen.ts";
import { findKnown, foundSince } from "../../access/acquaintance.ts";
import { type Delivery, changesFrame } from "../../delivery/delivery.ts";
import { type HeadImages, claimPictures } from "../../access/claim-pictures.ts";
import { ApiError, malformedField, refuseIfLimited } from "../../api/api-error.ts";
import type { Actor, Handlers } from "../../api/api-call.ts";
import type { ProfilePatch, UserRow } from "../../ports/account-store.ts";
import type { Presence } from "../../ports/presence.ts";
import type { RateLimiter } from "../../ports/rate-limiter.ts";
import { findVisiblePresence } from "../../presenters/visible-presence.ts";
import { ownInfo, publicInfo } from "../../presenters/person-presenter.ts";
import type { AccountsStore } from "./accounts-store.ts";
import { notifyFriends } from "./notify-friends.ts";

export interface ProfileDeps {
  store: AccountsStore;
  presence: Presence;
  delivery: Delivery;
  rateLimiter: RateLimiter;
  /** Notifies the members of this person's groups that the name or picture changed. */
  notifyGroups(userId: number): Promise<void>;
}

/** What members of a group see of a person, and what friends see: also what their card shows. */
const SEEN_IN_GROUPS = ["nickName", "headImage", "headImageThumb"] as const;
const SEEN_BY_FRIENDS = [...SEEN_IN_GROUPS, "sex", "signature"] as const;

type ProfileHandlers = Pick<
  Handlers,
  | "self"
  | "findUser"
  | "findUsersByName"
  | "updateUser"
  | "setManualApprove"
  | "setFindableBy"
  | "setReadReceipts"
  | "setLastSeenShown"
  | "findOnlineTerminals"
  | "findLastSeen"
>;

export function createProfile(deps: ProfileDeps): ProfileHandlers {
  const { store, presence, delivery, rateLimiter, notifyGroups } = deps;
  const findMe = async (id: number) => {
    const user = await store.findUser(id);
    if (user === undefined) throw new ApiError("user.notFound");
    return user;
  };

  /** Tells the person's other clients to load their own user info again. */
  const notifyOwnDevices = (actor: Actor) => {
    const { userId } = actor;
    delivery.invalidateUsers([userId]);
    delivery.toOwnOthers(actor, changesFrame(userId, CHANGED_PEOPLE), "changes");
  };

  return {
    async self({ actor }) {
      return ownInfo(await findMe(actor.userId));
    },

    async findUser({ actor, params, now }) {
      const user = await findKnown(store, actor.userId, params.id, now);
      if (user.id === actor.userId) return ownInfo(user);
      const online = await findVisiblePresence(store, presence, actor.userId, [user.id]);
      return publicInfo(user, online.has(user.id));
    },

    async findUsersByName({ actor, query, now }) {
      refuseIfLimited(await rateLimiter.consume("searches", actor.userId));
      const users = await store.searchUsers(query.name.trim(), FRIEND_SEARCH_MAX);
      const ids = users.map((user) => user.id);
      // Nothing but their complete user name finds them, so the search is what lets their card open and a request be sent.
      const byUserName = users
        .filter(({ id, findableBy }) => findableBy === FindableBy.USER_NAME && id !== actor.userId)
        .map(({ id }) => id);
      if (byUserName.length > 0) {
        await store.write((tx) => tx.rememberFound(actor.userId, byUserName, now, foundSince(now)));
      }
      const online = await findVisiblePresence(store, presence, actor.userId, ids);
      return users.map((user) => publicInfo(user, online.has(user.id)));
    },

    async updateUser({ actor, body, now }) {
      if (body.id !== undefined && body.id !== actor.userId) throw new ApiError("user.notYours");
      const patch = patchOf(body, new Date(now).getFullYear());
      refuseIfLimited(await rateLimiter.consume("profileChanges", actor.userId));
      const before = await findMe(actor.userId);
      const newPictures: HeadImages = {};
      for (const field of ["headImage", "headImageThumb"] as const) {
        const url = patch[field];
        if (url != null && url !== before[field]) newPictures[field] = url;
      }
      await store.write(async (tx) => {
        await claimPictures(tx, newPictures);
        await tx.updateUser(actor.userId, patch);
      });
      notifyOwnDevices(actor);
      const after: UserRow = { ...before, ...patch };
      const hasChanged = (fields: readonly (keyof UserRow)[]) =>
        fields.some((field) => after[field] !== before[field]);
      if (hasChanged(SEEN_BY_FRIENDS)) await notifyFriends(deps, after);
      if (hasChanged(SEEN_IN_GROUPS)) await notifyGroups(actor.userId);
      return null;
    },

    async setManualApprove({ actor, query }) {
      await store.write((tx) => tx.setManualApprove(actor.userId, query.enabled));
      notifyOwnDevices(actor);
      return null;
    },

    async setFindableBy({ actor, query }) {
      await store.write((tx) => tx.setFindableBy(actor.userId, query.by));
      notifyOwnDevices(actor);
      return null;
    },

    async setReadReceipts({ actor, query }) {
      await store.write((tx) => tx.setReadReceipts(actor.userId, query.enabled));
      notifyOwnDevices(actor);
      return null;
    },

    async setLastSeenShown({ actor, query }) {
      await store.write((tx) => tx.setLastSeenShown(actor.userId, query.enabled));
      notifyOwnDevices(actor);
      return null;
    },

    findLastSeen: ({ actor, query }) => findVisibleLastSeen(store, actor.userId, query.userId),

    async findOnlineTerminals({ actor, query }) {
      const online = await findVisiblePresence(store, presence, actor.userId, query.userIds);
      return [...online].map(([userId, terminals]) => ({ userId, terminals }));
    },
  };
}

function patchOf(body: BodyOf<typeof updateUser>, currentYear: number): ProfilePatch {
  if (body.birthday && !isBirthday(body.birthday, currentYear)) {
    throw malformedField("birthday", `not a day from 1950 to ${currentYear}`);
  }
  const patch: ProfilePatch = {};
  if (body.nickName !== undefined) patch.nickName = body.nickName;
  if (body.sex !== undefined) patch.sex = body.sex;
  if (body.signature !== undefined) patch.signature = visibleOrNull(body.signature);
  for (const field of ["birthday", "mobile", "email", "headImage", "headImageThumb"] as const) {
    const value = body[field];
    if (value !== undefined) patch[field] = value || null;
  }
  return patch;
}
