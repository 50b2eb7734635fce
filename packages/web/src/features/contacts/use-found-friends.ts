import { useMemo } from "react";
import type { Contacts } from "@parley/core/model/state";
import { useNameMatch } from "../../kit/pinyin.ts";
import type { NameMatch } from "../../kit/pinyin.ts";
import { useClientState } from "../../kit/use-client.ts";

export interface FriendSections {
  readonly online: readonly number[];
  readonly offline: readonly number[];
}

/** Friends by whether they are online, in the core's order, of those one of whose names holds what is searched for. */
export function findFriends(
  contacts: Contacts,
  filter: string,
  match: Pick<NameMatch, "matches">,
): FriendSections {
  const found = contacts.order.filter((id) => {
    const friend = contacts.friends[id];
    if (friend === undefined) return false;
    const names = [friend.showNickName, friend.nickName, friend.userName];
    return names.some((name) => match.matches(name, filter));
  });
  const isOnline = (id: number) => (contacts.online[id]?.length ?? 0) > 0;
  return { online: found.filter(isOnline), offline: found.filter((id) => !isOnline(id)) };
}

export function useFoundFriends(filter: string): FriendSections {
  const contacts = useClientState((state) => state.contacts);
  const match = useNameMatch(filter.trim() !== "");
  return useMemo(() => findFriends(contacts, filter, match), [contacts, filter, match]);
}
