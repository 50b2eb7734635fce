import { GroupRole } from "@parley/protocol/codes";
import type { FriendVO, GroupMemberVO } from "@parley/protocol/entities";
import type { State } from "@parley/core/model/state";
import { memberNameOf } from "../chats/group.ts";
import type { Text, TextId } from "../i18n/i18n.ts";
import type { SelectorEntry } from "./member-selection.ts";

type EntryFlags = Partial<Pick<SelectorEntry, "checked" | "locked" | "hide" | "note">>;

const NO_FLAGS = { checked: false, locked: false, hide: false } as const;

/** All friends, in the order of the friend list. */
export function friendEntries(
  { contacts }: Pick<State, "contacts">,
  flagsOf: (friend: FriendVO) => EntryFlags = () => ({}),
): readonly SelectorEntry[] {
  return contacts.order.flatMap((id) => {
    const friend = contacts.friends[id];
    if (friend === undefined) return [];
    return [
      {
        ...NO_FLAGS,
        userId: id,
        showNickName: friend.showNickName,
        headImage: friend.headImageThumb ?? friend.headImage,
        online: (contacts.online[id]?.length ?? 0) > 0,
        quit: false,
        otherNames: [friend.nickName, friend.userName],
        ...flagsOf(friend),
      },
    ];
  });
}

/** All loaded members of a group, in their order. Owner and admins have their role as a note. */
export function memberEntries(
  state: Pick<State, "contacts" | "groups" | "me" | "session">,
  groupId: number,
  t: Text,
  flagsOf: (member: GroupMemberVO) => EntryFlags = () => ({}),
): readonly SelectorEntry[] {
  const members = state.groups.members[groupId];
  if (members === undefined) return [];
  return members.order.flatMap((id) => {
    const member = members.byId[id];
    if (member === undefined) return [];
    const role = roleText(member.role);
    const friend = state.contacts.friends[id];
    const otherNames = [member.showNickName, ...(friend ? [friend.nickName, friend.userName] : [])];
    return [
      {
        ...NO_FLAGS,
        userId: id,
        showNickName: memberNameOf(state, groupId, id, null, t),
        headImage: member.headImage,
        online: member.online,
        quit: member.quit,
        otherNames,
        ...(role !== null && { note: t(role) }),
        ...flagsOf(member),
      },
    ];
  });
}

function roleText(role: number): TextId | null {
  if (role === GroupRole.OWNER) return "role.owner";
  return role === GroupRole.ADMIN ? "role.admin" : null;
}
