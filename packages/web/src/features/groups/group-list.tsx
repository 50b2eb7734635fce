import { memo, useMemo } from "react";
import { useGroup } from "../../kit/group.ts";
import { useText } from "../../kit/i18n.ts";
import { SectionList } from "../../kit/section-list.tsx";
import type { SectionRowProps } from "../../kit/section-list.tsx";
import { useClient } from "../../kit/use-client.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { ListRow } from "../../ui/listbox.tsx";
import type { GroupSections } from "./use-found-groups.ts";

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
