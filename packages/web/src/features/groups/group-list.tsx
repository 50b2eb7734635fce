import { memo, useMemo } from "react";
import type { Groups } from "@parley/core/model/state";
import { GroupRole } from "@parley/protocol/codes";
import { useGroup } from "../../kit/chats/group.ts";
import { useText } from "../../kit/i18n/i18n.ts";
import { useNameMatch, type NameMatch } from "../../kit/search/pinyin.ts";
import { SectionList, type SectionRowProps } from "../../kit/search/section-list.tsx";
import { useClient, useClientState } from "../../kit/loading/use-client.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { ListRow } from "../../ui/listbox.tsx";

interface GroupListProps {
  sections: GroupSections;
  selected: number | null;
  isCollapsed: boolean;
  onOpen: (id: number) => void;
}

/** The list of groups in two sections; the groups that I manage come first. */
export function GroupList({ sections: { managed, joined }, ...rest }: GroupListProps) {
  const t = useText();
  const client = useClient();
  const sections = useMemo(
    () => [
      { title: t("groups.managedCount", { count: managed.length }), ids: managed },
      { title: t("groups.joinedCount", { count: joined.length }), ids: joined },
    ],
    [managed, joined, t],
  );
  return (
    <SectionList
      label={t("groups.list")}
      sections={sections}
      nameOf={(id) => client.getState().groups.byId[id]?.showGroupName ?? ""}
      row={GroupRow}
      {...rest}
    />
  );
}

const GroupRow = memo(function GroupRow({ optionId, itemId, onOpen, ...position }: SectionRowProps) {
  const t = useText();
  const group = useGroup(itemId);
  const people = t("groups.people", { count: group.membersCount });
  return (
    <ListRow
      id={optionId}
      {...position}
      label={[group.name, people].join(t("app.listSeparator"))}
      tooltip={group.name}
      data-group={itemId}
      onClick={() => onOpen(itemId)}
      picture={<Avatar name={group.name} url={group.picture} id={itemId} size={36} shape="rounded" />}
      name={group.name}
      second={<span>{people}</span>}
    />
  );
});

/** The sections of the group list. */
interface GroupSections {
  /** Groups of which I am owner or admin. */
  readonly managed: readonly number[];
  readonly joined: readonly number[];
}

/** My groups of which a name or the number matches the filter. */
export function findGroups(
  groups: Pick<Groups, "byId" | "order">,
  filter: string,
  match: Pick<NameMatch, "matches">,
): GroupSections {
  const found = groups.order.filter((id) => {
    const group = groups.byId[id];
    if (group === undefined) return false;
    const names = [group.showGroupName, group.name, String(id)];
    return names.some((name) => match.matches(name, filter));
  });
  const isManaged = (id: number) => (groups.byId[id]?.role ?? GroupRole.MEMBER) !== GroupRole.MEMBER;
  return { managed: found.filter(isManaged), joined: found.filter((id) => !isManaged(id)) };
}

/** The groups that match the filter, by sections. */
export function useFoundGroups(filter: string): GroupSections {
  const groups = useClientState((state) => state.groups);
  const match = useNameMatch(filter.trim() !== "");
  return useMemo(() => findGroups(groups, filter, match), [groups, filter, match]);
}
