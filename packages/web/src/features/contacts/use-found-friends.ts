import { useMemo } from "react";
import type { Contacts } from "@parley/core/model/state";
import { useNameMatch } from "../../kit/pinyin.ts";
import type { NameMatch } from "../../kit/pinyin.ts";
import { useClientState } from "../../kit/use-client.ts";

/** The sections of the friend list. */
export interface FriendSections {
  readonly online: readonly number[];
  /** The others by the first letter of their names, A to Z, then #. Until the letters are known, all are under the letter "". */
  readonly others: readonly { readonly letter: string; readonly ids: readonly number[] }[];
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
  const byLetter = new Map<string | null, number[]>();
  const offline = found.filter((id) => !isOnline(id));
  for (const id of offline) {
    const letter = match.letter(contacts.friends[id]?.showNickName ?? "");
    byLetter.set(letter, [...(byLetter.get(letter) ?? []), id]);
  }
  return { online: found.filter(isOnline), others: sectionsOf(offline, byLetter) };
}

function sectionsOf(
  all: readonly number[],
  byLetter: ReadonlyMap<string | null, readonly number[]>,
): FriendSections["others"] {
  // With only some of the letters known, the sections would move when the others become known.
  if (byLetter.has(null)) return [{ letter: "", ids: all }];
  const sortKey = (letter: string | null) => (letter === "#" ? "~" : (letter ?? ""));
  return [...byLetter]
    .map(([letter, ids]) => ({ letter: letter ?? "", ids }))
    .toSorted((a, b) => (sortKey(a.letter) < sortKey(b.letter) ? -1 : 1));
}

/** The friends that match the filter, by sections. */
export function useFoundFriends(filter: string): FriendSections {
  const contacts = useClientState((state) => state.contacts);
  const match = useNameMatch(true);
  return useMemo(() => findFriends(contacts, filter, match), [contacts, filter, match]);
}
