import { memo, useMemo, useRef } from "react";
import { useText } from "../../kit/i18n.ts";
import { LetterRail } from "../../kit/letter-rail.tsx";
import { usePerson, usePresence } from "../../kit/person.ts";
import { SectionList } from "../../kit/section-list.tsx";
import type { SectionListHandle, SectionRowProps } from "../../kit/section-list.tsx";
import { useClient } from "../../kit/use-client.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { ListRow } from "../../ui/listbox.tsx";
import type { FriendSections } from "./use-found-friends.ts";
import styles from "./friend-list.module.css";

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
    <div className={styles.friends}>
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
    </div>
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
