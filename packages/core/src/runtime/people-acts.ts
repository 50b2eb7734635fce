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
import { findUser, findUsersByName, setManualApprove } from "@parley/protocol/endpoints/users";
import type { FriendVO } from "@parley/protocol/entities";
import { RequestStatus } from "@parley/protocol/codes";
import { FRIEND_SEARCH_MAX } from "@parley/protocol/limits";
import { dropRequest, endFriendship, putRequest, putUsers } from "../model/contacts.ts";
import type { Contacts, Result } from "../model/state.ts";
import type { Api } from "./api.ts";
import type { Applied, ContactActions } from "./client-api.ts";
import type { Disk } from "./persist.ts";
import { type Already, createRedo } from "./redo.ts";
import type { Store } from "./store.ts";

export type PeopleActs = Omit<ContactActions, "reload">;

export interface PeopleActsDeps {
  api: Api;
  store: Store;
  disk: Disk;
  me(): number;
  change(work: (contacts: Contacts) => Contacts): void;
  put(friend: FriendVO): void;
  /** An action of my own: what it changes is shown at once, unless pushes came meanwhile. */
  act<T>(call: Promise<Result<T>>, show: (value: T) => void): Promise<Result<T>>;
  /** Somebody is a friend now. */
  gain(userId: number): Promise<void>;
  reload(): Promise<Result<null>>;
}

const QUIET = { quiet: true };

const APPLIED: Already<Applied> = {
  "friend.already": { status: RequestStatus.APPROVED },
  "friend.requestPending": { status: RequestStatus.PENDING },
};
const ANSWERED: Already<null> = { "friend.requestHandled": null };

/** What I do with people: find, ask, answer, name and block them. */
export function createPeopleActs({
  api,
  store,
  disk,
  me,
  change,
  put,
  act,
  gain,
  reload,
}: PeopleActsDeps): PeopleActs {
  const redo = createRedo(api, me);

  /** Whether somebody is blocked changes here once the server has agreed. */
  async function setBlocked(userId: number, isBlocked: boolean): Promise<Result<null>> {
    const query = { userId };
    const call = isBlocked ? api.call(addToBlacklist, { query }) : api.call(removeFromBlacklist, { query });
    return act(call, () =>
      change((contacts) => {
        const others = contacts.blacklist.filter((id) => id !== userId);
        return { ...contacts, blacklist: isBlocked ? [...others, userId] : others };
      }),
    );
  }

  return {
    block: (userId) => setBlocked(userId, true),
    unblock: (userId) => setBlocked(userId, false),
    async search(name) {
      const owner = me();
      const found = await api.call(findUsersByName, { query: { name } });
      if (!found.ok) return found;
      const users = found.value.slice(0, FRIEND_SEARCH_MAX);
      if (owner === me()) change((contacts) => putUsers(contacts, users));
      return { ok: true, value: users };
    },
    async loadUser(id) {
      const owner = me();
      const user = await api.call(findUser, { params: { id } });
      if (user.ok && owner === me()) change((contacts) => putUsers(contacts, [user.value]));
      return user;
    },
    apply: (userId, remark, source) =>
      act(
        redo(applyFriend, { body: { friendId: userId, source: source ?? null, remark } }, APPLIED),
        (request) => {
          if (!("id" in request)) return void reload();
          // Their own request may have been waiting here: then both are friends now, and it goes.
          change((contacts) => putRequest(contacts, request, me()));
          if (request.status === RequestStatus.APPROVED) void gain(userId);
        },
      ),
    approve(requestId) {
      const request = store.get().contacts.requests.find((known) => known.id === requestId);
      return act(redo(approveFriendRequest, { query: { id: requestId } }, ANSWERED), () => {
        change((contacts) => dropRequest(contacts, requestId));
        if (request !== undefined) void gain(request.sendId);
      });
    },
    reject: (requestId) =>
      act(redo(rejectFriendRequest, { query: { id: requestId } }, ANSWERED), () =>
        change((contacts) => dropRequest(contacts, requestId)),
      ),
    recall: (requestId) =>
      act(redo(recallFriendRequest, { query: { id: requestId } }, ANSWERED), () =>
        change((contacts) => dropRequest(contacts, requestId)),
      ),
    remove: (userId) =>
      act(redo(deleteFriend, { params: { id: userId } }, { "friend.notFriend": null }), () =>
        change((contacts) => endFriendship(contacts, userId)),
      ),
    setRemark(userId, remark) {
      const name = remark.trim() === "" ? null : remark.trim();
      return act(api.call(updateFriendRemark, { body: { friendId: userId, remarkNickName: name } }), () => {
        const friend = store.get().contacts.friends[userId];
        if (friend === undefined) return;
        put({ ...friend, remarkNickName: name, showNickName: name ?? (friend.nickName || friend.userName) });
      });
    },
    async setManualApprove(isOn) {
      const owner = me();
      const result = await api.call(setManualApprove, { query: { enabled: isOn } }, QUIET);
      const user = store.get().me;
      if (result.ok && owner === user?.id) {
        const changed = { ...user, isManualApprove: isOn };
        store.set({ me: changed });
        disk.keep({ values: { me: changed } });
      }
      return result;
    },
  };
}
