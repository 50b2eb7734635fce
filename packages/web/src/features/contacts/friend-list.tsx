import { memo, useCallback, useMemo, useRef } from "react";
import { useText } from "../../kit/i18n.ts";
import { usePerson, usePresence } from "../../kit/people.ts";
import { useClient } from "../../kit/use-client.ts";
import { useTypeahead } from "../../kit/use-typeahead.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { ListRow, Listbox } from "../../ui/listbox.tsx";
import { RowList } from "../../ui/row-list.tsx";
import type { RowListHandle } from "../../ui/row-list.tsx";
import { useListbox } from "../../ui/use-listbox.ts";
import { useIsMobile } from "../../ui/use-media.ts";
import type { FriendSections } from "./use-found-friends.ts";
import styles from "./friend-list.module.css";

const ROW_PX = 56;
const MOBILE_ROW_PX = 64;
const HEAD_PX = 32;
const COLLAPSED_HEAD_PX = 16;

interface FriendListProps {
  sections: FriendSections;
  chosen: number | null;
  isCollapsed: boolean;
  onOpen: (id: number) => void;
}

type Item =
  | { readonly kind: "head"; readonly section: "online" | "offline"; readonly count: number }
  | { readonly kind: "friend"; readonly id: number; readonly place: number };

/** Friends in two parts, online first, as one listbox. */
export function FriendList({ sections, chosen, isCollapsed, onOpen }: FriendListProps) {
  const t = useText();
  const list = useRef<RowListHandle>(null);
  const keys = useMemo(() => [...sections.online, ...sections.offline], [sections]);
  const items = useMemo(() => itemsOf(sections), [sections]);
  const rowOf = (index: number) => items.findIndex((item) => item.kind === "friend" && item.place === index);
  const client = useClient();
  const typeahead = useTypeahead(keys, (id) => client.getState().contacts.friends[id]?.showNickName ?? "");
  const { active, optionId, moveTo, listProps } = useListbox({
    keys,
    selected: chosen,
    pageSize: () => list.current?.pageSize() ?? 1,
    reveal: (index) => list.current?.reveal(rowOf(index)),
    onOpen,
    onOtherKey(event, id) {
      const named = typeahead(event, id);
      if (named !== null) moveTo(named);
      return named !== null;
    },
  });
  const isMobile = useIsMobile();
  const rowHeight = useCallback(
    (item: Item) => {
      if (item.kind === "head") return isCollapsed ? COLLAPSED_HEAD_PX : HEAD_PX;
      return isMobile ? MOBILE_ROW_PX : ROW_PX;
    },
    [isMobile, isCollapsed],
  );
  return (
    <Listbox aria-label={t("friend.list")} {...listProps}>
      <RowList
        ref={list}
        items={items}
        keyOf={keyOf}
        rowHeight={rowHeight}
        keepMounted={rowOf(active)}
        isInScroller
      >
        {(item) =>
          item.kind === "head" ? (
            <div className={styles.head} role="presentation">
              {!isCollapsed &&
                t(item.section === "online" ? "friend.onlineCount" : "friend.offlineCount", {
                  count: item.count,
                })}
            </div>
          ) : (
            <FriendRow
              optionId={optionId(item.id)}
              userId={item.id}
              place={item.place + 1}
              count={keys.length}
              isChosen={item.id === chosen}
              isActive={item.place === active}
              isCollapsed={isCollapsed}
              onOpen={onOpen}
            />
          )
        }
      </RowList>
    </Listbox>
  );
}

const keyOf = (item: Item) => (item.kind === "head" ? item.section : item.id);

function itemsOf({ online, offline }: FriendSections): readonly Item[] {
  const part = (section: "online" | "offline", ids: readonly number[], from: number): Item[] =>
    ids.length === 0
      ? []
      : [
          { kind: "head", section, count: ids.length },
          ...ids.map((id, index) => ({ kind: "friend", id, place: from + index }) as const),
        ];
  return [...part("online", online, 0), ...part("offline", offline, online.length)];
}

interface FriendRowProps {
  optionId: string;
  userId: number;
  place: number;
  count: number;
  isChosen: boolean;
  isActive: boolean;
  isCollapsed: boolean;
  onOpen: (id: number) => void;
}

const FriendRow = memo(function FriendRow(props: FriendRowProps) {
  const { optionId, userId, place, count, isChosen, isActive, isCollapsed, onOpen } = props;
  const t = useText();
  const person = usePerson(userId);
  const presence = usePresence(userId);
  return (
    <ListRow
      id={optionId}
      place={place}
      count={count}
      isChosen={isChosen}
      isActive={isActive}
      isCollapsed={isCollapsed}
      isLow
      label={[person.name, presence].join(t("app.listSeparator"))}
      tip={person.name}
      data-friend={userId}
      onClick={() => onOpen(userId)}
      picture={
        <Avatar name={person.name} url={person.picture} id={userId} size={36} isOnline={person.isOnline} />
      }
      name={person.name}
      second={presence}
    />
  );
});
