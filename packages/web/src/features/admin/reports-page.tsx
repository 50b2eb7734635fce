import { useId, useState } from "react";
import type { AdminReport } from "@parley/protocol/admin-entities";
import { listReports } from "@parley/protocol/endpoints/reports";
import { type Text, useText } from "../../kit/i18n.ts";
import { useApi } from "../../kit/use-api.ts";
import { Segmented } from "../../ui/segmented.tsx";
import { AdminPage } from "./admin-page.tsx";
import { PersonName } from "./person-cell.tsx";
import { ReportDialog } from "./report-dialog.tsx";
import { type Column, ResourceList } from "./resource-list.tsx";
import { TimeText } from "./time-text.tsx";
import { usePagedRows } from "./use-paged-rows.ts";

const STATES = ["open", "closed"] as const;

/** What people have reported as abuse. */
export function ReportsPage() {
  const t = useText();
  const api = useApi();
  const filterId = useId();
  const [state, setState] = useState<(typeof STATES)[number]>("open");
  const [open, setOpen] = useState<AdminReport | null>(null);
  const rows = usePagedRows(({ page, size }) => api(listReports, { query: { page, size, state } }), state);
  return (
    <AdminPage title={t("admin.page.reports")}>
      <ResourceList
        label={t("admin.page.reports")}
        columns={columnsOf(t)}
        rows={rows}
        rowKey={({ id }) => id}
        onOpen={setOpen}
        filters={
          <>
            <span id={filterId} className="visually-hidden">
              {t("admin.reports.filter")}
            </span>
            <Segmented
              labelId={filterId}
              value={state}
              options={STATES.map((value) => ({ value, text: t(`admin.reports.${value}`) }))}
              onChange={setState}
            />
          </>
        }
        emptyText={t(state === "open" ? "admin.reports.noneOpen" : "admin.reports.noneClosed")}
      />
      {open !== null && (
        <ReportDialog
          report={open}
          onClosed={() => {
            setOpen(null);
            rows.reload();
          }}
          onClose={() => setOpen(null)}
        />
      )}
    </AdminPage>
  );
}

function columnsOf(t: Text): readonly Column<AdminReport>[] {
  return [
    {
      id: "what",
      header: t("admin.reports.what"),
      cell: ({ message, person }) => (
        <>
          {t(message === null ? "admin.reports.person" : "admin.reports.message")}{" "}
          <PersonName person={person} />
        </>
      ),
    },
    {
      id: "reason",
      header: t("admin.reason"),
      cell: ({ reason }) => t(`report.reason.${reason}`),
    },
    {
      id: "reporter",
      header: t("admin.reports.reporter"),
      cell: ({ reporter }) => <PersonName person={reporter} />,
    },
    {
      id: "time",
      header: t("admin.reports.time"),
      cell: ({ createdTime }) => <TimeText time={createdTime} />,
    },
  ];
}
