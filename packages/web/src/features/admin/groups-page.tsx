import { useState } from "react";
import type { AdminGroup, AdminGroupMember } from "@parley/protocol/admin-entities";
import {
  banGroup,
  dissolveAnyGroup,
  listAllGroups,
  listMembersOfGroup,
  setGroupLarge,
  unbanGroup,
} from "@parley/protocol/endpoints/admin-groups";
import { GROUP_MEMBERS_MAX, LARGE_GROUP_MEMBERS_MAX } from "@parley/protocol/limits";
import { type Translate, useText } from "../../kit/i18n/i18n.ts";
import { smallPictureUrl } from "../../kit/people/person.ts";
import { RoleChip } from "../../kit/chats/role-chip.tsx";
import { useApi, useClient } from "../../kit/loading/use-client.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { KeyValueList, KeyValueRow } from "../../ui/key-value-list.tsx";
import { Box, Row } from "../../ui/layout.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { ActDialog, BanDialog, useAct } from "./act-dialog.tsx";
import { ActFailure, AdminPage } from "./admin-page.tsx";
import { GroupStates, PersonCell, PersonName, TimeText } from "./cells.tsx";
import { type Column, ResourceList, useOpenRow, usePagedRows } from "./resource-list.tsx";
import styles from "./admin-page.module.css";

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

function columnsOf(t: Translate): readonly Column<AdminGroup>[] {
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
    <Row as="span" gap={12} shrink textAlign="start">
      <Avatar
        name={group.name}
        id={group.id}
        url={smallPictureUrl(client, group)}
        size={32}
        shape="rounded"
      />
      <bdi>{group.name}</bdi>
    </Row>
  );
}

/** How many members a group may have. */
const LIMITS = [GROUP_MEMBERS_MAX, LARGE_GROUP_MEMBERS_MAX];

interface GroupDialogProps {
  group: AdminGroup;
  onChanged: (change: Partial<AdminGroup>) => void;
  onClose: () => void;
}

/** Everything about one group, and what an administrator can do. */
function GroupDialog({ group, onChanged, onClose }: GroupDialogProps) {
  const t = useText();
  const [act, setAct] = useState<"ban" | "unban" | "dissolve" | null>(null);
  return (
    <Dialog isOpen isSheet onClose={onClose} title={group.name} width={560}>
      <GroupFacts group={group} onChanged={onChanged} />
      {!group.isDissolved && (
        <Row wrap gap={8} align="stretch">
          <Button
            variant={group.isBanned ? "secondary" : "danger"}
            onClick={() => setAct(group.isBanned ? "unban" : "ban")}
          >
            {t(group.isBanned ? "admin.group.unban" : "admin.group.ban")}
          </Button>
          <Button variant="danger" onClick={() => setAct("dissolve")}>
            {t("admin.group.dissolve")}
          </Button>
        </Row>
      )}
      <h3 className={styles.heading}>{t("admin.groups.members")}</h3>
      <Members groupId={group.id} />
      {act !== null && (
        <AskForGroup
          group={group}
          act={act}
          onDone={(change) => {
            setAct(null);
            onChanged(change);
          }}
          onClose={() => setAct(null)}
        />
      )}
    </Dialog>
  );
}

function GroupFacts({ group, onChanged }: Pick<GroupDialogProps, "group" | "onChanged">) {
  const t = useText();
  const api = useApi();
  const { run, failure } = useAct();
  const changeLimit = async (max: string) => {
    const isLarge = Number(max) === LARGE_GROUP_MEMBERS_MAX;
    const result = await run(
      () => api(setGroupLarge, { body: { groupId: group.id, isLarge } }),
      t("admin.group.limitDone"),
    );
    if (result.ok) onChanged({ maxMembers: Number(max) });
  };
  return (
    <Box marginTop={12} marginBottom={16}>
      <KeyValueList>
        <KeyValueRow label={t("admin.people.state")} text={<GroupStates group={group} />} />
        {group.isBanned && <KeyValueRow label={t("admin.reason")} text={<bdi>{group.reason}</bdi>} />}
        <KeyValueRow label={t("admin.id")} text={group.id} />
        <KeyValueRow label={t("admin.groups.owner")} text={<PersonName person={group.owner} />} />
        <KeyValueRow label={t("admin.groups.created")} text={<TimeText time={group.createdTime} />} />
        {!group.isDissolved && (
          <KeyValueRow label={t("admin.group.limit")}>
            {({ labelId }) => (
              <Segmented
                labelId={labelId}
                value={String(group.maxMembers)}
                options={LIMITS.map((max) => ({
                  value: String(max),
                  text: t("admin.group.limitOf", { max }),
                }))}
                onChange={(max) => void changeLimit(max)}
              />
            )}
          </KeyValueRow>
        )}
      </KeyValueList>
      <ActFailure failure={failure} />
    </Box>
  );
}

interface AskForGroupProps {
  group: AdminGroup;
  act: "ban" | "unban" | "dissolve";
  onDone: (change: Partial<AdminGroup>) => void;
  onClose: () => void;
}

function AskForGroup({ group, act, onDone, onClose }: AskForGroupProps) {
  const t = useText();
  const api = useApi();
  const { name } = group;
  const body = { groupId: group.id };
  if (act === "ban")
    return (
      <BanDialog
        title={t("admin.group.banTitle", { name })}
        note={t("admin.group.banBody")}
        doneText={t("admin.group.banDone", { name })}
        act={(reason) => api(banGroup, { body: { ...body, reason } })}
        onDone={(reason) => onDone({ isBanned: true, reason })}
        onClose={onClose}
      />
    );
  return (
    <ActDialog
      title={t(`admin.group.${act}Title`, { name })}
      body={t(`admin.group.${act}Body`)}
      confirmLabel={t(`admin.group.${act}`)}
      doneText={t(`admin.group.${act}Done`, { name })}
      act={() => api(act === "unban" ? unbanGroup : dissolveAnyGroup, { body })}
      onDone={() => onDone(act === "unban" ? { isBanned: false, reason: null } : { isDissolved: true })}
      onClose={onClose}
    />
  );
}

function Members({ groupId }: { groupId: number }) {
  const t = useText();
  const api = useApi();
  const rows = usePagedRows(
    ({ page, size }) => api(listMembersOfGroup, { query: { groupId, page, size } }),
    String(groupId),
  );
  return (
    <ResourceList
      label={t("admin.groups.members")}
      columns={memberColumns(t)}
      rows={rows}
      rowKey={({ id }) => id}
      emptyText={t("admin.groups.noMembers")}
    />
  );
}

function memberColumns(t: Translate): readonly Column<AdminGroupMember>[] {
  return [
    { id: "name", header: t("admin.people.name"), cell: (member) => <PersonCell person={member} /> },
    {
      id: "role",
      header: t("admin.groups.role"),
      cell: ({ role, isMuted }) => (
        <span className={styles.chips}>
          <RoleChip role={role} />
          {isMuted && <Chip>{t("admin.groups.muted")}</Chip>}
        </span>
      ),
    },
    { id: "id", header: t("admin.id"), cell: ({ id }) => id, isNumber: true },
  ];
}
