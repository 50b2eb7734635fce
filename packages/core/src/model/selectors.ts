import { TEXT_MAX, TEXT_MAX_DEFAULT } from "@parley/protocol/limits";
import { GroupRole } from "@parley/protocol/codes";
import type { FriendVO, GroupVO, UserInfo } from "@parley/protocol/entities";
import {
  type GroupAction,
  type GroupTarget,
  type GroupActionResult,
  checkGroupAction,
} from "@parley/protocol/group-rights";
import { isOnline } from "./contacts/contacts-state.ts";
import { isCurrentMember, isGroupLeader } from "./groups/groups-state.ts";
import { isArchived, isMuted, type PrefState } from "./chats/chat-prefs.ts";
import { listedChat } from "./chats/first-chats.ts";
import type { Chat, Chats, Contacts, State } from "./state.ts";

/** Derived values that several screens need. */

/** A person to display: a friend, another known user, or an unknown one, whom the screen names by id (protocol §12). */
export interface Person {
  readonly id: number;
  /** null: the screen writes "User {id}". */
  readonly name: string | null;
  readonly headImage: string | null;
  readonly headImageThumb: string | null;
  readonly isFriend: boolean;
  /** Not a friend: the friendship has ended, or none is known. */
  readonly isDeleted: boolean;
  readonly isOnline: boolean;
}

/** The person with this id. My own profile wins over friends, friends over other users. */
export function personOf(state: Pick<State, "contacts" | "me">, id: number): Person {
  const { contacts, me } = state;
  if (me?.id === id) return ofUser(me, contacts, true);
  const friend = contacts.friends[id];
  if (friend !== undefined) return ofFriend(friend, contacts);
  const user = contacts.users[id];
  if (user !== undefined) return ofUser(user, contacts, false);
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

/** The person with the reason of the ban if an administrator banned them; null: not banned as far as is known. */
export function bannedPerson(
  { contacts }: Pick<State, "contacts">,
  id: number,
): { readonly reason?: string | null | undefined } | null {
  const friend = contacts.friends[id];
  // Friends are updated by pushes; others only when their profile is loaded.
  const person = friend === undefined || friend.isDeleted ? contacts.users[id] : friend;
  return person?.isBanned === true ? person : null;
}

function groupOf(state: Pick<State, "groups">, id: number): GroupVO | undefined {
  return state.groups.byId[id];
}

/**
 * Whether I may do something in a group, by the same table of rights that the server uses. `targetUserId`: the member it is done to; an
 * ordinary member if left out.
 */
export function groupPermission(
  state: Pick<State, "groups">,
  groupId: number,
  action: GroupAction,
  targetUserId?: number,
): GroupActionResult {
  const group = groupOf(state, groupId);
  if (group === undefined) return "notMember";
  const me = { role: group.role as GroupRole, isMuted: group.isMuted, quit: group.quit };
  return checkGroupAction(action, me, group, targetOf(state, group, targetUserId));
}

function targetOf(
  { groups }: Pick<State, "groups">,
  group: GroupVO,
  userId: number | undefined,
): GroupTarget {
  if (userId === undefined) return { role: GroupRole.MEMBER };
  if (userId === group.ownerId) return { role: GroupRole.OWNER };
  const member = groups.members[group.id]?.byId[userId];
  return { role: (member?.role ?? GroupRole.MEMBER) as GroupRole };
}

/** The display name of a group member: my remark for a friend, else the name in the group, else `fallback`. */
export function memberName(
  state: Pick<State, "contacts" | "groups" | "session">,
  groupId: number,
  userId: number,
  fallback: string | null,
): string | null {
  const { contacts, groups, session } = state;
  const remark = contacts.friends[userId]?.remarkNickName;
  if (remark) return remark;
  const member = groups.members[groupId]?.byId[userId]?.showNickName;
  const isMe = session.kind !== "anonymous" && session.userId === userId;
  const own = isMe ? groups.byId[groupId]?.showNickName : null;
  return member || own || fallback || null;
}

/** Whether a call is running in a group of which I am a member (protocol §10: `rtcInfo`). */
export function hasGroupCall({ groups }: Pick<State, "groups">, groupId: number): boolean {
  const group = groups.byId[groupId];
  if (group === undefined || !isCurrentMember(group)) return false;
  const info = group.rtcInfo as { isChating?: unknown } | null;
  return info?.isChating === true;
}

/** Whether a group has a notice that was not read on this device. */
export function hasUnreadNotice(
  { groups, readNotices }: Pick<State, "groups" | "readNotices">,
  id: number,
): boolean {
  const group = groups.byId[id];
  if (group === undefined || !isCurrentMember(group) || !group.notice) return false;
  return readNotices[id] !== group.notice;
}

/** Unread messages of all chats that are neither muted nor archived, for the badge and the window title. */
export function totalUnread(state: UnreadState): number {
  const { firstChats } = state;
  const { byKey } = state.chats;
  let total = 0;
  const add = (chat: Chat | undefined) => {
    if (chat !== undefined && !isMuted(chat) && !isArchived(state, chat)) total += chat.unread;
  };
  for (const chat of Object.values(byKey)) if (firstChats?.byKey[chat.key] === undefined) add(chat);
  for (const key of firstChats?.order ?? []) add(listedChat(firstChats?.byKey[key]?.chat, byKey[key]));
  return total;
}

/** What says how many messages are unread. */
type UnreadState = PrefState & Pick<State, "firstChats"> & { readonly chats: Pick<Chats, "byKey"> };

/** Whether a pull is running for any kind of chat. */
export function isAnyChatLoading(chats: Pick<Chats, "loading">): boolean {
  return Object.values(chats.loading).some(Boolean);
}

/** Number of friend requests that wait for my answer. */
export function receivedRequestCount(state: Pick<State, "contacts" | "session">): number {
  const { session, contacts } = state;
  if (session.kind === "anonymous") return 0;
  return contacts.requests.filter((request) => request.recvId === session.userId).length;
}

/** Number of requests to join the groups where I am owner or admin. */
export function receivedGroupRequestCount({ groups }: Pick<State, "groups">): number {
  return groups.requests.filter((request) => isGroupLeader(groups.byId[request.groupId])).length;
}

/** How many characters a text may have: what the server says, or what those take that say nothing. */
export function textMaxOf({ config }: Pick<State, "config">): number {
  if (config === null) return TEXT_MAX_DEFAULT;
  return config.message.textMax ?? TEXT_MAX;
}
