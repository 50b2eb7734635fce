import { useId, useState } from "react";
import { AUDIT_TARGETS, type AuditEntry } from "@parley/protocol/admin-entities";
import { listAudit } from "@parley/protocol/endpoints/admin-server";
import { isDomainErrorKey } from "@parley/protocol/envelope";
import { failureText } from "../../kit/i18n/failure-text.ts";
import { type Translate, useText } from "../../kit/i18n/i18n.ts";
import { useApi } from "../../kit/loading/use-client.ts";
import { Text } from "../../ui/layout.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { AdminPage } from "./admin-page.tsx";
import { PersonName, TimeText } from "./cells.tsx";
import { type Column, ResourceList, usePagedRows } from "./resource-list.tsx";

const KINDS = ["acts", "all"] as const;

/** What administrators did, in the browser and on the command line. Nobody can change it. */
export function AuditPage() {
  const t = useText();
  const api = useApi();
  const filterId = useId();
  const [kind, setKind] = useState<(typeof KINDS)[number]>("acts");
  const rows = usePagedRows(({ page, size }) => api(listAudit, { query: { page, size, kind } }), kind);
  return (
    <AdminPage title={t("admin.page.audit")}>
      <ResourceList
        label={t("admin.page.audit")}
        columns={columnsOf(t)}
        rows={rows}
        rowKey={({ id }) => id}
        filters={
          <>
            <span id={filterId} className="visually-hidden">
              {t("admin.audit.filter")}
            </span>
            <Segmented
              labelId={filterId}
              value={kind}
              options={KINDS.map((value) => ({ value, text: t(`admin.audit.${value}`) }))}
              onChange={setKind}
            />
          </>
        }
        emptyText={t("admin.audit.none")}
      />
    </AdminPage>
  );
}

function columnsOf(t: Translate): readonly Column<AuditEntry>[] {
  return [
    {
      id: "action",
      header: t("admin.audit.action"),
      cell: (entry) => <Text weight="name">{actionText(entry, t)}</Text>,
    },
    { id: "target", header: t("admin.audit.target"), cell: (entry) => <Target target={entry.target} /> },
    {
      id: "actor",
      header: t("admin.audit.actor"),
      cell: ({ actor }) => (actor === null ? t("admin.commandLine") : <PersonName person={actor} />),
    },
    { id: "time", header: t("admin.audit.time"), cell: ({ time }) => <TimeText time={time} /> },
    { id: "address", header: t("admin.audit.address"), cell: ({ address }) => address ?? "–" },
    { id: "outcome", header: t("admin.audit.outcome"), cell: (entry) => outcomeText(entry, t) },
  ];
}

/** The name of what was done. A newer server may know acts that this client does not. */
function actionText({ action }: AuditEntry, t: Translate): string {
  const known = AUDIT_ACTIONS.find((candidate) => candidate === action);
  return known === undefined ? action : t(`admin.action.${known}`);
}

function outcomeText({ outcome }: AuditEntry, t: Translate): string {
  if (outcome === "done") return t("admin.audit.done");
  // A newer server may have refused for a reason without a text here; then its key is shown.
  const key = isDomainErrorKey(outcome) ? outcome : null;
  return failureText({ kind: "refused", code: 0, key, params: {}, message: outcome }, t);
}

function Target({ target }: { target: AuditEntry["target"] }) {
  const t = useText();
  if (target === null) return "–";
  const known = AUDIT_TARGETS.find((kind) => kind === target.kind);
  return (
    <>
      {known === undefined ? target.kind : t(`admin.target.${known}`)} <bdi>{target.name ?? target.id}</bdi>
    </>
  );
}

/** The acts that have a name in the languages of this client. */
export const AUDIT_ACTIONS = [
  "setUpAdmin",
  "makeSetupLink",
  "renewEpoch",
  "correctTimes",
  "exportPerson",
  "createPerson",
  "banPerson",
  "unbanPerson",
  "resetPersonPassword",
  "endPersonSessions",
  "unregisterPerson",
  "unregister",
  "grantAdmin",
  "revokeAdmin",
  "banGroup",
  "unbanGroup",
  "dissolveAnyGroup",
  "setGroupLarge",
  "createInviteCode",
  "deleteInviteCode",
  "publishNotice",
  "closeReport",
  "saveSettings",
  "loadOverview",
  "loadSettings",
  "listPeople",
  "listPersonSessions",
  "listAllGroups",
  "listMembersOfGroup",
  "listInviteCodes",
  "listNotices",
  "previewNotice",
  "listReports",
  "listAudit",
] as const;
