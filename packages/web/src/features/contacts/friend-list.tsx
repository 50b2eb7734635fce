import { memo, useMemo, useRef } from "react";
import type { Contacts } from "@parley/core/model/state";
import { useText } from "../../kit/i18n/i18n.ts";
import { LetterRail, type LetterSection, letterSections } from "../../kit/search/letter-rail.tsx";
import { usePerson, usePresence } from "../../kit/people/person.ts";
import { type NameMatch, useNameMatch } from "../../kit/search/pinyin.ts";
import { SectionList, type SectionListHandle, type SectionRowProps } from "../../kit/search/section-list.tsx";
import { useClient, useClientState } from "../../kit/loading/use-client.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Row } from "../../ui/layout.tsx";
import { ListRow } from "../../ui/listbox.tsx";

interface FriendListProps {
  sections: FriendSections;
  selected: number | null;
  isCollapsed: boolean;
  onOpen: (id: number) => void;
}

/** The list of friends: online friends first, then the others by letter, with a rail of letters at the edge. */
export function FriendList({ sections: { online, others }, ...rest }: FriendListProps) {
  const t = useText();
  const client = useClient();
  const list = useRef<SectionListHandle>(null);
  const sections = useMemo(
    () => [
      ...(online.length > 0
        ? [{ title: t("friend.onlineCount", { count: online.length }), ids: online }]
        : []),
      ...others.map(({ letter, ids }) => ({ title: letter, ids })),
    ],
    [online, others, t],
  );
  const markers = useMemo(
    () => [
      ...(online.length > 0 ? [{ sign: "", label: t("friend.online") }] : []),
      ...others.map(({ letter }) => ({ sign: letter, label: letter })),
    ],
    [online, others, t],
  );
  const hasLetters = others.some(({ letter }) => letter !== "");
  return (
    <Row align="stretch" grow>
      <SectionList
        ref={list}
        label={t("friend.list")}
        sections={sections}
        nameOf={(id) => client.getState().contacts.friends[id]?.showNickName ?? ""}
        row={FriendRow}
        {...rest}
      />
      {hasLetters && markers.length > 1 && !rest.isCollapsed && (
        <LetterRail
          label={t("friend.letters")}
          markers={markers}
          onGo={(index) => list.current?.show(index)}
          onEnter={() => list.current?.focus()}
        />
      )}
    </Row>
  );
}

const FriendRow = memo(function FriendRow({ optionId, itemId, onOpen, ...position }: SectionRowProps) {
  const t = useText();
  const person = usePerson(itemId);
  const presence = usePresence(itemId);
  const second = person.isOnline ? presence : undefined;
  return (
    <ListRow
      id={optionId}
      {...position}
      label={[person.name, second].filter(Boolean).join(t("app.listSeparator"))}
      tooltip={person.name}
      data-friend={itemId}
      onClick={() => onOpen(itemId)}
      picture={
        <Avatar name={person.name} url={person.picture} id={itemId} size={36} isOnline={person.isOnline} />
      }
      name={person.name}
      second={second && <span>{second}</span>}
    />
  );
});

/** The sections of the friend list. */
interface FriendSections {
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
