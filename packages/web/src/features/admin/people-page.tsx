import { useId, useState } from "react";
import { UserRoundPlus } from "lucide-react";
import { type AdminPerson, PEOPLE_STATES, type PeopleState } from "@parley/protocol/admin-entities";
import { listPeople } from "@parley/protocol/endpoints/admin-people";
import { type Text, useText } from "../../kit/i18n.ts";
import { useApi } from "../../kit/use-api.ts";
import { Button } from "../../ui/button.tsx";
import { ICON_PROPS_16 } from "../../ui/icon-props.ts";
import { Segmented } from "../../ui/segmented.tsx";
import { AdminPage } from "./admin-page.tsx";
import { CreatePersonDialog } from "./create-person-dialog.tsx";
import { PersonCell, PersonStates } from "./person-cell.tsx";
import { PersonDialog } from "./person-dialog.tsx";
import { type Column, ResourceList } from "./resource-list.tsx";
import { TimeText } from "./time-text.tsx";
import { useOpenRow, usePagedRows } from "./use-paged-rows.ts";

/** Everybody with an account on this server. */
export function PeoplePage() {
  const t = useText();
  const api = useApi();
  const filterId = useId();
  const [state, setState] = useState<PeopleState>("all");
  const [isCreating, setCreating] = useState(false);
  const rows = usePagedRows((request) => api(listPeople, { query: { ...request, state } }), state);
  const opened = useOpenRow(rows);
  return (
    <AdminPage
      title={t("admin.page.people")}
      actions={
        <Button
          variant="primary"
          icon={<UserRoundPlus {...ICON_PROPS_16} />}
          onClick={() => setCreating(true)}
        >
          {t("admin.people.create")}
        </Button>
      }
    >
      <ResourceList
        label={t("admin.page.people")}
        columns={columnsOf(t)}
        rows={rows}
        rowKey={({ id }) => id}
        onOpen={opened.open}
        searchLabel={t("admin.people.search")}
        filters={
          <>
            <span id={filterId} className="visually-hidden">
              {t("admin.people.filter")}
            </span>
            <Segmented
              labelId={filterId}
              value={state}
              options={PEOPLE_STATES.map((value) => ({ value, text: t(`admin.people.filter.${value}`) }))}
              onChange={setState}
            />
          </>
        }
        emptyText={t("admin.people.none")}
      />
      {opened.row !== null && (
        <PersonDialog person={opened.row} onChanged={opened.change} onClose={opened.close} />
      )}
      {isCreating && <CreatePersonDialog onCreated={rows.reload} onClose={() => setCreating(false)} />}
    </AdminPage>
  );
}

function columnsOf(t: Text): readonly Column<AdminPerson>[] {
  return [
    {
      id: "name",
      header: t("admin.people.name"),
      cell: (person) => <PersonCell person={person} isOnline={person.online} />,
    },
    { id: "state", header: t("admin.people.state"), cell: (person) => <PersonStates person={person} /> },
    {
      id: "created",
      header: t("admin.people.created"),
      cell: ({ createdTime }) => <TimeText time={createdTime} />,
    },
    {
      id: "seen",
      header: t("admin.people.seen"),
      cell: ({ lastSeenTime, online }) =>
        online ? t("admin.people.online") : <TimeText time={lastSeenTime} />,
    },
    { id: "id", header: t("admin.id"), cell: ({ id }) => id, isNumber: true },
  ];
}
