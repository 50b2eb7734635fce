import { memo, useCallback, useMemo, useRef } from "react";
import { useGroup } from "../../kit/groups.ts";
import { useText } from "../../kit/i18n.ts";
import { useClient } from "../../kit/use-client.ts";
import { useTypeahead } from "../../kit/use-typeahead.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { ListRow, Listbox } from "../../ui/listbox.tsx";
import { RowList } from "../../ui/row-list.tsx";
import type { RowListHandle } from "../../ui/row-list.tsx";
import { useListbox } from "../../ui/use-listbox.ts";
import { useIsMobile } from "../../ui/use-media.ts";
import type { GroupSections } from "./use-found-groups.ts";
import styles from "./group-list.module.css";

const ROW_PX = 56;
const MOBILE_ROW_PX = 64;
const HEAD_PX = 32;
const COLLAPSED_HEAD_PX = 16;

interface GroupListProps {
  sections: GroupSections;
  chosen: number | null;
  isCollapsed: boolean;
  onOpen: (id: number) => void;
}

type Item =
  | { readonly kind: "head"; readonly section: keyof GroupSections; readonly count: number }
  | { readonly kind: "group"; readonly id: number; readonly place: number };

/** Groups in two parts, those I manage first, as one listbox. */
export function GroupList({ sections, chosen, isCollapsed, onOpen }: GroupListProps) {
  const t = useText();
  const list = useRef<RowListHandle>(null);
  const client = useClient();
  const keys = useMemo(() => [...sections.managed, ...sections.joined], [sections]);
  const items = useMemo(() => itemsOf(sections), [sections]);
  const rowOf = (index: number) => items.findIndex((item) => item.kind === "group" && item.place === index);
  const typeahead = useTypeahead(keys, (id) => client.getState().groups.byId[id]?.showGroupName ?? "");
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
    <Listbox aria-label={t("groups.list")} {...listProps}>
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
              {!isCollapsed && t(`groups.${item.section}Count`, { count: item.count })}
            </div>
          ) : (
            <GroupRow
              optionId={optionId(item.id)}
              groupId={item.id}
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

function itemsOf({ managed, joined }: GroupSections): readonly Item[] {
  const part = (section: keyof GroupSections, ids: readonly number[], from: number): Item[] =>
    ids.length === 0
      ? []
      : [
          { kind: "head", section, count: ids.length },
          ...ids.map((id, index) => ({ kind: "group", id, place: from + index }) as const),
        ];
  return [...part("managed", managed, 0), ...part("joined", joined, managed.length)];
}

interface GroupRowProps {
  optionId: string;
  groupId: number;
  place: number;
  count: number;
  isChosen: boolean;
  isActive: boolean;
  isCollapsed: boolean;
  onOpen: (id: number) => void;
}

const GroupRow = memo(function GroupRow(props: GroupRowProps) {
  const { optionId, groupId, place, count, isChosen, isActive, isCollapsed, onOpen } = props;
  const t = useText();
  const group = useGroup(groupId);
  const people = t("groups.people", { count: group.membersCount });
  return (
    <ListRow
      id={optionId}
      place={place}
      count={count}
      isChosen={isChosen}
      isActive={isActive}
      isCollapsed={isCollapsed}
      isLow
      label={[group.name, people].join(t("app.listSeparator"))}
      tip={group.name}
      data-group={groupId}
      onClick={() => onOpen(groupId)}
      picture={<Avatar name={group.name} url={group.picture} id={groupId} size={36} shape="rounded" />}
      name={group.name}
      second={people}
    />
  );
});
