import { ChatType } from "@parley/protocol/codes";
import type { FriendVO, UserInfo } from "@parley/protocol/entities";
import { isOnline } from "./contacts.ts";
import type { Chat, Chats, Contacts, State } from "./state.ts";

/** Questions that several screens ask of the state. */

/** A person as shown: a friend, someone met, or nobody known, whom the screen names by number (protocol §12). */
export interface Person {
  readonly id: number;
  /** null: the screen writes "User {id}". */
  readonly name: string | null;
  readonly headImage: string | null;
  readonly headImageThumb: string | null;
  readonly isFriend: boolean;
  /** No friend any more, or never one that is known. */
  readonly isDeleted: boolean;
  readonly isOnline: boolean;
}

export function personOf(state: Pick<State, "contacts" | "me">, id: number): Person {
  const { contacts, me } = state;
  const friend = contacts.friends[id];
  if (friend !== undefined) return ofFriend(friend, contacts);
  const user = me?.id === id ? me : contacts.users[id];
  if (user !== undefined) return ofUser(user, contacts, me?.id === id);
  return {
    id,
    name: null,
    headImage: null,
    headImageThumb: null,
    isFriend: false,
    isDeleted: true,
    isOnline: false,
  };
}

function ofFriend(friend: FriendVO, contacts: Contacts): Person {
  const { id, showNickName, headImage, headImageThumb, isDeleted } = friend;
  return {
    id,
    name: showNickName || friend.nickName || friend.userName || null,
    headImage,
    headImageThumb,
    isFriend: !isDeleted,
    isDeleted,
    isOnline: !isDeleted && isOnline(contacts, id),
  };
}

function ofUser(user: UserInfo, contacts: Contacts, isMe: boolean): Person {
  const { id, headImage, headImageThumb } = user;
  return {
    id,
    name: user.nickName || user.userName || null,
    headImage,
    headImageThumb,
    isFriend: false,
    isDeleted: !isMe,
    isOnline: isOnline(contacts, id),
  };
}

/** What stands above a chat and beside it. */
export type ChatFace =
  | { readonly kind: "system" }
  | { readonly kind: "person"; readonly person: Person }
  /** Groups come with their own entries later. */
  | { readonly kind: "group"; readonly groupId: number };

export function chatFace(
  state: Pick<State, "contacts" | "me">,
  chat: Pick<Chat, "type" | "targetId">,
): ChatFace {
  switch (chat.type) {
    case ChatType.SYSTEM:
      return { kind: "system" };
    case ChatType.PRIVATE:
      return { kind: "person", person: personOf(state, chat.targetId) };
    case ChatType.GROUP:
      return { kind: "group", groupId: chat.targetId };
    default:
      return chat.type satisfies never;
  }
}

/** Whether a chat's messages alert: private chats unless silenced, groups unless switched off. */
export function isMuted(chat: Pick<Chat, "type" | "msgRemind">): boolean {
  return chat.type === ChatType.GROUP ? chat.msgRemind === NEVER_IN_GROUPS : chat.msgRemind === 0;
}

const NEVER_IN_GROUPS = 2;

/** Unread messages of all chats that are not silenced: the badge and the window title. */
export function totalUnread(chats: Pick<Chats, "byKey">): number {
  let total = 0;
  for (const chat of Object.values(chats.byKey)) if (!isMuted(chat)) total += chat.unread;
  return total;
}

export function isAnyLoading(chats: Pick<Chats, "loading">): boolean {
  return Object.values(chats.loading).some(Boolean);
}

/** Requests that wait for my answer. */
export function receivedRequests(state: Pick<State, "contacts" | "session">): number {
  const { session, contacts } = state;
  if (session.kind === "anonymous") return 0;
  return contacts.requests.filter((request) => request.recvId === session.userId).length;
}
