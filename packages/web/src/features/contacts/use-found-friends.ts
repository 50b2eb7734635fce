import { useMemo } from "react";
import type { Contacts } from "@parley/core/model/state";
import { useClientState } from "../../kit/use-client.ts";

export interface FriendSections {
  readonly online: readonly number[];
  readonly offline: readonly number[];
}

/** Friends by whether they are online, in the core's order, of those whose names hold the words searched for. */
export function findFriends(contacts: Contacts, filter: string): FriendSections {
  const wanted = filter.trim().toLocaleLowerCase();
  const found = contacts.order.filter((id) => {
    const friend = contacts.friends[id];
    if (friend === undefined) return false;
    const names = [friend.showNickName, friend.nickName, friend.userName];
    return names.some((name) => name.toLocaleLowerCase().includes(wanted));
  });
  const isOnline = (id: number) => (contacts.online[id]?.length ?? 0) > 0;
  return { online: found.filter(isOnline), offline: found.filter((id) => !isOnline(id)) };
}

export function useFoundFriends(filter: string): FriendSections {
  const contacts = useClientState((state) => state.contacts);
  return useMemo(() => findFriends(contacts, filter), [contacts, filter]);
}
