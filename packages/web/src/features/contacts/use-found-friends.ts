import { useMemo } from "react";
import type { Contacts } from "@parley/core/model/state";
import { type LetterSection, letterSections } from "../../kit/letter-sections.ts";
import { useNameMatch } from "../../kit/pinyin.ts";
import type { NameMatch } from "../../kit/pinyin.ts";
import { useClientState } from "../../kit/use-client.ts";

/** The sections of the friend list. */
export interface FriendSections {
  readonly online: readonly number[];
  /** The others by the first letter of their names, A to Z, then #. Until the letters are known, all are under the letter "". */
  readonly others: readonly LetterSection[];
}

/**
 * Friends of whom a name matches the filter, in the core's order: online friends, then the others by letter. The letter is that of the remark
 * if there is one.
 */
export function findFriends(
  contacts: Contacts,
  filter: string,
  match: Pick<NameMatch, "matches" | "letter">,
): FriendSections {
  const found = contacts.order.filter((id) => {
    const friend = contacts.friends[id];
    if (friend === undefined) return false;
    const names = [friend.showNickName, friend.nickName, friend.userName];
    return names.some((name) => match.matches(name, filter));
  });
  const isOnline = (id: number) => (contacts.online[id]?.length ?? 0) > 0;
  const offline = found.filter((id) => !isOnline(id));
  const letterOf = (id: number) => match.letter(contacts.friends[id]?.showNickName ?? "");
  return { online: found.filter(isOnline), others: letterSections(offline, letterOf) };
}

/** The friends that match the filter, by sections. */
export function useFoundFriends(filter: string): FriendSections {
  const contacts = useClientState((state) => state.contacts);
  const match = useNameMatch(true);
  return useMemo(() => findFriends(contacts, filter, match), [contacts, filter, match]);
}
