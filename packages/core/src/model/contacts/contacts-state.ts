import { RequestStatus } from "@parley/protocol/codes";
import type { FriendRequestVO, FriendVO, OnlineStatus, UserInfo } from "@parley/protocol/entities";
import type { Contacts } from "../state.ts";

/** Replaces the whole list of friends with the server's. */
export function setFriends(contacts: Contacts, friends: readonly FriendVO[]): Contacts {
  const byId = Object.fromEntries(friends.map((friend) => [friend.id, friend]));
  return withOrder({ ...contacts, friends: byId, isLoaded: true });
}

/**
 * Adds or updates a friend (push 80, 71). Pending requests between the two are dropped: they are friends now. A push about the person alone
 * does not say where they were found, which stays as it was.
 */
export function putFriend(contacts: Contacts, pushed: FriendVO): Contacts {
  const { id, isDeleted } = pushed;
  const source = pushed.source ?? contacts.friends[id]?.source;
  const friend = source == null ? pushed : { ...pushed, source };
  const requests = contacts.requests.filter((request) => request.sendId !== id && request.recvId !== id);
  const hasAnsweredRequest = !isDeleted && requests.length < contacts.requests.length;
  return withOrder({
    ...contacts,
    friends: { ...contacts.friends, [id]: friend },
    ...(hasAnsweredRequest && { requests }),
  });
}

/** Ends a friendship. The entry stays, so that the old chat keeps its name (spec §3). */
export function endFriendship(contacts: Contacts, userId: number): Contacts {
  const friend = contacts.friends[userId];
  if (friend === undefined || friend.isDeleted) return contacts;
  return putFriend(contacts, { ...friend, isDeleted: true, deleted: true });
}

/** The placeholder friend that stores the pin of the chat with oneself. It is deleted, so that it is never listed (decision 14). */
export function noteToSelfEntry(me: UserInfo): FriendVO {
  return {
    id: me.id,
    userName: me.userName,
    nickName: me.nickName,
    headImage: me.headImage,
    headImageThumb: me.headImageThumb,
    showNickName: me.nickName,
    remarkNickName: null,
    online: false,
    onlineWeb: false,
    onlineApp: false,
    isTop: false,
    msgRemind: 1,
    isDnd: false,
    isDeleted: true,
    deleted: true,
  };
}

/** Replaces all pending requests with the server's. */
export function setRequests(contacts: Contacts, requests: readonly FriendRequestVO[], me: number): Contacts {
  return { ...contacts, requests: sortRequests(requests.filter(isPending), me) };
}

/** Adds or updates a pending request; removes a handled one. */
export function putRequest(contacts: Contacts, request: FriendRequestVO, me: number): Contacts {
  const others = contacts.requests.filter((known) => known.id !== request.id);
  if (!isPending(request) && others.length === contacts.requests.length) return contacts;
  return { ...contacts, requests: isPending(request) ? sortRequests([...others, request], me) : others };
}

/** Removes a request from the list. */
export function removeRequest(contacts: Contacts, requestId: number): Contacts {
  const requests = contacts.requests.filter((request) => request.id !== requestId);
  return requests.length === contacts.requests.length ? contacts : { ...contacts, requests };
}

/** Replaces the presence of friends (refreshed each 30 s). People who are not in `statuses` are offline. */
export function setOnline(contacts: Contacts, statuses: readonly OnlineStatus[]): Contacts {
  const online = Object.fromEntries(statuses.map((status) => [status.userId, status.terminals]));
  const isSame =
    statuses.length === Object.keys(contacts.online).length &&
    statuses.every((status) => status.terminals.join() === contacts.online[status.userId]?.join());
  return isSame ? contacts : withOrder({ ...contacts, online });
}

/** Stores profiles of people who need not be friends. */
export function putUsers(contacts: Contacts, users: readonly UserInfo[]): Contacts {
  if (users.length === 0) return contacts;
  return {
    ...contacts,
    users: { ...contacts.users, ...Object.fromEntries(users.map((user) => [user.id, user])) },
  };
}

/** Replaces the list of blocked people with the server's. */
export function setBlacklist(contacts: Contacts, blocked: readonly UserInfo[]): Contacts {
  return { ...putUsers(contacts, blocked), blacklist: blocked.map((user) => user.id) };
}

/** Whether a person is connected with at least one terminal. */
export function isOnline(contacts: Contacts, userId: number): boolean {
  return (contacts.online[userId]?.length ?? 0) > 0;
}

const nameCollator = new Intl.Collator("zh-CN", { numeric: true });

function withOrder(contacts: Contacts): Contacts {
  const order = Object.values(contacts.friends)
    .filter((friend) => !friend.isDeleted)
    .sort(
      (a, b) =>
        Number(isOnline(contacts, b.id)) - Number(isOnline(contacts, a.id)) ||
        nameCollator.compare(a.showNickName, b.showNickName) ||
        a.id - b.id,
    )
    .map((friend) => friend.id);
  return { ...contacts, order };
}

function isPending(request: FriendRequestVO): boolean {
  return request.status === RequestStatus.PENDING;
}

/** Received requests first, then newest first. */
function sortRequests(requests: FriendRequestVO[], me: number): FriendRequestVO[] {
  return requests.sort(
    (a, b) => Number(b.recvId === me) - Number(a.recvId === me) || b.applyTime - a.applyTime || b.id - a.id,
  );
}
