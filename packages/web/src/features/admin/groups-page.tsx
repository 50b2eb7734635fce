import type { AdminGroup } from "@parley/protocol/admin-entities";
import { listAllGroups } from "@parley/protocol/endpoints/admin-groups";
import { type Text, useText } from "../../kit/i18n.ts";
import { smallPictureUrl } from "../../kit/picture-url.ts";
import { useApi } from "../../kit/use-api.ts";
import { useClient } from "../../kit/use-client.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { AdminPage } from "./admin-page.tsx";
import styles from "./admin-page.module.css";
import { GroupDialog } from "./group-dialog.tsx";
import { GroupStates } from "./group-states.tsx";
import { PersonName } from "./person-cell.tsx";
import { type Column, ResourceList } from "./resource-list.tsx";
import { TimeText } from "./time-text.tsx";
import { useOpenRow, usePagedRows } from "./use-paged-rows.ts";

/** All groups of this server. */
export function GroupsPage() {
  const t = useText();
  const api = useApi();
  const rows = usePagedRows((request) => api(listAllGroups, { query: request }));
  const opened = useOpenRow(rows);
  return (
    <AdminPage title={t("admin.page.groups")}>
      <ResourceList
        label={t("admin.page.groups")}
        columns={columnsOf(t)}
        rows={rows}
        rowKey={({ id }) => id}
        onOpen={opened.open}
        searchLabel={t("admin.groups.search")}
        emptyText={t("admin.groups.none")}
      />
      {opened.row !== null && (
        <GroupDialog group={opened.row} onChanged={opened.change} onClose={opened.close} />
      )}
    </AdminPage>
  );
}

function columnsOf(t: Text): readonly Column<AdminGroup>[] {
  return [
    { id: "name", header: t("admin.groups.name"), cell: (group) => <GroupCell group={group} /> },
    { id: "state", header: t("admin.people.state"), cell: (group) => <GroupStates group={group} /> },
    { id: "owner", header: t("admin.groups.owner"), cell: ({ owner }) => <PersonName person={owner} /> },
    {
      id: "members",
      header: t("admin.groups.members"),
      cell: ({ membersCount, maxMembers }) =>
        t("admin.groups.membersOf", { count: membersCount, max: maxMembers }),
      isNumber: true,
    },
    {
      id: "created",
      header: t("admin.groups.created"),
      cell: ({ createdTime }) => <TimeText time={createdTime} />,
    },
    { id: "id", header: t("admin.id"), cell: ({ id }) => id, isNumber: true },
  ];
}

function GroupCell({ group }: { group: AdminGroup }) {
  const client = useClient();
  return (
    <span className={styles.who}>
      <Avatar
        name={group.name}
        id={group.id}
        url={smallPictureUrl(client, group)}
        size={32}
        shape="rounded"
      />
      <bdi>{group.name}</bdi>
    </span>
  );
}
