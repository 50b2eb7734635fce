import {
  addToBlacklist,
  applyFriend,
  approveFriendRequest,
  deleteFriend,
  recallFriendRequest,
  rejectFriendRequest,
  removeFromBlacklist,
  updateFriendRemark,
} from "@parley/protocol/endpoints/contacts";
import { findLastSeen, findUser, findUsersByName } from "@parley/protocol/endpoints/users";
import { type RequestSource, RequestStatus } from "@parley/protocol/codes";
import type { FriendRequestVO, UserInfo } from "@parley/protocol/entities";
import { FRIEND_SEARCH_MAX } from "@parley/protocol/limits";
import { visibleOrNull } from "@parley/protocol/text";
import { removeRequest, endFriendship, putRequest, putUsers } from "../model/contacts/contacts-state.ts";
import type { Result } from "../model/state.ts";
import type { Api } from "../connection/api.ts";
import type { ProfileActions } from "./own-profile.ts";
import type { ContactRepository } from "./contact-repository.ts";
import { type AlreadyDone, createIdempotentCall } from "../connection/already-done.ts";
import type { StateStore } from "../state-store.ts";

/** Friends, friend requests, blocked people, and one's own profile. */
export interface ContactActions extends ProfileActions {
  /** Loads friends, requests and blocked people again. */
  reload(): Promise<Result<null>>;
  /** Finds at most 20 people by name (spec §9). */
  search(name: string): Promise<Result<readonly UserInfo[]>>;
  /** Loads what the server says about a person now. A failure is reported only for somebody unknown, of whom there is nothing to show. */
  loadUser(id: number): Promise<Result<UserInfo>>;
  /** When a friend was last seen, in epoch ms to the minute; null if that is not told. A failure is not reported. */
  lastSeen(userId: number): Promise<Result<number | null>>;
  /** Sends a friend request. `source`: where the person was found. */
  apply(userId: number, remark: string, source?: RequestSource): Promise<Result<RequestOutcome>>;
  approve(requestId: number): Promise<Result<null>>;
  reject(requestId: number): Promise<Result<null>>;
  recall(requestId: number): Promise<Result<null>>;
  remove(userId: number): Promise<Result<null>>;
  setRemark(userId: number, remark: string): Promise<Result<null>>;
  /** Blocks a person, who can then neither write to me nor send me friend requests. */
  block(userId: number): Promise<Result<null>>;
  unblock(userId: number): Promise<Result<null>>;
}

/** The result of a request: status 1 is pending, 2 is approved at once. */
export type RequestOutcome = Pick<FriendRequestVO, "status">;

/** What contact actions need. */
export interface ContactActionsDeps {
  api: Api;
  stateStore: StateStore;
  /** The id of the person signed in. */
  me: number;
  repository: ContactRepository;
  profileActions: ProfileActions;
  /** Loads a user who has just become a friend. */
  loadNewFriend(userId: number): Promise<void>;
}

const ALREADY_APPLIED: AlreadyDone<RequestOutcome> = {
  "friend.already": { status: RequestStatus.APPROVED },
  "friend.requestPending": { status: RequestStatus.PENDING },
};
const ALREADY_ANSWERED: AlreadyDone<null> = { "friend.requestHandled": null };

/** Creates the contact actions: search, friend requests, remarks, blocking, and those on the own profile. */
export function createContactActions({
  api,
  stateStore,
  me,
  repository,
  profileActions,
  loadNewFriend,
}: ContactActionsDeps): ContactActions {
  const { update, perform, reload } = repository;
  const callIdempotent = createIdempotentCall(api);

  /** Blocks or unblocks a user after the server has accepted it. */
  async function setBlocked(userId: number, isBlocked: boolean): Promise<Result<null>> {
    const query = { userId };
    const call = isBlocked ? api.call(addToBlacklist, { query }) : api.call(removeFromBlacklist, { query });
    return perform(call, () =>
      update((contacts) => {
        const others = contacts.blacklist.filter((id) => id !== userId);
        return { ...contacts, blacklist: isBlocked ? [...others, userId] : others };
      }),
    );
  }

  return {
    ...profileActions,
    reload,
    block: (userId) => setBlocked(userId, true),
    unblock: (userId) => setBlocked(userId, false),
    async search(name) {
      const found = await api.call(findUsersByName, { query: { name } });
      if (!found.ok) return found;
      const users = found.value.slice(0, FRIEND_SEARCH_MAX);
      update((contacts) => putUsers(contacts, users));
      return { ok: true, value: users };
    },
    async loadUser(id) {
      const { friends, users } = stateStore.get().contacts;
      // A person who is known is shown with the known data, so a failure needs no message.
      const isKnown = id === me || id in friends || id in users;
      const user = await api.call(findUser, { params: { id } }, { silent: isKnown });
      if (user.ok) update((contacts) => putUsers(contacts, [user.value]));
      return user;
    },
    lastSeen: (userId) => api.call(findLastSeen, { query: { userId } }, { silent: true }),
    apply: (userId, remark, source) =>
      perform(
        callIdempotent(
          applyFriend,
          { body: { friendId: userId, source: source ?? null, remark } },
          ALREADY_APPLIED,
        ),
        (request) => {
          if (!("id" in request)) return void reload();
          // If that user had already sent a request, both are friends now and their request is removed.
          update((contacts) => putRequest(contacts, request, me));
          if (request.status === RequestStatus.APPROVED) void loadNewFriend(userId);
        },
      ),
    approve(requestId) {
      const request = stateStore.get().contacts.requests.find((candidate) => candidate.id === requestId);
      return perform(
        callIdempotent(approveFriendRequest, { query: { id: requestId } }, ALREADY_ANSWERED),
        () => {
          update((contacts) => removeRequest(contacts, requestId));
          if (request !== undefined) void loadNewFriend(request.sendId);
        },
      );
    },
    reject: (requestId) =>
      perform(callIdempotent(rejectFriendRequest, { query: { id: requestId } }, ALREADY_ANSWERED), () =>
        update((contacts) => removeRequest(contacts, requestId)),
      ),
    recall: (requestId) =>
      perform(callIdempotent(recallFriendRequest, { query: { id: requestId } }, ALREADY_ANSWERED), () =>
        update((contacts) => removeRequest(contacts, requestId)),
      ),
    remove: (userId) =>
      perform(callIdempotent(deleteFriend, { params: { id: userId } }, { "friend.notFriend": null }), () =>
        update((contacts) => endFriendship(contacts, userId)),
      ),
    setRemark(userId, remark) {
      const name = visibleOrNull(remark.trim());
      return perform(
        api.call(updateFriendRemark, { body: { friendId: userId, remarkNickName: name } }),
        () => {
          const friend = stateStore.get().contacts.friends[userId];
          if (friend === undefined) return;
          repository.putFriend({
            ...friend,
            remarkNickName: name,
            showNickName: name ?? (friend.nickName || friend.userName),
          });
        },
      );
    },
  };
}
