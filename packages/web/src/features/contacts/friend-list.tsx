import { memo, useMemo } from "react";
import { useText } from "../../kit/i18n.ts";
import { usePerson, usePresence } from "../../kit/people.ts";
import { SectionList } from "../../kit/section-list.tsx";
import type { SectionRowProps } from "../../kit/section-list.tsx";
import { useClient } from "../../kit/use-client.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { ListRow } from "../../ui/listbox.tsx";
import type { FriendSections } from "./use-found-friends.ts";

interface FriendListProps {
  sections: FriendSections;
  chosen: number | null;
  isCollapsed: boolean;
  onOpen: (id: number) => void;
}

/** Friends in two parts, online first. */
export function FriendList({ sections: { online, offline }, ...rest }: FriendListProps) {
  const t = useText();
  const client = useClient();
  const sections = useMemo(
    () => [
      { title: t("friend.onlineCount", { count: online.length }), ids: online },
      { title: t("friend.offlineCount", { count: offline.length }), ids: offline },
    ],
    [online, offline, t],
  );
  return (
    <SectionList
      label={t("friend.list")}
      sections={sections}
      nameOf={(id) => client.getState().contacts.friends[id]?.showNickName ?? ""}
      row={FriendRow}
      {...rest}
    />
  );
}

const FriendRow = memo(function FriendRow({ optionId, of, onOpen, ...place }: SectionRowProps) {
  const t = useText();
  const person = usePerson(of);
  const presence = usePresence(of);
  return (
    <ListRow
      id={optionId}
      {...place}
      label={[person.name, presence].join(t("app.listSeparator"))}
      tip={person.name}
      data-friend={of}
      onClick={() => onOpen(of)}
      picture={
        <Avatar name={person.name} url={person.picture} id={of} size={36} isOnline={person.isOnline} />
      }
      name={person.name}
      second={presence}
    />
  );
});
